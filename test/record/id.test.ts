import { describe, expect, it } from 'vitest';
import { newMessageId, newSessionId } from '../../src/record/index.ts';

describe('ids', () => {
  it('of messages consist of the time and eight hexadecimal characters', () => {
    expect(newMessageId(1_763_000_000_000)).toMatch(/^1763000000000-[0-9a-f]{8}$/);
  });

  it('of sessions consist of the time and six hexadecimal characters', () => {
    expect(newSessionId(1_763_000_000_000)).toMatch(/^sess_1763000000000_[0-9a-f]{6}$/);
  });

  it('are unique within a millisecond', () => {
    const now = Date.now();
    expect(new Set(Array.from({ length: 100 }, () => newMessageId(now))).size).toBe(100);
    expect(new Set(Array.from({ length: 100 }, () => newSessionId(now))).size).toBe(100);
  });
});
