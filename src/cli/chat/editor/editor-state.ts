import { omitUndefined } from '../../../record/object.ts';
import { LETTERS } from '../../../text/letters.ts';
import { graphemes } from '../../output/width.ts';
import { isText, type Key } from '../../picker.ts';

/** The state of the input line. */
export interface EditorState {
  readonly buffer: EditBuffer;
  /** Complete texts that begin with the one being typed, the likeliest first. */
  readonly suggestions: readonly string[];
  /** Index of the suggestion that Tab accepted last. */
  readonly accepted?: number;
  readonly walk?: PromptWalk;
  /** The text of a paste so far; it is inserted as a whole at the end. */
  readonly pasted?: string;
}

/** Where the editor gets earlier prompts and suggestions. */
export interface EditorSources {
  /** Earlier prompts, the newest first. */
  readonly prompts: () => readonly string[];
  /** Texts that begin with the one being typed. */
  readonly suggest: (text: string) => readonly string[];
}

/** The effect of a key. */
type EditorStep =
  | { readonly kind: 'continue'; readonly state: EditorState }
  | { readonly kind: 'submit'; readonly text: string }
  /** Ctrl-C on an empty line. */
  | { readonly kind: 'interrupt' }
  /** Ctrl-D on an empty line. */
  | { readonly kind: 'leave' }
  | { readonly kind: 'clear screen' };

/** A buffer without text. */
const EMPTY_BUFFER: EditBuffer = { text: '', cursor: 0 };

/** An empty input line. */
export const EMPTY_EDITOR: EditorState = { buffer: EMPTY_BUFFER, suggestions: [] };

/** An input line with a text. */
export function createEditor(text: string): EditorState {
  return { buffer: createBuffer(text), suggestions: [] };
}

const MOVES: Readonly<Record<string, Motion>> = {
  left: 'left',
  'ctrl-b': 'left',
  right: 'right',
  'ctrl-f': 'right',
  home: 'lineStart',
  'ctrl-a': 'lineStart',
  end: 'lineEnd',
  'ctrl-e': 'lineEnd',
  'meta-b': 'wordLeft',
  'ctrl-left': 'wordLeft',
  'meta-left': 'wordLeft',
  'meta-f': 'wordRight',
  'ctrl-right': 'wordRight',
  'meta-right': 'wordRight',
};

const DELETIONS: Readonly<Record<string, Motion>> = {
  backspace: 'left',
  'ctrl-h': 'left',
  delete: 'right',
  'ctrl-w': 'wordLeft',
  'meta-backspace': 'wordLeft',
  'meta-d': 'wordRight',
  'ctrl-u': 'lineStart',
  'ctrl-k': 'lineEnd',
};

/** Applies a key to the input line. */
export function pressKey(state: EditorState, key: Key, sources: EditorSources): EditorStep {
  if (key.name === 'paste-start') return continueWith({ ...state, pasted: '' });
  if (state.pasted !== undefined) return paste(state, state.pasted, key);
  const name = formatKeyName(key);
  const { buffer } = state;
  const isEmpty = buffer.text === '';
  switch (name) {
    case 'return':
      return submit(buffer);
    case 'enter':
    case 'meta-return':
    case 'meta-enter':
    case 'ctrl-j':
      return change(insert(buffer, '\n'), sources);
    case 'ctrl-c':
      return isEmpty ? { kind: 'interrupt' } : continueWith(EMPTY_EDITOR);
    case 'ctrl-d':
      return isEmpty ? { kind: 'leave' } : change(deleteMotion(buffer, 'right'), sources);
    case 'ctrl-l':
      return { kind: 'clear screen' };
    case 'escape':
      return continueWith({ ...state, suggestions: [] });
    case 'up':
    case 'ctrl-p':
      return up(state, sources);
    case 'down':
    case 'ctrl-n':
      return down(state);
    case 'tab':
      return accept(state, 1);
    case 'shift-tab':
      return accept(state, -1);
    default:
      return edit(state, name, key, sources);
  }
}

function formatKeyName({ name = '', ctrl, meta, shift }: Key): string {
  if (ctrl) return `ctrl-${name}`;
  if (meta) return `meta-${name}`;
  return shift && name === 'tab' ? 'shift-tab' : name;
}

