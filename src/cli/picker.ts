import { openSync } from 'node:fs';
import { emitKeypressEvents } from 'node:readline';
import { ReadStream, WriteStream } from 'node:tty';
import { YoreError } from '../record/index.ts';
import { sanitise, sanitiseLine } from './output/sanitise.ts';
import type { Style, Symbols } from './output/terminal.ts';
import { displayWidth, graphemes, pad, truncate } from './output/width.ts';

const OPEN_SCREEN = '\x1b[?1049h';
const CLOSE_SCREEN = '\x1b[?1049l';
const HOME_AND_CLEAR = '\x1b[H\x1b[2J';

/**
 * Lets the user pick a text on the terminal, wherever standard input and output are redirected to. Resolves to the text,
 * or to undefined if the user cancels. Restores the terminal.
 */
export async function pick(
  query: string,
  find: FindChoices,
  look: Pick<Screen, 'style' | 'symbols'>,
): Promise<string | undefined> {
  const { input, output, close } = openTerminal();
  let state = startPicker(query, find);
  const screen = (): Screen => ({ ...look, columns: output.columns ?? 80, rows: output.rows ?? 24 });
  const draw = (): void => {
    const { lines, cursor } = viewPicker(state, screen());
    output.write(`${HOME_AND_CLEAR}${lines.join('\r\n')}\x1b[1;${cursor + 1}H`);
  };
  const restore = (): void => {
    output.write(CLOSE_SCREEN);
    input.setRawMode(false);
  };
  const restoreAndDie = (signal: NodeJS.Signals): void => {
    restore();
    process.kill(process.pid, signal);
  };

  // A lone Esc is told from the start of an escape sequence by a timeout.
  emitKeypressEvents(input, { escapeCodeTimeout: 50 } as never);
  input.setRawMode(true);
  output.write(OPEN_SCREEN);
  process.once('SIGTERM', restoreAndDie).once('SIGHUP', restoreAndDie);
  output.on('resize', draw);
  try {
    draw();
    return await new Promise<string | undefined>((resolve) => {
      input.on('keypress', (text: string | undefined, key: { name?: string; ctrl?: boolean; meta?: boolean }) => {
        const step = pressPickerKey(state, { ...key, text }, find, visibleChoices(screen().rows));
        if (step.kind === 'picked') return resolve(step.text);
        if (step.kind === 'cancelled') return resolve(undefined);
        state = step.state;
        draw();
      });
      input.on('end', () => resolve(undefined));
    });
  } finally {
    process.off('SIGTERM', restoreAndDie).off('SIGHUP', restoreAndDie);
    output.off('resize', draw);
    restore();
    close();
  }
}

/** A shell's key binding captures standard output and perhaps input: then the terminal device is opened. */
function openTerminal() {
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
    const problem = 'There is no terminal to pick on. To list the prompts instead: yore prompts';
    throw new YoreError('USAGE', problem, { cause });
  }
}

/** A pressed key, as `node:readline` reports it. */
export interface Key {
  readonly name?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly meta?: boolean | undefined;
  readonly shift?: boolean | undefined;
  /** The characters that the terminal sent. */
  readonly sequence?: string | undefined;
  /** The text the key stands for, if it is text. */
  readonly text?: string | undefined;
}

/** A text that can be picked. */
interface Choice {
  readonly text: string;
  /** Shown at the end of its line. */
  readonly note: string;
}

/** The state of the picker. */
export interface PickerState {
  readonly query: string;
  readonly choices: readonly Choice[];
  readonly selected: number;
}

/** The effect of a key. */
export type PickerStep =
  | { readonly kind: 'continue'; readonly state: PickerState }
  | { readonly kind: 'picked'; readonly text: string }
  | { readonly kind: 'cancelled' };

/** Finds the choices for a query. */
export type FindChoices = (query: string) => readonly Choice[];

/** The first state of the picker. */
export function startPicker(query: string, find: FindChoices): PickerState {
  return { query, choices: find(query), selected: 0 };
}

