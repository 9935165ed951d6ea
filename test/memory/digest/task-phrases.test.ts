import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { taskPhrases } from '../../../src/memory/digest/task-phrases.ts';

function names(request: string): readonly string[] {
  return taskPhrases(request).map(({ name }) => name);
}

describe('what a request orders', () => {
  it.each([
    ['Please write the release notes for 2.0', ['write release notes']],
    ['can you add more tests, and then open a draft PR?', ['add tests', 'open draft pr']],
    ["let's bump the linter", ['bump linter']],
    ['rotate our signing keys again', ['rotate signing keys']],
  ])('%s', (request, expected) => {
    expect(names(request)).toEqual(expected);
  });

  it.each([
    'why does the deploy fail?',
    'I started a new session yesterday',
    'fix this please',
    'update the code',
    'the build: push target refs, fix tests',
    'thanks',
    '',
  ])('nothing: %s', (request) => {
    expect(names(request)).toEqual([]);
  });

  it('is the same for the same order in other words', () => {
    const keys = ['write the notes', 'Create release notes', 'can we make some notes'].map(
      (request) => taskPhrases(request)[0]?.key,
    );
    expect(new Set(keys).size).toBe(1);
  });

  it('is a few phrases of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        expect(taskPhrases(text).length).toBeLessThanOrEqual(3);
      }),
    );
  });
});
