import { openSync } from 'node:fs';
import { emitKeypressEvents } from 'node:readline';
import { ReadStream, WriteStream } from 'node:tty';
import { YoreError } from '../../record/index.ts';
import type { Style } from '../output/style.ts';
import type { Symbols } from '../output/symbols.ts';
import { type FindChoices, pressKey, startPicker } from './picker-state.ts';
import { type PickerScreen, viewPicker, visibleChoices } from './picker-view.ts';

/** How the picker looks. */
export interface PickerLook {
  readonly style: Style;
  readonly symbols: Symbols;
}

const OPEN_SCREEN = '\x1b[?1049h';
const CLOSE_SCREEN = '\x1b[?1049l';
const HOME_AND_CLEAR = '\x1b[H\x1b[2J';

/**
 * Lets the user choose on the terminal, wherever standard input and output go. Resolves to the chosen text, or
 * to undefined when the user leaves without one. The terminal is put back as it was.
 */
export async function pick(query: string, find: FindChoices, look: PickerLook): Promise<string | undefined> {
  const { input, output, close } = openTerminal();
  let state = startPicker(query, find);
  const screen = (): PickerScreen => ({ ...look, columns: output.columns ?? 80, rows: output.rows ?? 24 });
  const draw = (): void => {
    const { lines, cursor } = viewPicker(state, screen());
    output.write(`${HOME_AND_CLEAR}${lines.join('\r\n')}\x1b[1;${cursor + 1}H`);
  };
  const leave = (): void => {
    output.write(CLOSE_SCREEN);
    input.setRawMode(false);
  };
  const dieWith = (signal: NodeJS.Signals): void => {
    leave();
    process.kill(process.pid, signal);
  };

  // A lone Esc is told from the start of a sequence by the time that passes after it.
  emitKeypressEvents(input, { escapeCodeTimeout: 50 } as never);
  input.setRawMode(true);
  output.write(OPEN_SCREEN);
  process.once('SIGTERM', dieWith).once('SIGHUP', dieWith);
  output.on('resize', draw);
  try {
    draw();
    return await new Promise<string | undefined>((resolve) => {
      input.on(
        'keypress',
        (text: string | undefined, key: { name?: string; ctrl?: boolean; meta?: boolean }) => {
          const step = pressKey(state, { ...key, text }, find, visibleChoices(screen().rows));
          if (step.kind === 'picked') return resolve(step.text);
          if (step.kind === 'cancelled') return resolve(undefined);
          state = step.state;
          draw();
        },
      );
      input.on('end', () => resolve(undefined));
    });
  } finally {
    process.off('SIGTERM', dieWith).off('SIGHUP', dieWith);
    output.off('resize', draw);
    leave();
    close();
  }
}

interface OpenTerminal {
  readonly input: ReadStream;
  readonly output: WriteStream;
  readonly close: () => void;
}

/** In a key binding standard output is caught, and standard input may be: the terminal itself is asked then. */
function openTerminal(): OpenTerminal {
  try {
    const input = process.stdin.isTTY ? process.stdin : new ReadStream(openSync('/dev/tty', 'r'));
    const output = process.stderr.isTTY ? process.stderr : new WriteStream(openSync('/dev/tty', 'w'));
    return {
      input,
      output,
      close: () => {
        input.removeAllListeners('keypress');
        input.pause();
        if (input !== process.stdin) input.destroy();
        if (output !== process.stderr) output.end();
      },
    };
  } catch (cause) {
    throw new YoreError(
      'USAGE',
      'There is no terminal to pick on. `yore prompts` without --pick lists the prompts.',
      { cause },
    );
  }
}
