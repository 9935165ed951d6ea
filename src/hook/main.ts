import { fstatSync, read, readFileSync, writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { homeFolder } from '../registry/folders.ts';
import { answerHook, type HookMachine } from './answer.ts';
import { logHookProblem } from './hook-log.ts';

/** An agent sends its payload at once; what is not there by then does not come. */
const INPUT_MS = 2_000;
/** Whatever happens, the process ends by then. */
const LONGEST_MS = 5_000;

/**
 * The process that agents call: `yore-hook AGENT [EVENT]` with the event as JSON on standard input. Answers on standard
 * output in one piece, or says nothing. Ends with 0 in any case.
 */
export async function runHook(args: readonly string[], homeOption?: string): Promise<never> {
  process.on('uncaughtException', end);
  setTimeout(end, LONGEST_MS);
  const machine: HookMachine = {
    home: homeFolder(homeOption, process.env),
    env: process.env,
    userHome: homedir(),
    now: Date.now,
    // Not `performance`, which takes longer to load than a call to check.
    elapsed: () => process.uptime() * 1000,
  };
  const text = await answerTo(args, machine);
  try {
    if (text !== '') writeSync(1, text);
  } catch {
    // The agent has gone.
  }
  end();
}

/**
 * Everything is written by now. Node.js waits at its end for threads that compile, and in some versions forever, when one
 * of them waits for a collection of garbage. The shim takes any end for a good one, so with it the process ends itself.
 */
function end(): never {
  if (process.env.YORE_SHIM === '1') process.kill(process.pid, 'SIGKILL');
  process.exit(0);
}

async function answerTo([agent, event]: readonly string[], machine: HookMachine): Promise<string> {
  if (agent === undefined) return '';
  const input = await readInput(INPUT_MS);
  if (!input.ok) {
    logHookProblem(machine.home, agent, input.problem, machine.now());
    // Nothing else ends a process one of whose reads waits; what started it takes any end for a good one.
    if (input.isStuck === true) process.kill(process.pid, 'SIGKILL');
    return '';
  }
  if (input.text.trim() === '') return '';
  return await answerHook({ agent, payload: input.text, ...(event === undefined ? {} : { event }) }, machine);
}

/** What came on standard input, or why it is of no use. */
type Input =
  | { readonly ok: true; readonly text: string }
  /** `isStuck`: a read still waits, and would keep the process from ending by itself. */
  | { readonly ok: false; readonly problem: string; readonly isStuck?: true };

/** Payloads of ten megabytes are met: the content of a file, the output of a build. */
export const MAX_INPUT_BYTES: number = 16 * 1024 * 1024;

const CHUNK = 64 * 1024;

/**
 * Reads standard input until it ends, or until it holds a whole JSON object: not every agent closes it. Gives up after
 * `timeoutMs`, and at once for a terminal.
 */
function readInput(timeoutMs: number): Promise<Input> {
  const found = fstatSync(0);
  if (found.isFile()) return Promise.resolve(readWhole(found.size));
  if (found.isCharacterDevice()) return Promise.resolve({ ok: true, text: '' });
  return readPipe(timeoutMs);
}

function readWhole(size: number): Input {
  return size > MAX_INPUT_BYTES ? TOO_LONG : { ok: true, text: readFileSync(0, 'utf8') };
}

/** By plain reads: a stream takes longer to load than most events to handle. */
function readPipe(timeoutMs: number): Promise<Input> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (input: Input): void => {
      clearTimeout(timer);
      resolve(input);
    };
    const problem = `standard input did not end in ${timeoutMs} ms`;
    const timer = setTimeout(() => finish({ ok: false, problem, isStuck: true }), timeoutMs);
    const text = (): string =>
      (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, size))?.toString() ?? '';
    const readOn = (): void => {
      const chunk = Buffer.allocUnsafe(CHUNK);
      read(0, chunk, 0, CHUNK, null, (error, length) => {
        if (error?.code === 'EAGAIN') {
          setTimeout(readOn, 1);
          return;
        }
        if (error !== null || length === 0) {
          finish({ ok: true, text: text() });
          return;
        }
        chunks.push(chunk.subarray(0, length));
        size += length;
        if (size > MAX_INPUT_BYTES) finish(TOO_LONG);
        else if (endsObject(chunk, length) && isWhole(text())) finish({ ok: true, text: text() });
        else readOn();
      });
    };
    readOn();
  });
}

const TOO_LONG: Input = {
  ok: false,
  problem: `a payload of more than ${MAX_INPUT_BYTES} bytes was left out`,
};

const BLANKS: ReadonlySet<number | undefined> = new Set([0x09, 0x0a, 0x0d, 0x20]);
const CLOSING_BRACE = 0x7d;

function endsObject(chunk: Buffer, length: number): boolean {
  let at = length - 1;
  while (at > 0 && BLANKS.has(chunk[at])) at--;
  return chunk[at] === CLOSING_BRACE;
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export { answerHook } from './answer.ts';
