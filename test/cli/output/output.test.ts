import { describe, expect, it } from 'vitest';
import { clip, layoutTable } from '../../../src/cli/output/layout.ts';
import { createProgressBar, Output, renderProgress } from '../../../src/cli/output/output.ts';
import { createSymbols } from '../../../src/cli/output/terminal.ts';

describe('layoutTable', () => {
  it('aligns columns, leaves out empty ones and cuts off the last one', () => {
    const columns = [
      { cells: ['a', 'long'] },
      { cells: ['', ''] },
      { cells: ['5', '12'], align: 'right' as const },
      { cells: ['the quick brown fox', '添加缓存'] },
    ];
    expect(layoutTable(columns, 20, '…')).toEqual(['a      5  the quick…', 'long  12  添加缓存']);
  });

  it('cuts off a column at its maximum width where not everything fits', () => {
    expect(layoutTable([{ cells: ['abcdef'], maxWidth: 4 }, { cells: ['x'] }], 8, '…')).toEqual(['abc…  x']);
  });

  it('gives a column more than its maximum where there is room', () => {
    expect(layoutTable([{ cells: ['abcdef'], maxWidth: 4 }, { cells: ['x'] }], 9, '…')).toEqual(['abcdef  x']);
  });

  it('keeps the end of paths', () => {
    const paths = { cells: ['/work/deep/shop', '\x1b[2m/work/deep/tools\x1b[22m'], keepsEnd: true };
    expect(layoutTable([{ cells: ['a', 'b'] }, paths], 12, '…')).toEqual([
      'a  …eep/shop',
      'b  \x1b[2m…ep/tools\x1b[22m',
    ]);
    expect(layoutTable([{ cells: ['a', 'b'] }, paths], 80, '…')[0]).toBe('a  /work/deep/shop');
  });

  it('returns no rows without columns', () => {
    expect(layoutTable([], 80, '…')).toEqual([]);
  });
});

describe('the progress bar', () => {
  const look = { label: 'Indexing', symbols: createSymbols(false), columns: 60 };

  it('shows the share that is done', () => {
    expect(renderProgress(look, 50, 100)).toBe(`Indexing ${'#'.repeat(15)}${'.'.repeat(15)} 50%`);
    expect(renderProgress({ ...look, columns: 20 }, 1, 0)).toBe('Indexing .....  0%');
  });

  it('never takes more than one line', () => {
    for (const columns of [20, 24, 40, 200])
      expect(renderProgress({ ...look, columns }, 3, 4).length).toBeLessThan(columns);
  });

  it('appears after a second and wipes itself', () => {
    let now = 0;
    const written: string[] = [];
    const bar = createProgressBar({ ...look, now: () => now, write: (text) => written.push(text) });
    bar.update(1, 10);
    expect(written).toEqual([]);
    now = 1500;
    bar.update(5, 10);
    bar.update(6, 10);
    expect(written).toHaveLength(1);
    bar.finish();
    expect(written.at(-1)).toBe('\r\x1b[2K');
  });
});

describe('wrapFacts', () => {
  const terminal = { isTerminal: true, colour: false, unicode: true, columns: 30, rows: 24 };
  const sink = { write: () => true, drained: async () => undefined, terminal };
  const output = new Output(sink, sink, Date.now);

  it('breaks lines between facts, so that commands stay whole', () => {
    const hints = ['all of them: yore knowledge', 'one: yore show ID', 'find: yore search'];
    expect(output.wrapFacts(hints)).toEqual(['all of them: yore knowledge', 'one: yore show ID', 'find: yore search']);
    expect(output.wrapFacts(['a', 'b', 'find: yore search'])).toEqual(['a · b · find: yore search']);
  });

  it('wraps a fact that is longer than a line', () => {
    expect(output.wrapFacts(['a', 'the quick brown fox jumps over it'], 2)).toEqual([
      '  a',
      '  the quick brown fox jumps',
      '  over it',
    ]);
  });
});

describe('clip', () => {
  it('hangs the text after its marker and marks the cut', () => {
    const options = { indent: 4, marker: '✗' };
    expect(clip('one two three four five six', 14, '…', options)).toEqual(['  ✗ one two', '    three fou…']);
    expect(clip('one two', 14, '…', options)).toEqual(['  ✗ one two']);
  });
});