function edit(state: EditorState, name: string, key: Key, sources: EditorSources): EditorStep {
  const { buffer } = state;
  const atEnd = buffer.cursor === buffer.text.length;
  if (atEnd && (MOVES[name] === 'right' || MOVES[name] === 'lineEnd') && state.suggestions.length > 0) {
    return accept(state, 1);
  }
  const motion = MOVES[name];
  if (motion !== undefined) return continueWith({ ...state, buffer: moveCursor(buffer, motion), suggestions: [] });
  const deletion = DELETIONS[name];
  if (deletion !== undefined) return change(deleteMotion(buffer, deletion), sources);
  return isText(key) ? change(insert(buffer, key.text), sources) : continueWith(state);
}

/** A backslash at the end of a line continues it on the next, as in a shell. */
function submit(buffer: EditBuffer): EditorStep {
  const { text, cursor } = buffer;
  if (cursor === text.length && text.endsWith('\\'))
    return continueWith({ buffer: createBuffer(`${text.slice(0, -1)}\n`), suggestions: [] });
  return text.trim() === '' ? continueWith(EMPTY_EDITOR) : { kind: 'submit', text };
}

function change(buffer: EditBuffer, sources: EditorSources): EditorStep {
  const atEnd = buffer.cursor === buffer.text.length;
  return continueWith({
    buffer,
    suggestions: atEnd && buffer.text !== '' ? sources.suggest(buffer.text) : [],
  });
}

function paste(state: EditorState, pasted: string, key: Key): EditorStep {
  if (key.name !== 'paste-end') {
    const isBreak = key.name === 'return' || key.name === 'enter';
    return continueWith({ ...state, pasted: pasted + (isBreak ? '\n' : (key.text ?? key.sequence ?? '')) });
  }
  return continueWith({ buffer: insert(state.buffer, pasted.replace(/\r\n?/g, '\n')), suggestions: [] });
}

function up(state: EditorState, sources: EditorSources): EditorStep {
  const above = state.walk === undefined ? moveLine(state.buffer, -1) : undefined;
  if (above !== undefined) return continueWith({ ...state, buffer: above, suggestions: [] });
  const walk = walkBack(state.walk, state.buffer.text, sources.prompts);
  return continueWith(walk === undefined ? state : { buffer: createBuffer(walk.text), suggestions: [], walk });
}

function down(state: EditorState): EditorStep {
  if (state.walk === undefined) {
    const below = moveLine(state.buffer, 1);
    return continueWith(below === undefined ? state : { ...state, buffer: below, suggestions: [] });
  }
  const { text, walk } = walkForward(state.walk);
  return continueWith({ buffer: createBuffer(text), suggestions: [], ...omitUndefined({ walk }) });
}

/** Accepts the next or previous suggestion. */
function accept(state: EditorState, by: 1 | -1): EditorStep {
  const count = state.suggestions.length;
  if (count === 0) return continueWith(state);
  const next = state.accepted === undefined ? (by === 1 ? 0 : count - 1) : (state.accepted + by + count) % count;
  return continueWith({ ...state, buffer: createBuffer(state.suggestions[next] ?? ''), accepted: next });
}

function continueWith(state: EditorState): EditorStep {
  return { kind: 'continue', state };
}

/** A walk through earlier prompts, the newest first. */
interface PromptWalk {
  /** The prompt that is shown. */
  readonly text: string;
  readonly prompts: readonly string[];
  /** Index into `prompts`. */
  readonly at: number;
  /** The text that was being typed when the walk began. */
  readonly draft: string;
}

const MAX_WALKED_PROMPTS = 20;

/** One step back; undefined if there is nothing earlier. A walk keeps the prompts that it began with. */
function walkBack(
  walk: PromptWalk | undefined,
  draft: string,
  prompts: () => readonly string[],
): PromptWalk | undefined {
  const from = walk ?? { prompts: prompts().slice(0, MAX_WALKED_PROMPTS), at: -1, draft };
  const text = from.prompts[from.at + 1];
  return text === undefined ? undefined : { text, prompts: from.prompts, at: from.at + 1, draft: from.draft };
}

