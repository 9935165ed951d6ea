import { describe, expect, it } from 'vitest';
import { reasonOf } from '../../src/record/error.ts';

describe('the reason of an error', () => {
  it('has no full stop at its end, so that a sentence can go on', () => {
    expect(reasonOf(new Error('The file is damaged.'))).toBe('The file is damaged');
    expect(reasonOf(new Error('no such file'))).toBe('no such file');
    expect(reasonOf('Loading...')).toBe('Loading...');
  });
});
