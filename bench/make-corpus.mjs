// Makes corpora for the benchmarks find and replay from a clone of a repository that publishes its agents' sessions.
//   npm run corpus -- REPOSITORY OUT [options]        see --help
import { createWriteStream, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createGzip } from 'node:zlib';
import { AGENTS, loadTranscripts } from '../dist/agents/index.js';
import { CorpusError, openPublished } from './published/checkpoints.mjs';
import { createQuestions, groupBy } from './published/questions.mjs';
import { readSessionEvents } from './published/session-events.mjs';
import { createProgress, fail, print } from './runner/terminal.mjs';

const HELP = `npm run corpus -- REPOSITORY OUT [options]

Makes corpora for the benchmarks find and replay from a clone of a repository that publishes its agents' sessions with
the Entire CLI: transcripts on the branch entire/checkpoints/v1, commits with the trailer Entire-Checkpoint.

  --checkpoints REF   branch or commit with the checkpoints (default: the newest entire/checkpoints/v1, local or remote)
  --name NAME         name of the corpus (default: the name of the folder REPOSITORY)
  --json              print the counts as JSON

Writes OUT/replay/NAME.jsonl.gz (all sessions), OUT/find/NAME.json (questions) and OUT/find/NAME.jsonl.gz (the sessions
without what came after their last commit). Run it for several repositories with the same OUT to measure them together.
Needs a build (npm run build).

Examples:
  git clone https://github.com/entireio/git-sync
  npm run corpus -- git-sync corpora
  npm run corpus -- git-sync corpora --checkpoints 8e24a4e9214edf84e753675e5c3ebe0f60e15264
  npm run score -- find corpora
  npm run bench -- find replay recall --corpus corpora

Exit code: 0 the corpora were made, even if some sessions could not be read (see "problems"); 2 they could not be made.`;

const PROGRESS_MS = 1_000;
const NAME = /^[\w.-]+$/;

process.exitCode = await main(process.argv.slice(2));