/** One step forward: a later prompt, or the draft, which ends the walk. */
function walkForward(walk: PromptWalk): { readonly text: string; readonly walk?: PromptWalk } {
  const text = walk.prompts[walk.at - 1];
  if (text === undefined) return { text: walk.draft };
  return { text, walk: { ...walk, text, at: walk.at - 1 } };
}

/** A text being edited, and the cursor in it. */
export interface EditBuffer {
  readonly text: string;
  /** Index into `text`, never inside a grapheme. */
  readonly cursor: number;
}

/** A buffer with its cursor at the end. */
export function createBuffer(text: string): EditBuffer {
  return { text, cursor: text.length };
}

/** Inserts text at the cursor. */
export function insert({ text, cursor }: EditBuffer, added: string): EditBuffer {
  return { text: text.slice(0, cursor) + added + text.slice(cursor), cursor: cursor + added.length };
}

/** Deletes the text between the cursor and `target`. */
function removeTo({ text, cursor }: EditBuffer, target: number): EditBuffer {
  const [from, to] = target < cursor ? [target, cursor] : [cursor, target];
  return { text: text.slice(0, from) + text.slice(to), cursor: from };
}

const WORD_BEFORE = new RegExp(`(?:[${LETTERS}_]+|[^${LETTERS}_\\s]+)?\\s*$`, 'u');
const WORD_AFTER = new RegExp(`^\\s*(?:[${LETTERS}_]+|[^${LETTERS}_\\s]+)?`, 'u');

/** Where each motion takes the cursor. */
export const MOTIONS = {
  left: ({ text, cursor }: EditBuffer): number => {
    // Graphemes do not cross line breaks, so the line is enough to find the previous one.
    const before = text.slice(findLineStart(text, cursor), cursor);
    return before === '' ? Math.max(0, cursor - 1) : cursor - (graphemes(before.slice(-64)).at(-1)?.length ?? 1);
  },
  right: ({ text, cursor }: EditBuffer): number =>
    Math.min(text.length, cursor + (graphemes(text.slice(cursor, cursor + 64))[0]?.length ?? 0)),
  wordLeft: ({ text, cursor }: EditBuffer): number =>
    cursor - (WORD_BEFORE.exec(text.slice(Math.max(0, cursor - 256), cursor))?.[0].length ?? 0),
  wordRight: ({ text, cursor }: EditBuffer): number =>
    cursor + (WORD_AFTER.exec(text.slice(cursor, cursor + 256))?.[0].length ?? 0),
  lineStart: ({ text, cursor }: EditBuffer): number => findLineStart(text, cursor),
  lineEnd: ({ text, cursor }: EditBuffer): number => findLineEnd(text, cursor),
} as const;

/** A motion of the cursor. */
export type Motion = keyof typeof MOTIONS;

/** Moves the cursor. */
export function moveCursor(buffer: EditBuffer, motion: Motion): EditBuffer {
  return { text: buffer.text, cursor: MOTIONS[motion](buffer) };
}

/** Deletes what a motion passes over. */
export function deleteMotion(buffer: EditBuffer, motion: Motion): EditBuffer {
  return removeTo(buffer, MOTIONS[motion](buffer));
}

/** Moves the cursor to the line above or below, keeping its column if possible; undefined if there is none. */
export function moveLine({ text, cursor }: EditBuffer, by: -1 | 1): EditBuffer | undefined {
  const start = findLineStart(text, cursor);
  const edge = by === -1 ? start - 1 : findLineEnd(text, cursor);
  if (edge < 0 || edge >= text.length) return undefined;
  const column = graphemes(text.slice(start, cursor)).length;
  const target = by === -1 ? findLineStart(text, edge) : edge + 1;
  const line = graphemes(text.slice(target, findLineEnd(text, target)));
  return { text, cursor: target + line.slice(0, column).join('').length };
}

function findLineStart(text: string, index: number): number {
  return index === 0 ? 0 : text.lastIndexOf('\n', index - 1) + 1;
}

function findLineEnd(text: string, index: number): number {
  const end = text.indexOf('\n', index);
  return end === -1 ? text.length : end;
}
