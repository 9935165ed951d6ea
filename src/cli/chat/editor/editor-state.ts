import type { Key } from '../../picker/picker-state.ts';
import {
  bufferOf,
  deleteTo,
  type EditBuffer,
  EMPTY_BUFFER,
  insert,
  moveLine,
  moveTo,
  type Place,
} from './edit-buffer.ts';
import { type HistoryWalk, walkBack, walkForward } from './history-walk.ts';

/** The input line between two keys. */
export interface EditorState {
  readonly buffer: EditBuffer;
  /** Whole texts that the one being written may become, the likeliest first. */
  readonly suggestions: readonly string[];
  /** The suggestion that Tab has taken, to take the next one with. */
  readonly taken?: number;
  readonly walk?: HistoryWalk;
  /** What has been pasted so far: it comes in pieces and goes in as a whole. */
  readonly pasted?: string;
}

/** Where the editor gets its texts from. */
export interface EditorSources {
  /** Earlier prompts, the newest first. */
  readonly prompts: () => readonly string[];
  /** Texts that begin with what is written. */
  readonly suggest: (text: string) => readonly string[];
}

/** What a key leads to. */
export type EditorStep =
  | { readonly kind: 'go on'; readonly state: EditorState }
  | { readonly kind: 'submit'; readonly text: string }
  /** Ctrl-C with nothing written. */
  | { readonly kind: 'interrupt' }
  /** Ctrl-D with nothing written. */
  | { readonly kind: 'leave' }
  | { readonly kind: 'clear screen' };

/** Nothing written. */
export const EMPTY_EDITOR: EditorState = { buffer: EMPTY_BUFFER, suggestions: [] };

/** The editor with a text to change. */
export function editorOf(text: string): EditorState {
  return { buffer: bufferOf(text), suggestions: [] };
}

const MOVES: Readonly<Record<string, Place>> = {
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

const DELETIONS: Readonly<Record<string, Place>> = {
  backspace: 'left',
  'ctrl-h': 'left',
  delete: 'right',
  'ctrl-w': 'wordLeft',
  'meta-backspace': 'wordLeft',
  'meta-d': 'wordRight',
  'ctrl-u': 'lineStart',
  'ctrl-k': 'lineEnd',
};

/** Applies a key. */
export function pressKey(state: EditorState, key: Key, sources: EditorSources): EditorStep {
  if (key.name === 'paste-start') return goOn({ ...state, pasted: '' });
  if (state.pasted !== undefined) return paste(state, state.pasted, key);
  const name = nameOf(key);
  const { buffer } = state;
  const isEmpty = buffer.text === '';
  switch (name) {
    case 'return':
      return enter(buffer);
    case 'enter':
    case 'meta-return':
    case 'meta-enter':
    case 'ctrl-j':
      return written(insert(buffer, '\n'), sources);
    case 'ctrl-c':
      return isEmpty ? { kind: 'interrupt' } : goOn(EMPTY_EDITOR);
    case 'ctrl-d':
      return isEmpty ? { kind: 'leave' } : written(deleteTo(buffer, 'right'), sources);
    case 'ctrl-l':
      return { kind: 'clear screen' };
    case 'escape':
      return goOn({ ...state, suggestions: [] });
    case 'up':
    case 'ctrl-p':
      return up(state, sources);
    case 'down':
    case 'ctrl-n':
      return down(state);
    case 'tab':
      return take(state, 1);
    case 'shift-tab':
      return take(state, -1);
    default:
      return edit(state, name, key, sources);
  }
}

function nameOf({ name = '', ctrl, meta, shift }: Key): string {
  if (ctrl) return `ctrl-${name}`;
  if (meta) return `meta-${name}`;
  return shift && name === 'tab' ? 'shift-tab' : name;
}

function edit(state: EditorState, name: string, key: Key, sources: EditorSources): EditorStep {
  const { buffer } = state;
  const atEnd = buffer.cursor === buffer.text.length;
  if (atEnd && (MOVES[name] === 'right' || MOVES[name] === 'lineEnd') && state.suggestions.length > 0) {
    return take(state, 1);
  }
  const move = MOVES[name];
  if (move !== undefined) return goOn({ ...state, buffer: moveTo(buffer, move), suggestions: [] });
  const deletion = DELETIONS[name];
  if (deletion !== undefined) return written(deleteTo(buffer, deletion), sources);
  const isText = key.text !== undefined && !key.ctrl && !key.meta && !/[\x00-\x1f\x7f-\x9f]/.test(key.text);
  return isText ? written(insert(buffer, key.text ?? ''), sources) : goOn(state);
}

/** A line that ends with a backslash goes on in the next one, as in a shell. */
function enter(buffer: EditBuffer): EditorStep {
  const { text, cursor } = buffer;
  if (cursor === text.length && text.endsWith('\\'))
    return goOn({ buffer: bufferOf(`${text.slice(0, -1)}\n`), suggestions: [] });
  return text.trim() === '' ? goOn(EMPTY_EDITOR) : { kind: 'submit', text };
}

function written(buffer: EditBuffer, sources: EditorSources): EditorStep {
  const atEnd = buffer.cursor === buffer.text.length;
  return goOn({ buffer, suggestions: atEnd && buffer.text !== '' ? sources.suggest(buffer.text) : [] });
}

function paste(state: EditorState, pasted: string, key: Key): EditorStep {
  if (key.name !== 'paste-end') {
    const isBreak = key.name === 'return' || key.name === 'enter';
    return goOn({ ...state, pasted: pasted + (isBreak ? '\n' : (key.text ?? key.sequence ?? '')) });
  }
  return goOn({ buffer: insert(state.buffer, pasted.replace(/\r\n?/g, '\n')), suggestions: [] });
}

function up(state: EditorState, sources: EditorSources): EditorStep {
  const above = state.walk === undefined ? moveLine(state.buffer, -1) : undefined;
  if (above !== undefined) return goOn({ ...state, buffer: above, suggestions: [] });
  const walk = walkBack(state.walk, state.buffer.text, sources.prompts);
  return goOn(walk === undefined ? state : { buffer: bufferOf(walk.text), suggestions: [], walk });
}

function down(state: EditorState): EditorStep {
  if (state.walk === undefined) {
    const below = moveLine(state.buffer, 1);
    return goOn(below === undefined ? state : { ...state, buffer: below, suggestions: [] });
  }
  const { text, walk } = walkForward(state.walk);
  return goOn({ buffer: bufferOf(text), suggestions: [], ...(walk === undefined ? {} : { walk }) });
}

/** Takes a suggestion; pressed again, the next one instead. */
function take(state: EditorState, by: 1 | -1): EditorStep {
  const count = state.suggestions.length;
  if (count === 0) return goOn(state);
  const next = state.taken === undefined ? (by === 1 ? 0 : count - 1) : (state.taken + by + count) % count;
  return goOn({ ...state, buffer: bufferOf(state.suggestions[next] ?? ''), taken: next });
}

function goOn(state: EditorState): EditorStep {
  return { kind: 'go on', state };
}
