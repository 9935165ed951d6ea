import { describe, expect, it } from 'vitest';
import { createProgressBar, renderProgress } from '../../../src/cli/output/progress.ts';
import { countOf, formatBytes, formatCount } from '../../../src/cli/output/quantity.ts';
import { createSymbols } from '../../../src/cli/output/symbols.ts';
import { layoutTable } from '../../../src/cli/output/table.ts';

describe('layoutTable', () => {
  it('aligns columns, leaves empty ones out and cuts the last one', () => {
    const columns = [
      { cells: ['a', 'long'] },
      { cells: ['', ''] },
      { cells: ['5', '12'], align: 'right' as const },
      { cells: ['the quick brown fox', '添加缓存'] },
    ];
    expect(layoutTable(columns, 20, '…')).toEqual(['a      5  the quick…', 'long  12  添加缓存']);
  });

  it('cuts a column at its own width', () => {
    expect(layoutTable([{ cells: ['abcdef'], atMost: 4 }, { cells: ['x'] }], 80, '…')).toEqual(['abc…  x']);
  });

  it('is empty for nothing', () => {
    expect(layoutTable([], 80, '…')).toEqual([]);
  });
});

describe('quantities', () => {
  it('are counted in words', () => {
    expect(formatCount(1234567)).toBe('1,234,567');
    expect(countOf(1, 'session')).toBe('1 session');
    expect(countOf(2, 'match', 'matches')).toBe('2 matches');
  });

  it('have sizes', () => {
    expect([0, 512, 1500, 12_345, 99_999_999, 5e9, 7e12].map(formatBytes)).toEqual([
      '0 B',
      '512 B',
      '1.5 KB',
      '12 KB',
      '100 MB',
      '5.0 GB',
      '7.0 TB',
    ]);
  });
});

describe('the progress bar', () => {
  const look = { label: 'Indexing', symbols: createSymbols(false), columns: 60 };

  it('shows how far it is', () => {
    expect(renderProgress(look, 50, 100)).toBe(`Indexing ${'#'.repeat(15)}${'.'.repeat(15)} 50%`);
    expect(renderProgress({ ...look, columns: 20 }, 1, 0)).toBe('Indexing .....  0%');
  });

  it('never takes more than one line', () => {
    for (const columns of [20, 24, 40, 200])
      expect(renderProgress({ ...look, columns }, 3, 4).length).toBeLessThan(columns);
  });

  it('says nothing within the first second and wipes itself', () => {
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
