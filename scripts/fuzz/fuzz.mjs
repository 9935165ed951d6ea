// Feeds parsers with what nobody should send.
//   npm run fuzz                       until it is stopped, with new inputs each time
//   npm run fuzz -- --seconds 3600     for an hour
//   npm run fuzz -- --runs 200 --seed 1 [--target NAME]    a fixed number of inputs for each target
// An input that makes a parser fail or hang is saved in test/fuzz, where later runs try it first.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { PACKAGE } from '../soak/world.mjs';
import { Generator } from './generate.mjs';
import { createTargets, WORKING_FOLDER } from './targets.mjs';

const SAVED = join(PACKAGE, 'test', 'fuzz');
/** A parser that takes this long for one input hangs. */
const MAX_RUN_MS = 30_000;
const ROUND_RUNS = 500;

const targets = await createTargets();
if (isMainThread) process.exitCode = await fuzz();
else await runTargets(workerData);

async function fuzz() {
  const { values } = parseArgs({
    options: {
      runs: { type: 'string' },
      seconds: { type: 'string' },
      seed: { type: 'string' },
      target: { type: 'string' },
    },
  });
  const names = [...targets.keys()].filter((name) => values.target === undefined || name === values.target);
  const end = values.seconds === undefined ? Number.POSITIVE_INFINITY : Date.now() + Number(values.seconds) * 1000;
  const runs = Number(values.runs ?? ROUND_RUNS);
  let failures = 0;
  let total = 0;
  for (let seed = Number(values.seed ?? Date.now() % 1e9); ; seed++) {
    for (let left = names; left.length > 0; ) {
      const results = await watch({ names: left, seed, runs });
      left = left.slice(results.length);
      total += results.reduce((sum, result) => sum + result.runs, 0);
      for (const { name, problem } of results) {
        if (problem === undefined) continue;
        failures++;
        console.log(`${name}, seed ${seed}: ${problem}`);
      }
    }
    if (values.runs !== undefined || Date.now() > end) break;
    console.log(`${total} inputs, ${failures} failures, up to seed ${seed}`);
  }
  rmSync(WORKING_FOLDER, { recursive: true, force: true });
  console.log(`${total} inputs for ${names.length} parsers: ${failures === 0 ? 'no failure' : `${failures} failures`}`);
  return failures === 0 ? 0 : 1;
}

/** Runs targets in a thread, which is stopped when one of them hangs. Returns the results up to there. */
function watch({ names, seed, runs }) {
  const current = new Int32Array(new SharedArrayBuffer(4));
  const options = {
    workerData: { names, seed, runs, current, folder: WORKING_FOLDER },
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  };
  const worker = new Worker(fileURLToPath(import.meta.url), options);
  const results = [];
  return new Promise((resolve) => {
    let [last, since] = ['', Date.now()];
    const end = () => {
      clearInterval(timer);
      void worker.terminate();
      resolve(results);
    };
    const fail = (what) => {
      const name = names[results.length];
      const input = makeInput(name, seed, current[0]);
      results.push({ name, runs: current[0], problem: `${what} (saved as ${save(name, input)})` });
      end();
    };
    const timer = setInterval(() => {
      const now = `${results.length} ${current[0]}`;
      if (now !== last) [last, since] = [now, Date.now()];
      else if (Date.now() - since > MAX_RUN_MS) fail('hangs');
    }, 500);
    worker.on('message', (result) => {
      results.push(result);
      if (results.length === names.length) end();
    });
    worker.on('error', (error) => fail(String(error)));
  });
}

function makeInput(name, seed, number) {
  const target = targets.get(name);
  return target.make(new Generator(seed, number, target));
}

async function runTargets({ names, seed, runs, current }) {
  for (const name of names) parentPort.postMessage({ name, ...(await runTarget(name, { seed, runs, current })) });
}

async function runTarget(name, { seed, runs, current }) {
  const target = targets.get(name);
  for (const file of savedInputs(name)) {
    const problem = await tryInput(target, readFileSync(join(SAVED, file)));
    if (problem !== undefined) return { runs: 0, problem: `${problem} (with ${file})` };
  }
  const count = Math.ceil(runs / (target.cost ?? 1));
  for (let number = 0; number < count; number++) {
    Atomics.store(current, 0, number);
    const input = makeInput(name, seed, number);
    const problem = await tryInput(target, input);
    if (problem !== undefined) return { runs: number, problem: `${problem} (saved as ${save(name, input)})` };
  }
  return { runs: count };
}

/** What is wrong with how a target handles an input; undefined if nothing is. */
async function tryInput({ run, allowed }, input) {
  try {
    await run(input);
  } catch (error) {
    const isAllowed = allowed.some((each) => (typeof each === 'string' ? error?.code === each : error instanceof each));
    if (!isAllowed) return error?.stack ?? String(error);
  }
  return Object.keys(Object.prototype).length === 0 ? undefined : 'it has changed the prototype of all objects';
}

function savedInputs(name) {
  mkdirSync(SAVED, { recursive: true });
  return readdirSync(SAVED).filter((file) => file.startsWith(`${name}.`));
}

function save(name, input) {
  const file = `${name}.${createHash('sha256').update(input).digest('hex').slice(0, 12)}`;
  writeFileSync(join(SAVED, file), input);
  return file;
}
