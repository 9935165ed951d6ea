import { fstatSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';

/** What came on standard input, or why it is of no use. */
export type Input =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string };

/** Payloads of ten megabytes are met: the content of a file, the output of a build. */
export const MOST_INPUT_BYTES = 16 * 1024 * 1024;

/**
 * Reads standard input until it ends, or until it holds a whole JSON object: not every agent closes it. Gives up after
 * `timeoutMs`, and at once for a terminal.
 */
export function readInput(timeoutMs: number): Promise<Input> {
  const found = fstatSync(0);
  if (found.isFile()) return Promise.resolve(readWhole(found.size));
  if (found.isCharacterDevice()) return Promise.resolve({ ok: true, text: '' });
  return readStream(timeoutMs);
}

function readWhole(size: number): Input {
  return size > MOST_INPUT_BYTES ? TOO_LONG : { ok: true, text: readFileSync(0, 'utf8') };
}

function readStream(timeoutMs: number): Promise<Input> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stream = new Socket({ fd: 0, readable: true, writable: false });
    const finish = (input: Input): void => {
      clearTimeout(timer);
      stream.destroy();
      resolve(input);
    };
    const timer = setTimeout(
      () => finish({ ok: false, problem: `standard input did not end in ${timeoutMs} ms` }),
      timeoutMs,
    );
    const text = (): string => Buffer.concat(chunks, size).toString('utf8');
    stream.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MOST_INPUT_BYTES) finish(TOO_LONG);
      else if (endsObject(chunk) && isWhole(text())) finish({ ok: true, text: text() });
    });
    stream.on('end', () => finish({ ok: true, text: text() }));
    stream.on('error', () => finish({ ok: true, text: text() }));
  });
}

const TOO_LONG: Input = {
  ok: false,
  problem: `a payload of more than ${MOST_INPUT_BYTES} bytes was left out`,
};

const CLOSING = 0x7d;

function endsObject(chunk: Buffer): boolean {
  let at = chunk.length - 1;
  while (at >= 0 && (chunk[at] === 0x0a || chunk[at] === 0x0d || chunk[at] === 0x20)) at--;
  return chunk[at] === CLOSING;
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
