import { describe, expect, it } from 'vitest';
import { createStyle, createSymbols } from '../../src/cli/output/terminal.ts';
import { displayWidth } from '../../src/cli/output/width.ts';
import { type Key, type PickerStep, pressPickerKey, startPicker, viewPicker } from '../../src/cli/picker.ts';

const PROMPTS = ['Add Redis caching', 'Fix the login test', 'Füge 缓存 hinzu', 'first line\nsecond line'];
const find = (query: string) =>
  PROMPTS.filter((text) => text.toLowerCase().includes(query.toLowerCase())).map((text) => ({
    text,
    note: '2 h ago',
  }));

function press(...keys: Key[]): PickerStep {
  let step: PickerStep = { kind: 'continue', state: startPicker('', find) };
  for (const key of keys) {
    if (step.kind !== 'continue') throw new Error('the picker has ended');
    step = pressPickerKey(step.state, key, find, 2);
  }
  return step;
}

const type = (text: string): Key[] => Array.from(text, (character) => ({ name: character, text: character }));
const enter: Key = { name: 'return', text: '\r' };
const down: Key = { name: 'down', text: undefined };
const up: Key = { name: 'up' };

describe('the picker', () => {
  it('picks the first prompt, or the one moved to', () => {
    expect(press(enter)).toEqual({ kind: 'picked', text: 'Add Redis caching' });
    expect(press(down, down, up, enter)).toEqual({ kind: 'picked', text: 'Fix the login test' });
    expect(press({ name: 'n', ctrl: true }, enter)).toEqual({ kind: 'picked', text: 'Fix the login test' });
  });

  it('stays inside the list', () => {
    expect(press(up, enter)).toEqual({ kind: 'picked', text: 'Add Redis caching' });
    expect(press({ name: 'pagedown' }, { name: 'pagedown' }, { name: 'pagedown' }, enter)).toEqual({
      kind: 'picked',
      text: 'first line\nsecond line',
    });
  });

  it('narrows the list as the user types and starts again at the top', () => {
    expect(press(down, ...type('login'), enter)).toEqual({ kind: 'picked', text: 'Fix the login test' });
  });

  it('deletes a character, a word or everything', () => {
    const query = (...keys: Key[]) => {
      const step = press(...keys);
      return step.kind === 'continue' ? step.state.query : step.kind;
    };
    expect(query(...type('a缓'), { name: 'backspace', text: '\x7f' })).toBe('a');
    expect(query(...type('add redis'), { name: 'w', ctrl: true, text: '\x17' })).toBe('add ');
    expect(query(...type('add redis'), { name: 'u', ctrl: true, text: '\x15' })).toBe('');
  });

  it('is cancelled with Esc, Ctrl-C or Ctrl-D, and ignores Enter without a match', () => {
    for (const key of [{ name: 'escape' }, { name: 'c', ctrl: true }, { name: 'd', ctrl: true }])
      expect(press(key).kind).toBe('cancelled');
    expect(press(...type('zzz'), enter).kind).toBe('continue');
  });

  it('ignores keys that are not text', () => {
    const step = press({ name: 'f1', text: undefined }, { name: 'x', meta: true, text: 'x' }, { text: '\x1b[200~' });
    expect(step).toMatchObject({ kind: 'continue', state: { query: '' } });
  });
});

describe('the view of the picker', () => {
  const style = createStyle(true);
  const symbols = createSymbols(true);

  it.each([20, 40, 80, 200])('fits into %i columns', (columns) => {
    const { lines } = viewPicker(startPicker('', find), { columns, rows: 10, style, symbols });
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
  });

  it('fits into the rows and keeps the selection visible', () => {
    const step = press(down, down, down);
    if (step.kind !== 'continue') throw new Error('the picker has ended');
    const { lines } = viewPicker(step.state, { columns: 80, rows: 4, style: createStyle(false), symbols });
    expect(lines).toHaveLength(4);
    expect(lines.join('\n')).toContain('› first line ↵ second line');
  });

  it('sanitises a hostile prompt', () => {
    const hostile = () => [{ text: 'a\x1b[2Jb\u202e', note: '' }];
    const { lines } = viewPicker(startPicker('', hostile), {
      columns: 80,
      rows: 9,
      style: createStyle(false),
      symbols,
    });
    expect(lines.join('\n')).toContain('ab<U+202E>');
    expect(lines.join('\n')).not.toContain('\x1b');
  });

  it('keeps the end of a long query visible', () => {
    const query = `${'x'.repeat(100)}end`;
    const view = viewPicker(startPicker(query, find), {
      columns: 30,
      rows: 9,
      style: createStyle(false),
      symbols,
    });
    expect(view.lines[0]).toMatch(/xend$/);
    expect(view.cursor).toBeLessThan(30);
    expect(view.lines.join('\n')).toContain('No matching prompts.');
  });
});
