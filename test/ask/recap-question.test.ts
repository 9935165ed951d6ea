import { describe, expect, it } from 'vitest';
import { parseRecapQuestion } from '../../src/ask/recap-question.ts';

const NOW = Date.parse('2026-03-05T12:00:00.000Z');

describe('parseRecapQuestion', () => {
  it.each([
    'What have we worked on?',
    'what have we worked on so far',
    'What have we been working on lately?',
    'What did we do yesterday?',
    'what did you do today',
    'What did I do last week?',
    'What have we done in this project?',
    'Hey, what did we work on last time?',
    'can you tell me what we worked on last week?',
    'remind me what we have done',
    'Summarize what we have done so far.',
    'What was I working on?',
    'Where did we leave off?',
    'where were we',
    'recap',
    'Give me a summary of our recent work',
    'What’s happened lately?',
    'catch me up',
    'What has been done here?',
    'Woran haben wir gearbeitet?',
  ])('recognises: %s', (prompt) => {
    expect(parseRecapQuestion(prompt, NOW)).toBeDefined();
  });

  it.each([
    'What did we do wrong in cart.ts that makes the tests fail?',
    'Fix what we worked on',
    'What have you changed in the cart and why does it fail now?',
    'what does this function do?',
    'Where did we leave the config file?',
    'Recap the differences between REST and GraphQL',
    'What should we work on?',
    'continue',
    'What are you doing?!! stop',
    'What are you doing?',
    '',
  ])('ignores: %s', (prompt) => {
    expect(parseRecapQuestion(prompt, NOW)).toBeUndefined();
  });

  it('finds the time span', () => {
    const midnight = new Date(NOW);
    midnight.setHours(0, 0, 0, 0);
    const day = (back: number): number => new Date(midnight).setDate(midnight.getDate() - back);
    expect(parseRecapQuestion('What did we do yesterday?', NOW)).toMatchObject({
      since: day(1),
      until: day(0),
    });
    expect(parseRecapQuestion('What did we do today?', NOW)).toMatchObject({ since: day(0) });
    expect(parseRecapQuestion('What did we do in the last 3 days?', NOW)).toMatchObject({ since: day(3) });
    expect(parseRecapQuestion('What did we do last week?', NOW)).toMatchObject({
      since: day(10),
      until: day(3),
    });
    expect(parseRecapQuestion('What have we worked on?', NOW)?.since).toBeUndefined();
  });

  it('is fast for any text', () => {
    const hostile = `what ${'have we been '.repeat(9)}`;
    expect(parseRecapQuestion(hostile, NOW)).toBeUndefined();
    expect(parseRecapQuestion('so '.repeat(46), NOW)).toBeUndefined();
  });
});
