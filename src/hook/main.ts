import { fstatSync, read, readFileSync, writeSync } from 'node:fs';
import { omitUndefined } from '../record/object.ts';
import { homeFolder, userHomeFolder } from '../registry/folders.ts';
import { type HookEnvironment, handleHook, MAX_PAYLOAD_BYTES } from './handle-hook.ts';
import { logHookProblem } from './hook-log.ts';

export { handleHook } from './handle-hook.ts';

/** Agents send the payload at once; what has not arrived by then will not come. */
const INPUT_TIMEOUT_MS = 2_000;
/** The process ends by then, whatever happens. */
const PROCESS_TIMEOUT_MS = 5_000;

/**
 * The process that agents start: `yore-hook AGENT [EVENT]` with the event as JSON on standard input. The reply is
 * written to standard output at once, if there is one. The exit code is always 0.
 */
export async function runHook(args: readonly string[], homeOption?: string): Promise<never> {
  process.on('uncaughtException', exit);
  setTimeout(exit, PROCESS_TIMEOUT_MS);
  const machine: HookEnvironment = {
    home: homeFolder(homeOption, process.env),
    env: process.env,
    userHome: userHomeFolder(),
    now: Date.now,
    // Loading `performance` takes longer than checking a call.
    elapsed: () => process.uptime() * 1000,
  };
  const text = await handleInput(args, machine);
  try {
    if (text !== '') writeSync(1, text);
  } catch {
    // The agent has gone.
  }
  exit();
}

/**
 * Ends the process. On exit, Node.js waits for its compiler threads, and some versions wait forever when one of them
 * waits for a garbage collection. The shim ignores how the process ends, so under it the process kills itself.
 */
function exit(): never {
  if (process.env.YORE_SHIM === '1') process.kill(process.pid, 'SIGKILL');
  process.exit(0);
}

async function handleInput([agent, event]: readonly string[], machine: HookEnvironment): Promise<string> {
  if (agent === undefined) return '';
  const input = await readInput();
  if (!input.ok) {
    logHookProblem(machine.home, agent, input.problem, machine.now());
    // A pending read keeps the process alive, even after `process.exit()`.
    if (input.isReadPending === true) process.kill(process.pid, 'SIGKILL');
    return '';
  }
  if (input.text.trim() === '') return '';
  return await handleHook({ agent, payload: input.text, ...omitUndefined({ event }) }, machine);
}

/** The payload, or why there is none. */
type Input =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string; readonly isReadPending?: true };

const CHUNK_BYTES = 64 * 1024;

const TOO_LARGE: Input = {
  ok: false,
  problem: `ignored a payload of more than ${MAX_PAYLOAD_BYTES} bytes`,
};

/**
 * Reads standard input until it ends or holds a complete JSON object, because not every agent closes it. Gives up after
 * {@link INPUT_TIMEOUT_MS}, and reads nothing from a terminal.
 */
function readInput(): Promise<Input> {
  const stats = fstatSync(0);
  if (stats.isFile()) {
    const isTooLarge = stats.size > MAX_PAYLOAD_BYTES;
    return Promise.resolve(isTooLarge ? TOO_LARGE : { ok: true, text: readFileSync(0, 'utf8') });
  }
  if (stats.isCharacterDevice()) return Promise.resolve({ ok: true, text: '' });
  return readPipe();
}

/** Uses plain reads, because loading a stream takes longer than handling most events. */
function readPipe(): Promise<Input> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const problem = `standard input did not end within ${INPUT_TIMEOUT_MS} ms`;
    const timer = setTimeout(() => finish({ ok: false, problem, isReadPending: true }), INPUT_TIMEOUT_MS);
    const finish = (input: Input): void => {
      clearTimeout(timer);
      resolve(input);
    };
    const text = (): string => (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, size))?.toString() ?? '';
    const readNext = (): void => {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      read(0, chunk, 0, CHUNK_BYTES, null, (error, length) => {
        if (error?.code === 'EAGAIN') {
          setTimeout(readNext, 1);
          return;
        }
        if (error !== null || length === 0) {
          finish({ ok: true, text: text() });
          return;
        }
        chunks.push(chunk.subarray(0, length));
        size += length;
        if (size > MAX_PAYLOAD_BYTES) finish(TOO_LARGE);
        else if (mayEndObject(chunk, length) && isJson(text())) finish({ ok: true, text: text() });
        else readNext();
      });
    };
    readNext();
  });
}

const WHITESPACE: ReadonlySet<number | undefined> = new Set([0x09, 0x0a, 0x0d, 0x20]);
const CLOSING_BRACE = 0x7d;

function mayEndObject(chunk: Buffer, length: number): boolean {
  let at = length - 1;
  while (at > 0 && WHITESPACE.has(chunk[at])) at--;
  return chunk[at] === CLOSING_BRACE;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
