import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findTasks } from '../../../src/memory/digest/counts/task-counts.ts';

function names(request: string): readonly string[] {
  return findTasks(request).map(({ name }) => name);
}

describe('findTasks', () => {
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
  ])('finds none in %s', (request) => {
    expect(names(request)).toEqual([]);
  });

  it('has the same key for the same task in other words', () => {
    const keys = ['write the notes', 'Create release notes', 'can we make some notes'].map(
      (request) => findTasks(request)[0]?.key,
    );
    expect(new Set(keys).size).toBe(1);
  });

  it('finds a few tasks at most in any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        expect(findTasks(text).length).toBeLessThanOrEqual(3);
      }),
    );
  });
});
