import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { resolveLinks } from '../../../files/index.ts';
import type { BlamedRange, ChangeOrigin, Home } from '../../../project/index.ts';
import { YoreError } from '../../../record/index.ts';
import { createListOptions, resolveProject } from '../../choose-project.ts';
import type { CommandContext, CommandRun, OptionValues } from '../../command.ts';
import { flagOption, textOption } from '../../options.ts';
import { relativeTime } from '../../output/format.ts';
import { sanitise, sanitiseLine } from '../../output/sanitise.ts';
import type { ListOptions } from '../../output/session-list.ts';

/** `yore blame`. */
export const runBlame: CommandRun = async (context, [file], options) => {
  const home = await context.openHome();
  const hash = textOption(options, 'commit');
  if (hash !== undefined) return blameCommit(home, hash, context, options);
  if (file === undefined)
    throw new YoreError('USAGE', 'Name a file, e.g. yore blame src/server.ts:12, or --commit HASH.');
  const chosen = textOption(options, 'project');
  const base = chosen === undefined ? context.cwd : resolveProject(home, chosen, context.cwd).info.projectPath;
  const { path: name, first, last } = parseLocation(file, base);
  const whole = resolve(base, name);
  // A link to the file is not followed: blame is about the path that was asked for.
  const folder = resolveLinks(dirname(whole));
  const project = home.findProject(folder);
  if (project === undefined) throw new YoreError('NOT_FOUND', `Nothing is recorded for ${folder} yet.`);
  const root = home.findCheckoutRoot(folder);
  const path = relative(root, join(folder, basename(whole))).replaceAll(sep, '/');
  const { lines, ranges, hasGit } = home.files.blame(project.info.projectHash, root, path);
  const wanted = ranges
    .filter(({ from, to }) => to >= first && from <= last)
    .map((range) => ({ ...range, from: Math.max(range.from, first), to: Math.min(range.to, last) }));
  if (wanted.length === 0 && lines.length > 0)
    throw new YoreError('USAGE', `${path} has no line ${first}: it has ${lines.length}.`);
  const { output } = context;
  if (flagOption(options, 'json')) {
    output.json({ project: project.info.projectHash, path, git: hasGit, ranges: wanted });
    return undefined;
  }
  output.lines(...blameLines(wanted, lines, createListOptions(home, context)));
  return undefined;
};

interface Location {
  readonly path: string;
  readonly first: number;
  readonly last: number;
}

/** `file`, `file:12` or `file:12-20`. A file of that whole name is meant if there is one. */
function parseLocation(text: string, cwd: string): Location {
  const [, path, first, last] = /^(.+?):(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  if (path === undefined || first === undefined || existsSync(resolve(cwd, text)))
    return { path: text, first: 1, last: Number.MAX_SAFE_INTEGER };
  return { path, first: Number(first), last: Number(last ?? first) };
}

/** How blamed lines are printed. */
type BlameListOptions = Pick<ListOptions, 'output' | 'now' | 'shortId'>;

/** The lines in groups of one origin, each below a line that names it. */
function blameLines(ranges: readonly BlamedRange[], lines: readonly string[], options: BlameListOptions): string[] {
  const { output } = options;
  const width = String(ranges.at(-1)?.to ?? 1).length;
  return ranges.flatMap((range, index) => [
    ...(index === 0 ? [] : ['']),
    ...describeOrigin(range, options),
    ...lines.slice(range.from - 1, range.to).map((line, offset) => {
      const number = output.style.dim(String(range.from + offset).padStart(width));
      return output.truncate(`  ${number}  ${sanitise(line).replaceAll('\n', ' ').trimEnd()}`);
    }),
  ]);
}

function describeOrigin({ change, commit, basis }: BlamedRange, options: BlameListOptions): string[] {
  const { output } = options;
  const committed =
    commit === undefined ? 'not committed' : `${commit.hash.slice(0, 10)} ${sanitiseLine(commit.subject)}`;
  if (change === undefined) return output.wrap(output.style.dim(output.join('no session recorded', committed)));
  const asked = sanitiseLine(change.request ?? change.title) || '(no request)';
  const facts = [...sessionFacts(change, options), committed, ...(basis === 'time' ? ['a guess, by time'] : [])];
  return [output.truncate(output.style.bold(asked)), ...output.wrap(output.style.dim(output.join(...facts)))];
}

function sessionFacts(origin: ChangeOrigin, { now, shortId }: BlameListOptions): readonly string[] {
  const { author, agent, at, sessionId } = origin;
  const who = [author, agent].filter((name) => name !== undefined);
  return [...who.map(sanitiseLine), relativeTime(at, now), sanitiseLine(shortId(sessionId))];
}

async function blameCommit(
  home: Home,
  hash: string,
  context: CommandContext,
  options: OptionValues,
): Promise<undefined> {
  const { output, cwd } = context;
  if (!/^[0-9a-f]{4,64}$/i.test(hash))
    throw new YoreError('USAGE', `"${sanitiseLine(hash)}" is not the hash of a commit.`);
  const project = resolveProject(home, textOption(options, 'project') ?? '.', cwd);
  const found = home.files.commits(project.info.projectHash, hash).map(({ hunks: _, ...change }) => change);
  if (flagOption(options, 'json')) output.json({ project: project.info.projectHash, commit: hash, sessions: found });
  else if (found.length === 0) output.lines('No recorded session made that commit.');
  for (const change of flagOption(options, 'json') ? [] : found)
    output.lines(
      output.truncate(output.style.bold(sanitiseLine(change.request ?? change.title) || '(no request)')),
      ...output.wrap(output.style.dim(output.join(...sessionFacts(change, createListOptions(home, context))))),
    );
  return undefined;
}
