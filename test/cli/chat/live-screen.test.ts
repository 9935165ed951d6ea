import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEditor, type EditorState } from '../../../src/cli/chat/editor/editor-state.ts';
import { viewEditor } from '../../../src/cli/chat/editor/editor-view.ts';
import { LiveScreen } from '../../../src/cli/chat/editor/live-screen.ts';
import { createStyle, createSymbols } from '../../../src/cli/output/terminal.ts';
import { displayWidth } from '../../../src/cli/output/width.ts';
import { Screen } from './screen.ts';

const look = { style: createStyle(true), symbols: createSymbols(true) };

function view(state: EditorState, columns = 60, rows = 12): ReturnType<typeof viewEditor> {
  return viewEditor(state, { ...look, columns, rows });
}

async function drawn(screen: Screen, draw: (live: LiveScreen) => void): Promise<string> {
  let written = '';
  draw(
    new LiveScreen({
      write: (text) => (written += text),
      columns: () => screen.columns,
      rows: () => screen.rows,
    }),
  );
  await screen.write(written);
  return screen.text();
}

describe('the lower end of the terminal', () => {
  it('shows the text being written, with the cursor where it is', async () => {
    const screen = new Screen();
    expect(await drawn(screen, (live) => live.show(view(createEditor('hello'))))).toBe('› hello');
    expect(screen.cursor()).toEqual({ row: 0, column: 7 });
  });

  it('prints above and draws itself again below, as often as it is asked', async () => {
    const text = await drawn(new Screen(), (live) => {
      live.show(view(createEditor('draft')));
      live.print('one\ntwo');
      live.show(view(createEditor('draft\nof two lines')));
      live.print('three');
      live.show(view(createEditor('short')));
    });
    expect(text).toBe('one\ntwo\nthree\n› short');
  });

  it('scrolls what was printed away and keeps itself at the end', async () => {
    const screen = new Screen(40, 6);
    const text = await drawn(screen, (live) => {
      live.show(view(createEditor('x')));
      for (let line = 1; line <= 20; line += 1) live.print(`line ${line}`);
    });
    const expected = [...Array.from({ length: 20 }, (_, index) => `line ${index + 1}`), '› x'];
    expect(text).toBe(expected.join('\n'));
    expect(screen.cursor()).toEqual({ row: 5, column: 3 });
  });

  it('leaves nothing behind when the terminal becomes narrower', async () => {
    const screen = new Screen(60, 12);
    const state = createEditor('a text that is longer than the narrow terminal will be');
    let written = '';
    const live = new LiveScreen({
      write: (text) => (written += text),
      columns: () => screen.columns,
      rows: () => screen.rows,
    });
    live.print('above', view(state, 60));
    await screen.write(written);
    written = '';
    screen.resize(30, 12);
    live.redraw(view(state, 30));
    await screen.write(written);
    expect(screen.text()).toBe('above\n› a text that is longer than t\n  he narrow terminal will be');
  });

  it('takes itself away', async () => {
    expect(
      await drawn(new Screen(), (live) => {
        live.print('said', view(createEditor('gone\ngone')));
        live.clear();
      }),
    ).toBe('said');
  });

  it('keeps the cursor on the screen in a text of any length', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 400 }),
        fc.integer({ min: 20, max: 80 }),
        fc.integer({ min: 4, max: 30 }),
        (text, columns, rows) => {
          const { lines, cursor } = view(createEditor(text), columns, rows);
          expect(lines.length).toBeLessThanOrEqual(rows);
          expect(cursor.row).toBeLessThan(lines.length);
          expect(cursor.column).toBeLessThan(columns);
          for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
        },
      ),
    );
  });

  it('shows the rest of a suggestion that differs only in case and leading space', async () => {
    const state: EditorState = { ...createEditor(' FIX t'), suggestions: ['fix the login'] };
    expect(await drawn(new Screen(), (live) => live.show(view(state)))).toBe('›  FIX the login');
  });

  it('shows the rest of the likeliest suggestion after the cursor and the others below', async () => {
    const state: EditorState = { ...createEditor('fix'), suggestions: ['fix the login', 'fix the build'] };
    const screen = new Screen();
    expect(await drawn(screen, (live) => live.show(view(state)))).toBe(
      '› fix the login\n    fix the login\n    fix the build',
    );
    expect(screen.cursor()).toEqual({ row: 0, column: 5 });
  });

  it('lets no control sequence of a text through', async () => {
    const state: EditorState = {
      ...createEditor('a\x1b[31mb\x07'),
      suggestions: ['a\x1b[2Jx', 'y\x1b]0;t\x07'],
    };
    const written = view(state).lines.join('\n');
    expect(written).not.toContain('\x1b[31mb');
    expect(written).not.toContain('\x1b[2J');
    expect(written).not.toContain('\x1b]0');
  });
});
