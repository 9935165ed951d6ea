import { describe, expect, it } from 'vitest';
import { findTurns } from '../../src/chat/chat-status.ts';

const TURNS = [
  { role: 'user', content: 'Where is the Cache?' },
  { role: 'assistant', content: 'The cache is in src/cache.ts' },
  { role: 'user', content: 'And the queue?' },
] as const;

describe('findTurns', () => {
  it('ignores case and returns the newest first', () => {
    expect(findTurns(TURNS, ' CACHE ', {})).toEqual([TURNS[1], TURNS[0]]);
  });

  it('filters by role and limits the number', () => {
    expect(findTurns(TURNS, 'the', { role: 'user', limit: 1 })).toEqual([TURNS[2]]);
  });

  it('finds nothing for a blank or missing text', () => {
    expect(findTurns(TURNS, '  ', {})).toEqual([]);
    expect(findTurns(TURNS, 'kafka', {})).toEqual([]);
  });
});
