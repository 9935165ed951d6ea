import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createBuffer,
  deleteMotion,
  type EditBuffer,
  insert,
  MOTIONS,
  type Motion,
  moveCursor,
  moveLine,
} from '../../../src/cli/chat/editor/editor-state.ts';

/** A text with `|` where the cursor is. */
function at(marked: string): EditBuffer {
  return { text: marked.replace('|', ''), cursor: marked.indexOf('|') };
}

function show({ text, cursor }: EditBuffer): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

describe('the text being written', () => {
  it.each<[string, Motion, string]>([
    ['ab|c', 'left', 'a|bc'],
    ['|abc', 'left', '|abc'],
    ['a|bc', 'right', 'ab|c'],
    ['abc|', 'right', 'abc|'],
    ['one two.three|', 'wordLeft', 'one two.|three'],
    ['one  |two', 'wordLeft', '|one  two'],
    ['|one two', 'wordRight', 'one| two'],
    ['first\nsec|ond', 'lineStart', 'first\n|second'],
    ['fi|rst\nsecond', 'lineEnd', 'first|\nsecond'],
    ['first\n|', 'left', 'first|\n'],
  ])('%j moved %s is %j', (before, place, after) => {
    expect(show(moveCursor(at(before), place))).toBe(after);
  });

  it.each<[string, Motion, string]>([
    ['ab|c', 'left', 'a|c'],
    ['a|bc', 'right', 'a|c'],
    ['git push |origin', 'wordLeft', 'git |origin'],
    ['keep\ndrop|keep', 'lineStart', 'keep\n|keep'],
    ['keep|drop\nkeep', 'lineEnd', 'keep|\nkeep'],
  ])('%j with %s deleted is %j', (before, place, after) => {
    expect(show(deleteMotion(at(before), place))).toBe(after);
  });

  it('moves over and deletes what a person sees as one character', () => {
    const family = '👨‍👩‍👧';
    expect(show(moveCursor(createBuffer(`a${family}`), 'left'))).toBe(`a|${family}`);
    expect(deleteMotion(createBuffer(`a${family}`), 'left').text).toBe('a');
    expect(deleteMotion(createBuffer('e\u0301'), 'left').text).toBe('');
  });

  it('moves between lines and keeps the column where the line is long enough', () => {
    expect(moveLine(at('long line\nab\nlong| line'), -1)).toEqual(at('long line\nab|\nlong line'));
    expect(moveLine(at('lo|ng\nline'), 1)).toEqual(at('long\nli|ne'));
    expect(moveLine(at('on|ly'), -1)).toBeUndefined();
    expect(moveLine(at('on|ly'), 1)).toBeUndefined();
    expect(moveLine(at('last\n|'), 1)).toBeUndefined();
    expect(moveLine(at('a|\n'), 1)).toEqual(at('a\n|'));
  });

  it('keeps its cursor inside the text and loses nothing it was not told to, whatever is done', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('insert' as const), text: fc.string({ unit: 'grapheme', maxLength: 5 }) }),
      fc.record({
        do: fc.constantFrom('move' as const, 'delete' as const),
        place: fc.constantFrom(...(Object.keys(MOTIONS) as Motion[])),
      }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let buffer = createBuffer('first line\nsecond');
        for (const next of steps) {
          const before = buffer;
          if (next.do === 'insert') buffer = insert(buffer, next.text);
          else if (next.do === 'move') buffer = moveCursor(buffer, next.place);
          else buffer = deleteMotion(buffer, next.place);
          expect(buffer.cursor).toBeGreaterThanOrEqual(0);
          expect(buffer.cursor).toBeLessThanOrEqual(buffer.text.length);
          if (next.do === 'move') expect(buffer.text).toBe(before.text);
          if (next.do === 'insert') expect(buffer.text.length).toBe(before.text.length + next.text.length);
        }
      }),
    );
  });
});