/** @param {string[]} argv @returns {Promise<number>} the exit code */
async function main(argv) {
  const options = parseOptions(argv);
  if (typeof options === 'string') return fail(options);
  if (options.help) return print(HELP);
  const scratch = mkdtempSync(join(tmpdir(), 'yore-corpus-'));
  try {
    const made = await makeCorpus(options, scratch);
    return print(options.json ? JSON.stringify(made, null, 2) : describe(made));
  } catch (error) {
    if (!(error instanceof CorpusError)) throw error;
    return fail(error.message);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function parseOptions(argv) {
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        checkpoints: { type: 'string' },
        name: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return { help: true };
    if (positionals.length !== 2) return `Name a clone and a folder for the corpora.\n\n${HELP}`;
    const [repository, out] = positionals.map((path) => resolve(path));
    const name = values.name ?? basename(repository).replace(/\.git$/, '');
    if (!NAME.test(name)) return `--name ${name}: use letters, digits, dots and dashes.`;
    return { repository, out, name, ref: values.checkpoints, json: values.json };
  } catch (error) {
    return `${error.message}\n\n${HELP}`;
  }
}

async function makeCorpus({ repository, out, name, ref }, scratch) {
  const progress = createProgress(process.stderr);
  progress.begin(name);
  const problems = [];
  const report = (problem) => {
    problems.push(problem);
    progress.log(problem);
  };
  const published = openPublished(repository, { ref, report });
  progress.log(`listing the checkpoints of ${published.snapshot}`);
  const transcripts = published.transcripts();
  const { events, resolved } = await readSessions(published, transcripts, { scratch, progress, report });
  if (events.length === 0) {
    throw new CorpusError(`No session of ${repository} could be read${problems.length ? `: ${problems[0]}` : '.'}`);
  }
  progress.log('matching commits and sessions');
  const { questions, events: searched, leftOut } = createQuestions(published.commits(), resolved, events);
  const ids = new Map(events.filter(({ type }) => type === 'call').map((call, index) => [call, `c${index + 1}`]));
  const files = {
    replay: await writeEvents(join(out, 'replay'), name, events, ids),
    sessions: await writeEvents(join(out, 'find'), name, searched, ids),
    questions: join(out, 'find', `${name}.json`),
  };
  const asked = { corpus: basename(files.sessions), checkpoints: published.snapshot, queries: questions };
  writeFileSync(files.questions, `${JSON.stringify(asked, null, 1)}\n`, { mode: 0o600 });
  progress.end();
  const count = (list, isCounted) => list.filter(isCounted).length;
  return {
    name,
    checkpoints: published.snapshot,
    sessions: new Set(events.map(({ session }) => session)).size,
    prompts: count(events, ({ type }) => type === 'prompt'),
    calls: ids.size,
    failures: count(events, ({ outcome }) => outcome?.status === 'error' || outcome?.status === 'invalid'),
    questions: {
      said: count(questions, ({ group }) => group === 'said'),
      other: count(questions, ({ group }) => group === 'other'),
    },
    leftOut,
    problems,
    files,
  };
}

/** Reads every session once, from the longest of its transcripts that can be read. */
async function readSessions(published, transcripts, { scratch, progress, report }) {
  const agents = await loadTranscripts();
  const groups = groupSessions(transcripts);
  const known = new Set(transcripts.flatMap(({ sessionId }) => sessionId ?? []));
  const seen = new Set();
  const events = [];
  const resolved = [];
  let shown = performance.now();
  for (const [index, stored] of groups.entries()) {
    if (performance.now() - shown > PROGRESS_MS) {
      progress.log(`read ${index} of ${groups.length} sessions`);
      shown = performance.now();
    }
    const { sessionId } = stored[0];
    const startedAt = stored.map(({ createdAt }) => createdAt).sort()[0];
    const session = { sessionId, startedAt, seen, isKnown: (id) => known.has(id) };
    for (const transcript of stored) {
      const read = readTranscript(published, agents, transcript, session, { scratch, report });
      if (read === undefined) continue;
      events.push(...read.events);
      resolved.push(...stored.map((each) => ({ ...each, sessionId: read.sessionId })));
      break;
    }
  }
  progress.log(`read ${groups.length} sessions`);
  events.sort((a, b) => (a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : 0));
  return { events, resolved };
}

/** The transcripts of each session, longest first; the sessions in the order of their first checkpoint. */
function groupSessions(transcripts) {
  const bytes = ({ parts }) => parts.reduce((sum, part) => sum + part.bytes, 0);
  const first = (stored) => stored.map(({ createdAt = '\uffff' }) => createdAt).sort()[0];
  const named = transcripts.filter(({ sessionId }) => sessionId !== undefined);
  const unnamed = transcripts.filter(({ sessionId }) => sessionId === undefined);
  return [...groupBy(named, 'sessionId').values(), ...unnamed.map((transcript) => [transcript])]
    .map((stored) => stored.sort((a, b) => bytes(b) - bytes(a)))
    .sort((a, b) => (first(a) < first(b) ? -1 : first(a) > first(b) ? 1 : 0));
}

function readTranscript(published, agents, transcript, session, { scratch, report }) {
  // Readers fall back on the name of the file; one that a repository chose must not leave the folder.
  const name = NAME.test(session.sessionId ?? '') ? session.sessionId : 'session';
  const agent = Object.values(AGENTS).find(({ title }) => title === transcript.agent)?.name;
  const path = join(scratch, `${name}.jsonl`);
  try {
    published.extract(transcript, path);
    const lines = readSessionEvents(agents, path, { ...session, agent });
    if (lines !== undefined) return lines;
    // Some agents write one document instead of lines.
    const document = join(scratch, `${name}.json`);
    renameSync(path, document);
    const read = readSessionEvents(agents, document, { ...session, agent });
    if (read === undefined) report(`${transcript.path}: full.jsonl is not a transcript of an agent that yore can read`);
    return read;
  } catch (error) {
    if (error instanceof CorpusError) throw error;
    report(`${transcript.path}: full.jsonl cannot be read: ${error.message}`);
    return undefined;
  }
}

/** Writes prompts, calls and outcomes in time order. */
async function writeEvents(folder, name, events, ids) {
  const lines = events.flatMap((event) => {
    if (event.type === 'prompt') return [event];
    const id = ids.get(event);
    const { type, outcome, ...call } = event;
    return [
      { type, id, ...call },
      { type: 'outcome', id, ...outcome },
    ];
  });
  lines.sort((a, b) => (a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : 0));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${name}.jsonl.gz`);
  const json = function* () {
    for (const line of lines) yield `${JSON.stringify(line)}\n`;
  };
  await pipeline(json, createGzip(), createWriteStream(path, { mode: 0o600 }));
  return path;
}

function describe({ name, checkpoints, sessions, prompts, calls, failures, questions, leftOut, problems, files }) {
  return [
    `${name}: ${sessions} sessions, ${prompts} prompts, ${calls} calls (${failures} failed), checkpoints of ${checkpoints}`,
    `${questions.said + questions.other} questions: ${questions.said} said, ${questions.other} other`,
    `Commits without a question: ${leftOut.merges} merges, ${leftOut.provisional} fixups, ${leftOut.noSession} without ` +
      `a session; questions left out: ${leftOut.manySessions} with too many answers, ${leftOut.saidOnlyAfterwards} ` +
      'that the session says only after the commit',
    ...(problems.length > 0 ? [`${problems.length} problems:`, ...problems.map((problem) => `  ${problem}`)] : []),
    ...Object.values(files),
  ].join('\n');
}
