import { PassThrough } from 'node:stream';
import type { ReadStream, WriteStream } from 'node:tty';
import { onTestFinished } from 'vitest';
import { Prompter } from '../../../src/cli/chat/editor/prompter.ts';
import { Output, type Sink } from '../../../src/cli/output/output.ts';
import { createStyle, createSymbols } from '../../../src/cli/output/terminal.ts';

/** A prompter on streams that a test writes to and reads from. */
export interface TypedTerminal {
  readonly prompter: Prompter;
  /** Presses keys, as a terminal sends them. */
  readonly type: (keys: string) => void;
  /** All that was drawn so far. */
  readonly drawn: () => string;
}

/** A terminal without looks that a test types into. */
export function typedTerminal(): TypedTerminal {
  const input = Object.assign(new PassThrough(), { setRawMode: () => input });
  const output = Object.assign(new PassThrough(), { columns: 80, rows: 24 });
  let drawn = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    drawn += text;
  });
  const prompter = new Prompter({
    input: input as unknown as ReadStream,
    output: output as unknown as WriteStream,
    style: createStyle(false),
    symbols: createSymbols(true),
    sources: { prompts: () => [], suggest: () => [] },
  });
  onTestFinished(() => prompter.close());
  return { prompter, type: (keys) => void input.write(keys), drawn: () => drawn };
}

/** An output without looks, and what is printed to it. */
export function printedOutput(
  isTerminal = false,
  columns = 80,
): {
  readonly output: Output;
  readonly printed: { out: string; error: string };
} {
  const printed = { out: '', error: '' };
  const sink = (name: 'out' | 'error'): Sink => ({
    write: (text) => {
      printed[name] += text;
      return true;
    },
    drained: async () => undefined,
    terminal: { isTerminal, colour: false, unicode: true, rows: 24, columns },
  });
  return { output: new Output(sink('out'), sink('error'), () => 0), printed };
}
