import { sanitise, sanitiseLine } from '../../output/sanitise.ts';
import type { Style } from '../../output/style.ts';
import type { Symbols } from '../../output/symbols.ts';
import { displayWidth, graphemes, truncate } from '../../output/width.ts';
import type { EditorState } from './editor-state.ts';

/** Where the editor is drawn. */
export interface EditorScreen {
  readonly columns: number;
  readonly rows: number;
  readonly style: Style;
  readonly symbols: Symbols;
}

/** Lines on the screen, none wider than it, and the cursor among them. */
export interface View {
  readonly lines: readonly string[];
  readonly cursor: { readonly row: number; readonly column: number };
}

/** Columns before each line: the prompt sign, or spaces. */
const INDENT = 2;
/** So much of a long text is looked at around the cursor: a screen shows less. */
const LOOKED_AT = 4000;
const MOST_SUGGESTIONS = 4;

/** The input as it looks: the text with the cursor kept visible, what it may become, and the other suggestions below. */
export function viewEditor(state: EditorState, screen: EditorScreen): View {
  const { style, symbols, columns } = screen;
  const { lines, cursor } = layOut(state, columns - INDENT);
  const room = Math.max(1, Math.floor(screen.rows / 2));
  const first = Math.max(0, Math.min(cursor.row - room + 1, lines.length - room));
  const shown = lines.slice(first, first + room).map((line, index) => {
    const sign = first + index === 0 ? style.cyan(`${symbols.pointer} `) : '  ';
    return sign + line;
  });
  const row = cursor.row - first;
  const ghost = ghostOf(state, columns - INDENT - cursor.column - 1, symbols);
  if (ghost !== '') shown[row] = `${shown[row]}${style.dim(ghost)}`;
  return {
    lines: [...shown, ...suggestionLines(state, screen)],
    cursor: { row, column: cursor.column + INDENT },
  };
}

/** Breaks the text into rows of the screen and finds the cursor in them. */
function layOut({ buffer }: EditorState, columns: number): { lines: string[]; cursor: View['cursor'] } {
  const from = Math.max(0, buffer.cursor - LOOKED_AT);
  const text = buffer.text.slice(from, buffer.cursor + LOOKED_AT);
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

/** The rest of the likeliest suggestion, shown after the cursor. */
function ghostOf({ buffer, suggestions, taken }: EditorState, room: number, symbols: Symbols): string {
  const [likeliest] = suggestions;
  if (likeliest === undefined || taken !== undefined || room < 2) return '';
  if (!likeliest.startsWith(buffer.text)) return '';
  const rest = likeliest.slice(buffer.text.length);
  const [line = ''] = rest.split('\n', 1);
  return truncate(sanitise(line), room, symbols.ellipsis);
}

function suggestionLines({ suggestions, taken }: EditorState, screen: EditorScreen): readonly string[] {
  const { style, symbols, columns, rows } = screen;
  // One suggestion is told by what stands after the cursor.
  if (suggestions.length < 2 || rows < 8) return [];
  return suggestions.slice(0, MOST_SUGGESTIONS).map((text, index) => {
    const line = truncate(sanitiseLine(text), columns - INDENT - 2, symbols.ellipsis);
    return index === taken ? style.cyan(`  ${symbols.pointer} ${line}`) : style.dim(`    ${line}`);
  });
}
