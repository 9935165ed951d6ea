import { describe, expect, it } from 'vitest';
import {
  createEditor,
  type EditorSources,
  type EditorState,
  EMPTY_EDITOR,
  pressKey,
} from '../../../src/cli/chat/editor/editor-state.ts';

const PROMPTS = ['run the tests', 'fix the login', 'add a cache'];
const sources: EditorSources = {
  prompts: () => PROMPTS,
  suggest: (text) => PROMPTS.filter((prompt) => prompt.startsWith(text) && prompt !== text),
};

type Pressed = Parameters<typeof pressKey>[1];

function press(state: EditorState, ...keys: readonly (string | Pressed)[]): EditorState {
  let current = state;
  for (const key of keys) {
    for (const one of typeof key === 'string' ? [...key].map((text) => ({ text, name: text })) : [key]) {
      const step = pressKey(current, one, sources);
      if (step.kind !== 'continue') throw new Error(`ended with ${step.kind}`);
      current = step.state;
    }
  }
  return current;
}

const UP = { name: 'up' };
const DOWN = { name: 'down' };
const TAB = { name: 'tab' };

describe('the input line', () => {
  it('submits what is written with Enter, and nothing but spaces never', () => {
    expect(pressKey(press(EMPTY_EDITOR, 'hello'), { name: 'return' }, sources)).toEqual({
      kind: 'submit',
      text: 'hello',
    });
    expect(press(EMPTY_EDITOR, '   ', { name: 'return' }).buffer.text).toBe('');
  });

  it('goes on in another line after Alt-Enter, Ctrl-J and a backslash', () => {
    const written = press(EMPTY_EDITOR, 'a', { name: 'return', meta: true }, 'b', { name: 'enter' }, 'c\\');
    expect(press(written, { name: 'return' }, 'd').buffer.text).toBe('a\nb\nc\nd');
  });

  it('walks back to earlier prompts and forward again to the draft', () => {
    let state = press(EMPTY_EDITOR, 'draft', UP);
    expect(state.buffer.text).toBe('run the tests');
    state = press(state, UP, UP, UP, UP);
    expect(state.buffer.text).toBe('add a cache');
    state = press(state, DOWN, DOWN);
    expect(state.buffer.text).toBe('run the tests');
    expect(press(state, DOWN).buffer).toEqual({ text: 'draft', cursor: 5 });
  });

  it('walks no further back than twenty prompts', () => {
    const many = { ...sources, prompts: () => Array.from({ length: 30 }, (_, index) => `prompt ${index}`) };
    let state = EMPTY_EDITOR;
    for (let times = 0; times < 40; times += 1) {
      const step = pressKey(state, UP, many);
      if (step.kind === 'continue') state = step.state;
    }
    expect(state.buffer.text).toBe('prompt 19');
  });

  it('begins a new walk after an earlier prompt was changed', () => {
    const changed = press(EMPTY_EDITOR, UP, '!');
    expect(changed.buffer.text).toBe('run the tests!');
    expect(press(changed, UP, DOWN).buffer.text).toBe('run the tests!');
  });

  it('moves between the lines of a text before it walks', () => {
    const state = press(createEditor('one\ntwo'), UP);
    expect(state.buffer).toEqual({ text: 'one\ntwo', cursor: 3 });
    expect(press(state, UP).buffer.text).toBe('run the tests');
  });

  it('suggests earlier prompts while writing, and takes one after the other with Tab', () => {
    const several: EditorSources = { ...sources, suggest: () => ['first', 'second'] };
    let step = pressKey(EMPTY_EDITOR, { text: 'x', name: 'x' }, several);
    const taken: string[] = [];
    for (let times = 0; times < 3 && step.kind === 'continue'; times += 1) {
      step = pressKey(step.state, TAB, several);
      if (step.kind === 'continue') taken.push(step.state.buffer.text);
    }
    expect(taken).toEqual(['first', 'second', 'first']);
  });

  it('takes the suggestion with Right at the end of the line, and suggests nothing in the middle', () => {
    const state = press(EMPTY_EDITOR, 'fix');
    expect(state.suggestions).toEqual(['fix the login']);
    expect(press(state, { name: 'right' }).buffer.text).toBe('fix the login');
    expect(press(state, { name: 'left' }).suggestions).toEqual([]);
    expect(press(state, { name: 'escape' }, TAB).buffer.text).toBe('fix');
  });

  it('takes what is pasted as it is, line breaks and all, without submitting it', () => {
    const pasted = press(
      EMPTY_EDITOR,
      'a',
      { name: 'paste-start' },
      'x',
      { name: 'return', text: '\r' },
      { name: 'tab', text: '\t' },
      'y',
      { name: 'paste-end' },
      'b',
    );
    expect(pasted.buffer.text).toBe('ax\n\tyb');
  });

  it('Ctrl-C empties the line, and interrupts when it is empty; Ctrl-D leaves then', () => {
    const ctrlC = { name: 'c', ctrl: true };
    expect(press(EMPTY_EDITOR, 'abc', ctrlC).buffer.text).toBe('');
    expect(pressKey(EMPTY_EDITOR, ctrlC, sources)).toEqual({ kind: 'interrupt' });
    expect(pressKey(EMPTY_EDITOR, { name: 'd', ctrl: true }, sources)).toEqual({ kind: 'leave' });
  });

  it('ignores keys it does not know and control characters', () => {
    const state = press(
      EMPTY_EDITOR,
      'ab',
      { name: 'f5' },
      { text: '\x07', name: undefined },
      { name: 'x', meta: true, text: 'x' },
    );
    expect(state.buffer.text).toBe('ab');
  });
});
