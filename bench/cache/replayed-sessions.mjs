import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';

const CHARACTERS_PER_TOKEN = 4;
const LONGEST_FILE_LINES = 2_000;
const TOKENS_PER_LINE = 9;
const SMALLEST_FILE = 200;
const PATCHED = /^\*\*\* (?:Update|Add) File: (.+)$/gm;
const SHOWN = /\b(?:cat|head|tail|nl|sed)\b[^|;&\n]*?\s(\S+\.\w{1,5})(?=$|[\s;|&'"])/gm;
const LINE_NUMBER = /^\s*(\d+)[→\t]/gm;
const READING = new Set(['Read', 'view', 'read_file']);
const EDITING = new Set(['Edit', 'Write', 'edit', 'create', 'write_file', 'MultiEdit']);

/**
 * @typedef {object} Step one thing that happened in a session
 * @property {'prompt' | 'call'} type
 * @property {number} said tokens that were said: the prompt, or what the model wrote to make the call
 * @property {number} answered tokens that came back from a call; without the content of files, as those are context
 * @property {readonly string[]} read files that were looked at
 * @property {readonly string[]} edited files that were changed
 */

/**
 * The sessions of a recorded corpus, as far as a prompt cache is concerned: which files were read and edited when, and
 * how much was said in between.
 * @param {string} file `.jsonl.gz`
 * @returns {Promise<{sessions: Step[][], sizeOf: (path: string) => number}>}
 */
export async function readSessions(file) {
  const sessions = new Map();
  const running = new Map();
  const lines = new Map();
  const input = createReadStream(file).pipe(createGunzip());
  for await (const line of createInterface({ input })) {
    const event = JSON.parse(line);
    if (event.type === 'prompt')
      add(event, { said: tokensIn(event.text), answered: 0, read: [], edited: [] });
    if (event.type === 'call') {
      const step = add(event, stepOf(event));
      running.set(event.id, step);
    }
    if (event.type === 'outcome' && running.has(event.id)) finish(running.get(event.id), event);
  }
  return { sessions: [...sessions.values()], sizeOf: (path) => sizeOf(path, lines.get(path)) };

  function add({ session, type }, step) {
    if (!sessions.has(session)) sessions.set(session, []);
    const full = { type, ...step };
    sessions.get(session).push(full);
    return full;
  }

  function finish(step, { status, output }) {
    const text = output ?? '';
    const [path] = step.read;
    if (path !== undefined) lines.set(path, Math.max(lines.get(path) ?? 0, lastLine(text)));
    // What was read or edited is in the prompt as a file; the history only says that it was done.
    const isFile = step.read.length + step.edited.length > 0;
    step.answered = isFile ? 10 : tokensIn(text);
    if (status !== 'ok') step.edited = [];
  }
}

function stepOf({ tool, input }) {
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

function lastLine(output) {
  return Math.min(
    LONGEST_FILE_LINES,
    [...output.matchAll(LINE_NUMBER)].reduce((most, [, number]) => Math.max(most, Number(number)), 0),
  );
}

/** By its highest line number that was seen; by a fixed draw from its name where none was. */
function sizeOf(path, lines) {
  if (lines) return Math.max(SMALLEST_FILE, lines * TOKENS_PER_LINE);
  let hash = 7;
  for (const character of path) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  return SMALLEST_FILE + ((hash >>> 0) % 4_000);
}

function tokensIn(text) {
  return Math.ceil((text ?? '').length / CHARACTERS_PER_TOKEN);
}
