import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Turn } from '../../../src/context/message.ts';
import { TokenCounter } from '../../../src/context/tokens/token-counter.ts';
import { TurnList } from '../../../src/context/turns/turn-list.ts';
import { YoreError } from '../../../src/record/index.ts';
import { anyTurns } from './any-turns.ts';
import { CountingCounter } from './counting-counter.ts';

function list(turns: readonly Turn[] = []): TurnList {
  const created = new TurnList(new TokenCounter('gpt-4o'));
  for (const turn of turns) created.add(turn);
  return created;
}

const QUESTION: Turn = { role: 'user', content: 'Why does the build fail?' };
const ANSWER: Turn = { role: 'assistant', content: 'A type is missing.' };

test('turns stay in the order in which they were added', () => {
  const turns = list([QUESTION, ANSWER]);
  turns.addExchange('And now?', 'It builds.');
  expect(turns.all()).toEqual([
    QUESTION,
    ANSWER,
    { role: 'user', content: 'And now?' },
    { role: 'assistant', content: 'It builds.' },
  ]);
  expect(turns.length).toBe(4);
});

test('only role and content of a turn are kept', () => {
  const withMore = { ...QUESTION, timestamp: 'now', images: ['a.png'] };
  expect(list([withMore]).all()).toEqual([QUESTION]);
});

test('changing what was handed out changes nothing', () => {
  const turns = list([QUESTION]);
  const copy = turns.all();
  copy.push(ANSWER);
  Object.assign(copy[0] ?? {}, { content: 'changed' });
  expect(turns.all()).toEqual([QUESTION]);
});

test('changing what was handed in changes nothing', () => {
  const given = { role: 'user' as const, content: 'before' };
  const turns = list([given]);
  given.content = 'after';
  expect(turns.all()).toEqual([{ role: 'user', content: 'before' }]);
});

test.each([
  [{ role: 'system', content: 'x' }, /role "system"/],
  [{ content: 'x' }, /role undefined/],
  [{ role: 'user' }, /content of a turn of role "user" is of type undefined/],
  [{ role: 'user', content: null }, /is null/],
  [{ role: 'user', content: [{ type: 'text' }] }, /is of type object/],
  [undefined, /role undefined/],
])('a turn that is none is refused: %j', (turn, message) => {
  const turns = list([QUESTION]);
  expect(() => turns.add(turn as unknown as Turn)).toThrow(YoreError);
  expect(() => turns.add(turn as unknown as Turn)).toThrow(message);
  expect(() => turns.replace([ANSWER, turn as unknown as Turn])).toThrow(message);
  expect(turns.all()).toEqual([QUESTION]);
});

test('of an exchange with a bad half nothing is added', () => {
  const turns = list();
  expect(() => turns.addExchange('Why?', undefined as unknown as string)).toThrow(YoreError);
  expect(turns.length).toBe(0);
});

test('the tokens are those of all turns as messages, after any changes', () => {
  const counter = new TokenCounter('gpt-4o');
  fc.assert(
    fc.property(fc.array(anyTurns({ maxLength: 6 })), (batches) => {
      const turns = new TurnList(counter);
      for (const [index, batch] of batches.entries()) {
        if (index % 3 === 2) turns.replace([...turns.all().slice(1), ...batch]);
        else for (const turn of batch) turns.add(turn);
        expect(turns.tokens()).toBe(counter.countMessages(turns.all()));
      }
      const sum = turns.all().reduce((total, _, index) => total + turns.tokensOf(index), 0);
      expect(sum).toBe(turns.tokens());
    }),
  );
});

test('an added turn costs counting that turn, and asking again costs nothing', () => {
  const counter = new CountingCounter();
  const turns = new TurnList(counter);
  turns.addExchange('one', 'two');
  turns.tokens();
  expect(counter.counted).toEqual(['one', 'two']);
  turns.add({ role: 'user', content: 'three' });
  turns.tokens();
  turns.tokens();
  expect(counter.counted).toEqual(['one', 'two', 'three']);
});

test('turns that stay when others are replaced are not counted again', () => {
  const counter = new CountingCounter();
  const turns = new TurnList(counter);
  turns.addExchange('old question', 'old answer');
  turns.addExchange('new question', 'new answer');
  turns.tokens();
  turns.replace([
    { role: 'user', content: 'summary' },
    { role: 'assistant', content: 'Ok.' },
    ...turns.all().slice(2),
  ]);
  turns.tokens();
  expect(counter.counted.slice(4)).toEqual(['summary', 'Ok.']);
});

test('without turns there are no tokens, and after clearing neither', () => {
  const turns = list();
  expect(turns.tokens()).toBe(0);
  turns.add(QUESTION);
  expect(turns.tokens()).toBeGreaterThan(0);
  turns.clear();
  expect(turns.tokens()).toBe(0);
  expect(turns.all()).toEqual([]);
});

test('an index that is not there has no tokens and no hash', () => {
  expect(list().tokensOf(0)).toBe(0);
  expect(list([QUESTION]).tokensOf(-1)).toBe(0);
  expect(list().hashOf(3)).toBe('');
});

test('a hash tells contents and roles apart and nothing else', () => {
  const turns = list([
    { role: 'user', content: 'same' },
    { role: 'user', content: 'same' },
    { role: 'assistant', content: 'same' },
    { role: 'user', content: 'other' },
  ]);
  expect(turns.hashOf(0)).toBe(turns.hashOf(1));
  expect(new Set([0, 2, 3].map((index) => turns.hashOf(index))).size).toBe(3);
});
