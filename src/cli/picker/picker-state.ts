import { graphemes } from '../output/width.ts';

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

/** What can be picked. */
interface Choice {
  readonly text: string;
  /** Shown at the end of its line. */
  readonly note: string;
}

/** The state of the picker between two keys. */
export interface PickerState {
  readonly query: string;
  readonly choices: readonly Choice[];
  readonly selected: number;
}

/** What a key leads to. */
export type PickerStep =
  | { readonly kind: 'go on'; readonly state: PickerState }
  | { readonly kind: 'picked'; readonly text: string }
  | { readonly kind: 'cancelled' };

/** Finds the choices for a query. */
export type FindChoices = (query: string) => readonly Choice[];

/** The picker as it opens. */
export function startPicker(query: string, find: FindChoices): PickerState {
  return { query, choices: find(query), selected: 0 };
}

/** Applies a key. `page` is how many choices are visible. */
export function pressKey(state: PickerState, key: Key, find: FindChoices, page: number): PickerStep {
  const name = key.ctrl ? `ctrl-${key.name}` : key.name;
  switch (name) {
    case 'return':
    case 'enter':
      return pick(state);
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
      return isText(key) ? ask(state.query + key.text, find) : { kind: 'go on', state };
  }
}

function isText(key: Key): boolean {
  return key.text !== undefined && !key.ctrl && !key.meta && !/[\x00-\x1f\x7f-\x9f]/.test(key.text);
}

function ask(query: string, find: FindChoices): PickerStep {
  return { kind: 'go on', state: startPicker(query, find) };
}

function move(state: PickerState, by: number): PickerStep {
  const last = Math.max(0, state.choices.length - 1);
  return {
    kind: 'go on',
    state: { ...state, selected: Math.min(last, Math.max(0, state.selected + by)) },
  };
}

function pick(state: PickerState): PickerStep {
  const choice = state.choices[state.selected];
  return choice ? { kind: 'picked', text: choice.text } : { kind: 'go on', state };
}
