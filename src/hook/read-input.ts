import { fstatSync, read, readFileSync } from 'node:fs';

/** What came on standard input, or why it is of no use. */
export type Input =
  | { readonly ok: true; readonly text: string }
  /** `isStuck`: a read still waits, and would keep the process from ending by itself. */
  | { readonly ok: false; readonly problem: string; readonly isStuck?: true };

/** Payloads of ten megabytes are met: the content of a file, the output of a build. */
export const MOST_INPUT_BYTES: number = 16 * 1024 * 1024;

const CHUNK = 64 * 1024;

/**
 * Reads standard input until it ends, or until it holds a whole JSON object: not every agent closes it. Gives up after
 * `timeoutMs`, and at once for a terminal.
 */
export function readInput(timeoutMs: number): Promise<Input> {
  const found = fstatSync(0);
  if (found.isFile()) return Promise.resolve(readWhole(found.size));
  if (found.isCharacterDevice()) return Promise.resolve({ ok: true, text: '' });
  return readPipe(timeoutMs);
}

function readWhole(size: number): Input {
  return size > MOST_INPUT_BYTES ? TOO_LONG : { ok: true, text: readFileSync(0, 'utf8') };
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
        if (size > MOST_INPUT_BYTES) finish(TOO_LONG);
        else if (endsObject(chunk, length) && isWhole(text())) finish({ ok: true, text: text() });
        else readOn();
      });
    };
    readOn();
  });
}

const TOO_LONG: Input = {
  ok: false,
  problem: `a payload of more than ${MOST_INPUT_BYTES} bytes was left out`,
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