/** Applies a key; `page` is the number of visible choices. */
export function pressPickerKey(state: PickerState, key: Key, find: FindChoices, page: number): PickerStep {
  const name = key.ctrl ? `ctrl-${key.name}` : key.name;
  switch (name) {
    case 'return':
    case 'enter':
      return pickSelected(state);
    case 'escape':
    case 'ctrl-c':
    case 'ctrl-d':
    case 'ctrl-g':
      return { kind: 'cancelled' };
    case 'up':
    case 'ctrl-p':
    case 'ctrl-k':
      return move(state, -1);
    case 'down':
    case 'ctrl-n':
    case 'ctrl-j':
      return move(state, 1);
    case 'pageup':
      return move(state, -page);
    case 'pagedown':
      return move(state, page);
    case 'backspace':
    case 'ctrl-h':
      return ask(graphemes(state.query).slice(0, -1).join(''), find);
    case 'ctrl-u':
      return ask('', find);
    case 'ctrl-w':
      return ask(state.query.replace(/\S+\s*$/, ''), find);
    default:
      return isText(key) ? ask(state.query + key.text, find) : { kind: 'continue', state };
  }
}

/** Whether a key stands for text rather than for a command. */
export function isText(key: Key): key is Key & { readonly text: string } {
  return key.text !== undefined && !key.ctrl && !key.meta && !/[\x00-\x1f\x7f-\x9f]/.test(key.text);
}

function ask(query: string, find: FindChoices): PickerStep {
  return { kind: 'continue', state: startPicker(query, find) };
}

function move(state: PickerState, by: number): PickerStep {
  const last = Math.max(0, state.choices.length - 1);
  const selected = Math.min(last, Math.max(0, state.selected + by));
  return { kind: 'continue', state: { ...state, selected } };
}

function pickSelected(state: PickerState): PickerStep {
  const choice = state.choices[state.selected];
  return choice ? { kind: 'picked', text: choice.text } : { kind: 'continue', state };
}

/** The terminal that something is drawn on. */
export interface Screen {
  readonly columns: number;
  readonly rows: number;
  readonly style: Style;
  readonly symbols: Symbols;
}

/** Rows of the query and the key hints. */
const FRAME_ROWS = 2;
/** A narrower terminal shows no notes. */
const MIN_NOTE_COLUMNS = 60;

/** The number of choices that fit on the terminal. */
function visibleChoices(rows: number): number {
  return Math.max(1, rows - FRAME_ROWS);
}

/** Draws the picker: lines, none wider than the terminal, and the cursor's column on the first. */
export function viewPicker(
  state: PickerState,
  screen: Screen,
): { readonly lines: readonly string[]; readonly cursor: number } {
  const { columns, rows, style, symbols } = screen;
  const prompt = `${symbols.pointer} `;
  const query = keepEnd(sanitiseLine(state.query) + (/\s$/.test(state.query) ? ' ' : ''), columns - 4);
  const page = visibleChoices(rows);
  const first = Math.max(0, Math.min(state.selected - Math.floor(page / 2), state.choices.length - page));
  const lines = state.choices.slice(first, first + page).map((choice, index) => {
    const isSelected = first + index === state.selected;
    const line = choiceLine(choice.text, choice.note, screen);
    return isSelected ? style.cyan(style.bold(`${symbols.pointer} ${line}`)) : `  ${line}`;
  });
  if (lines.length === 0) lines.push(style.dim(truncate('  No matching prompts.', columns, symbols.ellipsis)));
  const keys = `${state.choices.length} ${symbols.separator} Enter picks ${symbols.separator} Esc cancels`;
  const hint = style.dim(truncate(`  ${keys}`, columns, symbols.ellipsis));
  return {
    lines: [style.cyan(prompt) + query, hint, ...lines],
    cursor: displayWidth(prompt) + displayWidth(query),
  };
}

function choiceLine(text: string, note: string, { columns, style, symbols }: Screen): string {
  const line = joinLines(text, symbols);
  const room = columns - 3;
  if (columns < MIN_NOTE_COLUMNS) return truncate(line, room, symbols.ellipsis);
  const forText = room - displayWidth(note) - 2;
  return `${pad(truncate(line, forText, symbols.ellipsis), forText)}  ${style.dim(note)}`;
}

/** A text on one line, with a sign for each line break. */
export function joinLines(text: string, { lineBreak }: Symbols): string {
  const lines = sanitise(text).split('\n');
  return lines.flatMap((line) => line.trim() || []).join(` ${lineBreak} `);
}

/** The end of a text that is too wide, because that is where the user types. */
function keepEnd(text: string, columns: number): string {
  const kept = graphemes(text).slice(-columns);
  while (displayWidth(kept.join('')) > columns) kept.shift();
  return kept.join('');
}
