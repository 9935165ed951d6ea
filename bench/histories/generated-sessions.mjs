import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const PROJECTS = ['harbour', 'orchard', 'foundry', 'lantern', 'meadow', 'quarry'];
const START = Date.UTC(2026, 0, 5, 8);
const DAY = 86_400_000;

/**
 * @typedef {object} HistoryOptions what the history of an agent is generated from
 * @property {string} folder stands for the user's home
 * @property {number} bytes approximate size of the history
 * @property {ReturnType<typeof import('../corpus/random.mjs').createRandom>} random
 * @property {ReturnType<typeof import('../corpus/text.mjs').createTextMaker>} text
 *
 * @typedef {object} GeneratedCall
 * @property {string} id
 * @property {'shell' | 'read' | 'edit'} kind
 * @property {string} [command] for `shell`
 * @property {string} [path] for `read` and `edit`
 * @property {string} output
 * @property {number} exitCode 0 for success, whatever the kind
 * @property {boolean} isRejected by the user
 * @property {number} milliseconds
 *
 * @typedef {object} GeneratedReply
 * @property {number} time epoch milliseconds
 * @property {string} text may be empty if there are calls
 * @property {readonly GeneratedCall[]} calls
 * @property {{input: number, output: number, cached: number}} tokens
 *
 * @typedef {object} GeneratedTurn
 * @property {number} time
 * @property {string} prompt
 * @property {string} [image] a PNG in base64
 * @property {readonly GeneratedReply[]} replies
 * @property {boolean} isCompacted the context is compacted before this turn
 * @property {boolean} isRewound the user undoes the turn
 *
 * @typedef {object} GeneratedSession
 * @property {string} id a UUID
 * @property {string} project
 * @property {string} cwd
 * @property {string} branch
 * @property {number} time
 * @property {readonly GeneratedTurn[]} turns
 * @property {boolean} isTorn the last line is incomplete
 * @property {boolean} isForked another session begins with a copy of this one
 */

/**
 * Generates an endless series of sessions that are not in any agent's format yet: prompts, replies, calls that fail or
 * succeed, occasionally a huge output or an image. Creates the folders of their projects.
 * @param {Omit<HistoryOptions, 'bytes'>} options
 * @returns {Generator<GeneratedSession>}
 */
export function* generateSessions({ folder, random, text }) {
  for (const project of PROJECTS) mkdirSync(join(folder, 'code', project), { recursive: true });
  const outputs = createOutputs(random, text);
  for (let number = 0; ; number++) {
    const project = random.pick(PROJECTS);
    const clock = { time: START + number * random.between(DAY / 40, DAY / 4) };
    const turns = [];
    for (let count = random.between(2, 14); count > 0; count--) {
      turns.push(generateTurn({ random, text, outputs, clock, isFirst: turns.length === 0 }));
    }
    yield {
      id: uuid(random),
      project,
      cwd: join(folder, 'code', project),
      branch: random.chance(0.6) ? 'main' : `feature/${text.word()}`,
      time: turns[0].time - 500,
      turns,
      isTorn: random.chance(0.03),
      isForked: random.chance(0.06),
    };
  }
}

/**
 * Writes files to a folder until it is full.
 * @param {string} folder
 * @param {number} bytes the size at which the folder is full
 */
export function createHistoryFolder(folder, bytes) {
  const written = { files: 0, lines: 0, bytes: 0 };
  const write = (path, content, lines) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
    written.files++;
    written.lines += lines;
    written.bytes += Buffer.byteLength(content);
  };
  return {
    isFull: () => written.bytes >= bytes,
    /** @param {string} path @param {string} content */
    writeText: (path, content) => write(path, content, 1),
    /** Writes lines of JSON; with `isTorn`, the last one is incomplete. @param {string} path @param {readonly object[]} lines */
    writeLines: (path, lines, isTorn = false) => {
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      write(path, isTorn ? text.slice(0, -20) : text, lines.length);
    },
    totals: () => ({ files: written.files, lines: written.lines }),
  };
}

/** @param {{next: () => number, hex: (digits: number) => string}} random */
export function uuid(random) {
  return [8, 4, 4, 4, 12].map((digits) => random.hex(digits)).join('-');
}

function generateTurn({ random, text, outputs, clock, isFirst }) {
  clock.time += random.between(5_000, 400_000);
  const time = clock.time;
  const replies = [];
  for (let count = random.between(1, 9); count > 1; count--) {
    clock.time += random.between(1_000, 20_000);
    const calls = [];
    for (let more = random.chance(0.2) ? 3 : 1; more > 0; more--) calls.push(generateCall({ random, text, outputs }));
    replies.push(generateReply(random, clock.time, random.chance(0.4) ? text.reply().slice(0, 300) : '', calls));
    clock.time += calls.reduce((sum, call) => sum + call.milliseconds, 0);
  }
  clock.time += random.between(1_000, 20_000);
  replies.push(generateReply(random, clock.time, text.reply(), []));
  return {
    time,
    prompt: text.request(),
    ...(random.chance(0.02) ? { image: outputs.image() } : {}),
    replies,
    isCompacted: !isFirst && random.chance(0.03),
    isRewound: random.chance(0.03),
  };
}

function generateReply(random, time, text, calls) {
  const tokens = { input: random.between(4_000, 90_000), output: random.between(40, 1_500), cached: 0 };
  tokens.cached = Math.floor(tokens.input * 0.8);
  return { time, text, calls, tokens };
}

function generateCall({ random, text, outputs }) {
  const id = `call_${random.hex(24)}`;
  const common = { id, isRejected: false, milliseconds: random.between(20, 8_000) };
  const kind = random.pick(['shell', 'shell', 'shell', 'read', 'edit']);
  const failed = random.chance(kind === 'shell' ? 0.2 : 0.05);
  if (kind !== 'shell') {
    const path = text.path();
    const output = failed ? `${path} is not there` : outputs.output();
    return { ...common, kind, path, output, exitCode: failed ? 1 : 0 };
  }
  const output = failed ? `${text.failure()}\n${outputs.output()}` : outputs.output();
  const exitCode = failed ? random.pick([1, 1, 1, 2, 127]) : 0;
  return { ...common, kind, command: text.command(), output, exitCode, isRejected: random.chance(0.01) };
}

/** Outputs and images of all sizes. They are made once and reused, so that generating a history stays fast. */
function createOutputs(random, text) {
  const of = (bytes) => {
    let output = '';
    while (output.length < bytes) output += `${text.output()}\n`;
    return output;
  };
  const pool = Array.from({ length: 200 }, () => of(random.pick([80, 200, 600, 1_500, 4_000, 9_000])));
  const huge = Array.from({ length: 4 }, () => of(random.between(100_000, 400_000)));
  const images = Array.from({ length: 4 }, () => pngLike(random, random.between(20_000, 90_000)));
  return {
    output: () => `${text.path()}\n${random.chance(0.004) ? random.pick(huge) : random.pick(pool)}`,
    image: () => random.pick(images),
  };
}

function pngLike(random, bytes) {
  const data = Buffer.from(random.hex(bytes * 2), 'hex');
  Buffer.from('89504e470d0a1a0a', 'hex').copy(data);
  return data.toString('base64');
}
