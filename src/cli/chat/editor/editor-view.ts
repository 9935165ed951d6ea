import { sanitise, sanitiseLine } from '../../output/sanitise.ts';
import type { Symbols } from '../../output/terminal.ts';
import { displayWidth, graphemes, truncate } from '../../output/width.ts';
import type { Screen } from '../../picker.ts';
import type { EditorState } from './editor-state.ts';

/** Lines, none wider than the terminal, and the cursor among them. */
export interface EditorView {
  readonly lines: readonly string[];
  readonly cursor: { readonly row: number; readonly column: number };
}

/** Columns before each line: the prompt, or spaces. */
const INDENT = 2;
/** Characters of a long text laid out before and after the cursor: more than a screen shows. */
const MAX_LAYOUT = 4000;
const MAX_SUGGESTIONS = 4;

/** Draws the input: the text around the cursor, the first suggestion after it, and the others below. */
export function viewEditor(state: EditorState, screen: Screen): EditorView {
  const { style, symbols, columns } = screen;
  const { lines, cursor } = layOut(state, columns - INDENT);
  const room = Math.max(1, Math.floor(screen.rows / 2));
  const first = Math.max(0, Math.min(cursor.row - room + 1, lines.length - room));
  const shown = lines.slice(first, first + room).map((line, index) => {
    const sign = first + index === 0 ? style.cyan(`${symbols.pointer} `) : '  ';
    return sign + line;
  });
  const row = cursor.row - first;
  const ghost = formatGhost(state, columns - INDENT - cursor.column - 1, symbols);
  if (ghost !== '') shown[row] = `${shown[row]}${style.dim(ghost)}`;
  return {
    lines: [...shown, ...suggestionLines(state, screen)],
    cursor: { row, column: cursor.column + INDENT },
  };
}

/** Wraps the text into rows and finds the cursor in them. */
function layOut({ buffer }: EditorState, columns: number): { lines: string[]; cursor: EditorView['cursor'] } {
  const from = Math.max(0, buffer.cursor - MAX_LAYOUT);
  const text = buffer.text.slice(from, buffer.cursor + MAX_LAYOUT);
  const lines = [''];
  let column = 0;
  let index = from;
  let cursor = { row: 0, column: 0 };
  const place = (): void => {
    if (index === buffer.cursor) cursor = { row: lines.length - 1, column };
  };
  for (const grapheme of graphemes(text)) {
    const shown = grapheme === '\n' ? '' : sanitise(grapheme);
    const width = displayWidth(shown);
    if (grapheme !== '\n' && column + width > columns) {
      lines.push('');
      column = 0;
    }
    place();
    index += grapheme.length;
    if (grapheme === '\n') {
      lines.push('');
      column = 0;
      continue;
    }
    lines[lines.length - 1] += shown;
    column += width;
  }
  if (column >= columns && index === buffer.cursor) {
    lines.push('');
    column = 0;
  }
  place();
  return { lines, cursor };
}

/** The rest of the first suggestion, shown after the cursor. */
function formatGhost({ buffer, suggestions, accepted }: EditorState, room: number, symbols: Symbols): string {
  const [first] = suggestions;
  if (first === undefined || accepted !== undefined || room < 2) return '';
  // Suggestions ignore case and leading space.
  const { length } = buffer.text.trimStart();
  if (first.slice(0, length).toLowerCase() !== buffer.text.trimStart().toLowerCase()) return '';
  const rest = first.slice(length);
  const [line = ''] = rest.split('\n', 1);
  return truncate(sanitise(line), room, symbols.ellipsis);
}

function suggestionLines({ suggestions, accepted }: EditorState, screen: Screen): readonly string[] {
  const { style, symbols, columns, rows } = screen;
  // A single suggestion is shown after the cursor only.
  if (suggestions.length < 2 || rows < 8) return [];
  return suggestions.slice(0, MAX_SUGGESTIONS).map((text, index) => {
    const line = truncate(sanitiseLine(text), columns - INDENT - 2, symbols.ellipsis);
    return index === accepted ? style.cyan(`  ${symbols.pointer} ${line}`) : style.dim(`    ${line}`);
  });
}
