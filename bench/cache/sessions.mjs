import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { createRandom } from '../corpus/random.mjs';

const GENERATED_SESSIONS = 6;
const FILES_PER_SESSION = 12;
const CHARACTERS_PER_TOKEN = 4;
const MAX_FILE_LINES = 2_000;
const TOKENS_PER_LINE = 9;
const MIN_FILE_TOKENS = 200;
const PATCHED = /^\*\*\* (?:Update|Add) File: (.+)$/gm;
const SHOWN = /\b(?:cat|head|tail|nl|sed)\b[^|;&\n]*?\s(\S+\.\w{1,5})(?=$|[\s;|&'"])/gm;
const LINE_NUMBER = /^\s*(\d+)[→\t]/gm;
const READING = new Set(['Read', 'view', 'read_file']);
const EDITING = new Set(['Edit', 'Write', 'edit', 'create', 'write_file', 'MultiEdit']);

/**
 * @typedef {object} Step a prompt or a tool call of a session
 * @property {'prompt' | 'call'} type
 * @property {number} said tokens of the prompt, or of the call as the model wrote it
 * @property {number} answered tokens of the call's result, without the content of files, which is context
 * @property {readonly string[]} read files that the call read
 * @property {readonly string[]} edited files that the call changed
 */

/**
 * Reads the sessions of a recorded corpus, reduced to what matters to a prompt cache: which files were read and edited
 * when, and how much text there was in between.
 * @param {string} file `.jsonl.gz`
 * @returns {Promise<{sessions: Step[][], sizeOf: (path: string) => number}>}
 */
export async function readRecordedSessions(file) {
  const sessions = new Map();
  const running = new Map();
  const lines = new Map();
  const input = createReadStream(file).pipe(createGunzip());
  for await (const line of createInterface({ input })) {
    const event = JSON.parse(line);
    if (event.type === 'prompt') add(event, { said: tokensIn(event.text), answered: 0, read: [], edited: [] });
    if (event.type === 'call') {
      const step = add(event, toStep(event));
      running.set(event.id, step);
    }
    if (event.type === 'outcome' && running.has(event.id)) finish(running.get(event.id), event);
  }
  return { sessions: [...sessions.values()], sizeOf: (path) => estimateSize(path, lines.get(path)) };

  function add({ session, type }, step) {
    if (!sessions.has(session)) sessions.set(session, []);
    const full = { type, ...step };
    sessions.get(session).push(full);
    return full;
  }

  function finish(step, { status, output }) {
    const text = output ?? '';
    const [path] = step.read;
    if (path !== undefined) lines.set(path, Math.max(lines.get(path) ?? 0, findLastLine(text)));
    // The prompt contains the file itself; the history only mentions the call.
    const isFile = step.read.length + step.edited.length > 0;
    step.answered = isFile ? 10 : tokensIn(text);
    if (status !== 'ok') step.edited = [];
  }
}

function toStep({ tool, input }) {
  const values = input ?? {};
  const said = tokensIn(JSON.stringify(values)) + 10;
  const path = values.file_path ?? values.path ?? values.filePath;
  if (READING.has(tool) && path) return { said, answered: 0, read: [path], edited: [] };
  if (EDITING.has(tool) && path) return { said, answered: 0, read: [], edited: [path] };
  if (tool === 'apply_patch') return { said, answered: 0, read: [], edited: matches(PATCHED, values.input) };
  const command = values.cmd ?? values.command;
  return { said, answered: 0, read: typeof command === 'string' ? matches(SHOWN, command) : [], edited: [] };
}

function matches(pattern, text) {
  return typeof text === 'string' ? [...new Set([...text.matchAll(pattern)].map(([, path]) => path))] : [];
}

function findLastLine(output) {
  return Math.min(
    MAX_FILE_LINES,
    [...output.matchAll(LINE_NUMBER)].reduce((max, [, number]) => Math.max(max, Number(number)), 0),
  );
}

/** Estimates the tokens of a file by its highest line number, or derives a fixed size from its name. */
function estimateSize(path, lines) {
  if (lines) return Math.max(MIN_FILE_TOKENS, lines * TOKENS_PER_LINE);
  let hash = 7;
  for (const character of path) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  return MIN_FILE_TOKENS + ((hash >>> 0) % 4_000);
}

function tokensIn(text) {
  return Math.ceil((text ?? '').length / CHARACTERS_PER_TOKEN);
}

/**
 * Generates sessions that resemble recorded ones: files are read, some are edited several times in a row, and commands
 * run in between.
 * @returns {{sessions: Step[][], sizeOf: (path: string) => number}}
 */
export function generateSessions() {
  const random = createRandom('cache');
  const sizes = new Map();
  const paths = Array.from({ length: 60 }, (_, index) => `src/part-${index % 7}/file-${index}.ts`);
  for (const path of paths) sizes.set(path, random.between(300, 6_000));
  const sessions = Array.from({ length: GENERATED_SESSIONS }, () => generateSession(random, paths));
  return { sessions, sizeOf: (path) => sizes.get(path) ?? 0 };
}

function generateSession(random, paths) {
  const steps = [];
  const files = Array.from({ length: FILES_PER_SESSION }, () => random.pick(paths));
  const call = (said, answered, read, edited) => steps.push({ type: 'call', said, answered, read, edited });
  for (let prompt = random.between(2, 15); prompt > 0; prompt--) {
    steps.push({ type: 'prompt', said: random.between(20, 200), answered: 0, read: [], edited: [] });
    for (let calls = random.between(3, 20); calls > 0; calls--) {
      const path = random.pick(files.slice(0, random.between(1, FILES_PER_SESSION)));
      const kind = random.pick(['read', 'edit', 'command', 'command']);
      if (kind === 'read') call(40, 10, [path], []);
      else if (kind === 'edit') call(random.between(60, 600), 10, [], [path]);
      else call(random.between(20, 120), random.between(10, 700), [], []);
    }
  }
  return steps;
}
