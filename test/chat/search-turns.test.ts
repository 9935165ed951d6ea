import { describe, expect, it } from 'vitest';
import { findTurns } from '../../src/chat/chat-status.ts';

const TURNS = [
  { role: 'user', content: 'Where is the Cache?' },
  { role: 'assistant', content: 'The cache is in src/cache.ts' },
  { role: 'user', content: 'And the queue?' },
] as const;

describe('searching the turns that a model is sent', () => {
  it('finds a text in whatever case, the newest first', () => {
    expect(findTurns(TURNS, ' CACHE ', {})).toEqual([TURNS[1], TURNS[0]]);
  });

  it('can be limited to a role and a number', () => {
    expect(findTurns(TURNS, 'the', { role: 'user', limit: 1 })).toEqual([TURNS[2]]);
  });

  it('finds nothing for a blank text or one that is nowhere', () => {
    expect(findTurns(TURNS, '  ', {})).toEqual([]);
    expect(findTurns(TURNS, 'kafka', {})).toEqual([]);
  });
});
