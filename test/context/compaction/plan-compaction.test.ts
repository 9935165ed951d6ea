import { describe, expect, it } from 'vitest';
import { COMPACTION_DEFAULTS } from '../../../src/context/compaction/compaction-settings.ts';
import { findExchangeStart, findVerbatimStart } from '../../../src/context/compaction/compactor.ts';
import type { Turn } from '../../../src/context/message.ts';

function counted(roles: string, each: number | readonly number[], firstRemovable = 0) {
  const turns: Turn[] = [...roles].map((role) => ({
    role: role === 'u' ? 'user' : 'assistant',
    content: role,
  }));
  return {
    turns,
    tokens: turns.map((_, index) => (typeof each === 'number' ? each : (each[index] ?? 0))),
    firstRemovable,
  };
}

function start(history: ReturnType<typeof counted>, verbatimWindowTokens: number, minVerbatimExchanges: number) {
  return findVerbatimStart(history, { ...COMPACTION_DEFAULTS, verbatimWindowTokens, minVerbatimExchanges });
}

describe('the verbatim window', () => {
  it('starts where enough tokens are collected when the newest exchanges have fewer', () => {
    expect(start(counted('uauauauaua', 10), 60, 2)).toBe(4);
  });

  it('starts at the oldest of the newest exchanges when these have more', () => {
    expect(start(counted('uauauauaua', 100), 60, 2)).toBe(6);
  });

  it('starts with a question, never with its reply', () => {
    expect(start(counted('uauauauaua', 10), 55, 1)).toBe(4);
    expect(start(counted('uauauauaua', 10), 45, 1)).toBe(4);
  });

  it('treats a question and all its replies as one exchange', () => {
    expect(start(counted('uauaaaaa', 10), 20, 1)).toBe(2);
  });

  it('holds everything if there are fewer exchanges than the minimum', () => {
    expect(start(counted('uaua', 10), 10, 3)).toBe(0);
  });

  it('does not extend into the summary of an earlier compaction', () => {
    expect(start(counted('uauaua', 10, 2), 1_000, 1)).toBe(2);
    expect(start(counted('uaua', 10, 2), 0, 2)).toBe(2);
  });

  it('holds the newest exchanges even with a size of 0', () => {
    expect(start(counted('uauaua', 10), 0, 1)).toBe(4);
  });

  it('holds replies without a question at the beginning', () => {
    expect(findExchangeStart(counted('aaua', 10), 1)).toBe(0);
  });
});
