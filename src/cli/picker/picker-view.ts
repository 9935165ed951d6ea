import { sanitise, sanitiseLine } from '../output/sanitise.ts';
import type { Style } from '../output/style.ts';
import type { Symbols } from '../output/symbols.ts';
import { displayWidth, graphemes, pad, truncate } from '../output/width.ts';
import type { PickerState } from './picker-state.ts';

/** Where the picker is drawn. */
export interface PickerScreen {
  readonly columns: number;
  readonly rows: number;
  readonly style: Style;
  readonly symbols: Symbols;
}

/** Rows taken by the query and the line of keys. */
const FRAME_ROWS = 2;
/** Narrower screens show no notes. */
const COLUMNS_FOR_NOTES = 60;

/** How many choices fit on a screen. */
export function visibleChoices(rows: number): number {
  return Math.max(1, rows - FRAME_ROWS);
}

/** The lines of the picker, none wider than the screen, and the column of the cursor on the first. */
export function viewPicker(
  state: PickerState,
  screen: PickerScreen,
): { readonly lines: readonly string[]; readonly cursor: number } {
  const { columns, rows, style, symbols } = screen;
  const prompt = `${symbols.pointer} `;
  const query = keepEnd(sanitiseLine(state.query) + trailingSpace(state.query), columns - 4);
  const page = visibleChoices(rows);
  const first = Math.max(0, Math.min(state.selected - Math.floor(page / 2), state.choices.length - page));
  const lines = state.choices.slice(first, first + page).map((choice, index) => {
    const isSelected = first + index === state.selected;
    const line = choiceLine(choice.text, choice.note, screen);
    return isSelected ? style.cyan(style.bold(`${symbols.pointer} ${line}`)) : `  ${line}`;
  });
  if (lines.length === 0)
    lines.push(style.dim(truncate('  No prompt contains this.', columns, symbols.ellipsis)));
  const keys = `${state.choices.length} ${symbols.separator} Enter picks ${symbols.separator} Esc leaves`;
  return {
    lines: [
      style.cyan(prompt) + query,
      style.dim(truncate(`  ${keys}`, columns, symbols.ellipsis)),
      ...lines,
    ],
    cursor: displayWidth(prompt) + displayWidth(query),
  };
}

function choiceLine(text: string, note: string, { columns, style, symbols }: PickerScreen): string {
  const line = sanitise(text)
    .trim()
    .replace(/\s*\n\s*/g, ` ${symbols.lineBreak} `);
  const room = columns - 3;
  if (columns < COLUMNS_FOR_NOTES) return truncate(line, room, symbols.ellipsis);
  const forText = room - displayWidth(note) - 2;
  return `${pad(truncate(line, forText, symbols.ellipsis), forText)}  ${style.dim(note)}`;
}

function trailingSpace(text: string): string {
  return /\s$/.test(text) ? ' ' : '';
}

/** The end of a text that is too long to be shown whole: that is where the user types. */
function keepEnd(text: string, columns: number): string {
  const kept = graphemes(text).slice(-columns);
  while (displayWidth(kept.join('')) > columns) kept.shift();
  return kept.join('');
}
