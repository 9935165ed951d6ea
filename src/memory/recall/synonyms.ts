import { startsLike, stem, stemStart } from '../../text/stem.ts';

/**
 * Words that developers use for one another, one line for each meaning, because prompts seldom repeat the words of
 * earlier ones. A word may be in several lines; inflections need not be listed.
 */
const MEANINGS: readonly string[] = [
  'repo, repository',
  'dir, directory, folder, subdirectory, subfolder, subdir, cwd, path',
  'config, configuration, setting, preference, option',
  'doc, documentation, readme, manual, guide, tutorial',
  'env, environment, variable, dotenv, setting',
  'arg, argument, param, parameter, option, flag, switch',
  'command, subcommand, cmd, verb',
  'func, function, method, helper, routine',
  'auth, authentication, authenticate, login, password, credential, creds, token, keychain',
  'secret, token, key, password, credential, apikey',
  'redact, mask, sanitize, filter, hide, scrub, censor',
  'db, database, sql, sqlite, postgres, mysql',
  'dependency, package, module, library, vendor, dep',
  'msg, message, notice, notification, warning, hint, banner',
  'error, exception, failure, crash, panic, traceback',
  'crash, die, panic, abort, segfault, terminate, kill',
  'corrupt, corruption, broken, damage, invalid, malformed, unreadable, inconsistent',
  'id, identifier, uuid, guid',
  'init, initialize, bootstrap, setup, scaffold, onboarding',
  'sync, synchronize, mirror, replicate, replication',
  'async, asynchronous, background, detach, daemon',
  'slow, sluggish, performance, perf, speed, fast, latency, throughput, bottleneck, lag, optimize, expensive',
  'hang, stuck, freeze, block, wait, deadlock, stall, timeout',
  'temp, tmp, temporary, scratch',
  'max, maximum, limit, cap, threshold, bound, quota',
  'mac, macos, osx, darwin, apple',
  'windows, win32, powershell',
  'sign, signing, signature, notarize, notarization, codesign, gpg',
  'hash, sha, digest, checksum, sha256, sha1',
  'network, http, connection, request, socket, internet, offline, fetch, download',
  'analytics, telemetry, tracking, metrics, posthog, usage',
  'parallel, concurrent, concurrency, simultaneous, worker, goroutine, thread',
  'author, committer, user, owner, email, identity',
  'alias, shorthand, abbreviation, shortform, shortcut',
  'wipe, overwrite, clobber, lose, lost, erase, reset, discard, purge',
  'delete, erase, purge, discard, drop, cleanup, prune, garbage, removal',
  'same, identical, equal, duplicate, duplication, twice, dedupe, deduplicate',
  'split, divide, subdivide, chunk, batch, partition, slice',
  'large, big, huge, size, oversize, limit',
  'reject, refuse, deny, disallow, forbid, block, prevent, restrict',
  'unknown, unrecognized, unexpected, unsupported, undefined, strict',
  'picture, image, screenshot, photo, icon, logo',
  'video, recording, gif, animation, movie, clip, demo',
  'verify, validate, validation, sanity, assert, check',
  'display, print, render, output, show, visible',
  'skip, ignore, omit, exclude, suppress, silence, mute, hide',
  'release, publish, version, tag, changelog, ship, goreleaser',
  'upgrade, bump, update, newer, latest, outdated, migrate',
  'toolchain, compiler, sdk, runtime, golang, rustc',
  'container, docker, podman, image',
  'preserve, retain, keep, persist, survive',
  'empty, blank, missing, absent, nothing, fresh',
  'color, style, theme, css, appearance',
  'plan, design, proposal, roadmap, spec, specification, rfc, adr',
  'example, sample, demo, tutorial, showcase',
  'merge, combine, join, unify, consolidate, interleave',
  'server, backend, host, remote, service',
  'unicode, utf, multibyte, rune, emoji, umlaut, encoding, ascii, byte',
  'ci, pipeline, workflow, action, job, runner',
  'test, spec, testing, suite, coverage',
  'lint, linter, staticcheck, eslint, golangci, biome',
  'log, logger, logging, logfile, slog, trace, debug, dump, verbose',
  'progress, ticker, spinner, indicator, percentage, eta',
  'retry, backoff, attempt, resend, rerun',
  'cache, memoize, reuse',
  'memory, ram, heap, oom, consumption, footprint',
  'hook, callback, handler, listener, trigger',
  'rename, naming, renaming, name',
  'rollback, revert, undo, rewind, restore, recover',
  'resume, continue, restore, recover, pick',
  'summary, summarize, digest, abstract, recap, overview',
  'license, licensing, mit, apache, copyright',
  'completion, autocomplete, tab, shell, zsh, bash, fish',
  'install, installation, installer, brew, homebrew, curl',
  'gitignore, ignore, ignored, untracked, exclude',
  'form, template, boilerplate, skeleton',
  'json, schema, serialization, marshal',
  'snake, camel, camelcase, casing, naming, lowercase, uppercase',
  'fork, upstream, contributor, external',
  'architecture, adr, design, structure, decision',
  'slash, trailing, normalize, canonical',
  'question, prompt, ask, interactive, confirm, confirmation',
  'table, column, row, grid',
  'button, click, link, menu',
  'job, task, queue, worker, cron, schedule',
  'url, uri, link, address, endpoint',
  'proxy, gateway, relay, tunnel, forward',
  'encrypt, decrypt, tls, ssl, certificate, https, cert',
  'colleague, coworker, teammate, contributor',
];

const indexes = new Map<string, ReadonlyMap<string, readonly string[]>>();

/** The names of the meanings that a word shares with others, by its stem; none for most words. */
export function findMeanings(wordStem: string): readonly string[] {
  const start = stemStart(wordStem);
  let index = indexes.get(start);
  if (index === undefined) {
    index = buildIndex(start);
    indexes.set(start, index);
  }
  return index.get(wordStem) ?? [];
}

/**
 * Meanings by stem, of words whose stem has these first letters. A short process looks up few words, and runs this
 * without compiling it, where every step of an iterator is an object: hence the plain loop.
 */
function buildIndex(start: string): ReadonlyMap<string, readonly string[]> {
  const index = new Map<string, string[]>();
  const starts = startsLike(start);
  const needles = starts.map((first) => `, ${first}`);
  for (let at = 0; at < MEANINGS.length; at++) {
    const line = MEANINGS[at] as string;
    for (let form = 0; form < starts.length; form++) {
      const first = starts[form] as string;
      if (line.startsWith(first) || line.includes(needles[form] as string)) addLine(index, line, first);
    }
  }
  return index;
}

function addLine(index: Map<string, string[]>, line: string, first: string): void {
  const words = line.split(', ');
  const name = `~${words[0]} ${words[1]}`;
  for (const word of words) if (word.startsWith(first)) addName(index, stem(word), name);
}

function addName(index: Map<string, string[]>, key: string, name: string): void {
  const names = index.get(key);
  if (names === undefined) index.set(key, [name]);
  else if (names.at(-1) !== name) names.push(name);
}

/** The words that share a meaning, by its name. */
export function listMeaningWords(name: string): readonly string[] {
  const head = name.slice(1).replace(' ', ', ');
  return MEANINGS.find((line) => `${line}, `.startsWith(`${head}, `))?.split(', ') ?? [];
}
