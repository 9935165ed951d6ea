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

test('keeps turns in the order of adding', () => {
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

test('keeps only the role and content of a turn', () => {
  const withMore = { ...QUESTION, timestamp: 'now', images: ['a.png'] };
  expect(list([withMore]).all()).toEqual([QUESTION]);
});

test('returns copies of its turns', () => {
  const turns = list([QUESTION]);
  const copy = turns.all();
  copy.push(ANSWER);
  Object.assign(copy[0] ?? {}, { content: 'changed' });
  expect(turns.all()).toEqual([QUESTION]);
});

test('copies the turns it is given', () => {
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
])('rejects an invalid turn: %j', (turn, message) => {
  const turns = list([QUESTION]);
  expect(() => turns.add(turn as unknown as Turn)).toThrow(YoreError);
  expect(() => turns.add(turn as unknown as Turn)).toThrow(message);
  expect(() => turns.replace([ANSWER, turn as unknown as Turn])).toThrow(message);
  expect(turns.all()).toEqual([QUESTION]);
});

test('adds nothing of an exchange with an invalid half', () => {
  const turns = list();
  expect(() => turns.addExchange('Why?', undefined as unknown as string)).toThrow(YoreError);
  expect(turns.length).toBe(0);
});

test('counts all turns as messages after any changes', () => {
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

test('counts only an added turn, and nothing when asked again', () => {
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

test('does not count turns again that stay when others are replaced', () => {
  const counter = new CountingCounter();
  const turns = new TurnList(counter);
  turns.addExchange('old question', 'old answer');
  turns.addExchange('new question', 'new answer');
  turns.tokens();
  turns.replace([{ role: 'user', content: 'summary' }, { role: 'assistant', content: 'Ok.' }, ...turns.all().slice(2)]);
  turns.tokens();
  expect(counter.counted.slice(4)).toEqual(['summary', 'Ok.']);
});

test('has no tokens without turns or after clearing', () => {
  const turns = list();
  expect(turns.tokens()).toBe(0);
  turns.add(QUESTION);
  expect(turns.tokens()).toBeGreaterThan(0);
  turns.clear();
  expect(turns.tokens()).toBe(0);
  expect(turns.all()).toEqual([]);
});

test('has no tokens and no hash for a missing index', () => {
  expect(list().tokensOf(0)).toBe(0);
  expect(list([QUESTION]).tokensOf(-1)).toBe(0);
  expect(list().hashOf(3)).toBe('');
});

test('hashes exactly role and content', () => {
  const turns = list([
    { role: 'user', content: 'same' },
    { role: 'user', content: 'same' },
    { role: 'assistant', content: 'same' },
    { role: 'user', content: 'other' },
  ]);
  expect(turns.hashOf(0)).toBe(turns.hashOf(1));
  expect(new Set([0, 2, 3].map((index) => turns.hashOf(index))).size).toBe(3);
});
