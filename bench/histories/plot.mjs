import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

const PROJECTS = ['harbour', 'orchard', 'foundry', 'lantern', 'meadow', 'quarry'];
const START = Date.UTC(2026, 0, 5, 8);
const DAY = 86_400_000;

/**
 * @typedef {object} PlotCall
 * @property {string} id
 * @property {'shell' | 'read' | 'edit'} kind
 * @property {string} [command] of a shell
 * @property {string} [path] of a file that is read or edited
 * @property {string} output
 * @property {number} exitCode 0 when it went well, whatever the kind
 * @property {boolean} isRejected by the user
 * @property {number} milliseconds
 *
 * @typedef {object} PlotReply
 * @property {number} time epoch milliseconds
 * @property {string} text may be empty when there are calls
 * @property {readonly PlotCall[]} calls
 * @property {{input: number, output: number, cached: number}} tokens
 *
 * @typedef {object} PlotTurn
 * @property {number} time
 * @property {string} prompt
 * @property {string} [image] a PNG in base64
 * @property {readonly PlotReply[]} replies
 * @property {boolean} isCompacted the context is summarised before this turn
 * @property {boolean} isRewound the user takes the turn back
 *
 * @typedef {object} Plot
 * @property {string} id a UUID
 * @property {string} project
 * @property {string} cwd
 * @property {string} branch
 * @property {number} time
 * @property {readonly PlotTurn[]} turns
 * @property {boolean} isTorn the last line was not written to its end
 * @property {boolean} isForked another session begins as this one does
 */

/**
 * Sessions as any agent has them, without end: prompts, replies, calls that fail and go well, now and then a huge output
 * or an image. The folders of their projects are made.
 * @param {object} options
 * @param {string} options.folder
 * @param {ReturnType<typeof import('../corpus/random.mjs').createRandom>} options.random
 * @param {ReturnType<typeof import('../corpus/text.mjs').createTextMaker>} options.text
 * @returns {Generator<Plot>}
 */
export function* sessionPlots({ folder, random, text }) {
  for (const project of PROJECTS) mkdirSync(join(folder, 'code', project), { recursive: true });
  const outputs = createOutputs(random, text);
  for (let session = 0; ; session++) {
    const project = random.pick(PROJECTS);
    const clock = { time: START + session * random.between(DAY / 40, DAY / 4) };
    const turns = [];
    for (let count = random.between(2, 14); count > 0; count--) {
      turns.push(turnPlot({ random, text, outputs, clock, isFirst: turns.length === 0 }));
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

/** @param {{next: () => number, hex: (digits: number) => string}} random */
export function uuid(random) {
  return [8, 4, 4, 4, 12].map((digits) => random.hex(digits)).join('-');
}

function turnPlot({ random, text, outputs, clock, isFirst }) {
  clock.time += random.between(5_000, 400_000);
  const time = clock.time;
  const replies = [];
  for (let count = random.between(1, 9); count > 1; count--) {
    clock.time += random.between(1_000, 20_000);
    const calls = [];
    for (let more = random.chance(0.2) ? 3 : 1; more > 0; more--)
      calls.push(callPlot({ random, text, outputs }));
    replies.push(replyPlot(random, clock.time, random.chance(0.4) ? text.reply().slice(0, 300) : '', calls));
    clock.time += calls.reduce((sum, call) => sum + call.milliseconds, 0);
  }
  clock.time += random.between(1_000, 20_000);
  replies.push(replyPlot(random, clock.time, text.reply(), []));
  return {
    time,
    prompt: text.request(),
    ...(random.chance(0.02) ? { image: outputs.image() } : {}),
    replies,
    isCompacted: !isFirst && random.chance(0.03),
    isRewound: random.chance(0.03),
  };
}

function replyPlot(random, time, text, calls) {
  const tokens = { input: random.between(4_000, 90_000), output: random.between(40, 1_500), cached: 0 };
  tokens.cached = Math.floor(tokens.input * 0.8);
  return { time, text, calls, tokens };
}

function callPlot({ random, text, outputs }) {
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

/** Outputs and images of all sizes, made once and picked from: a history has to be written faster than it is read. */
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
