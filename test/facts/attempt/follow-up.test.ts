import { expect, test } from 'vitest';
import { isFollowUp } from '../../../src/facts/attempt/follow-up.ts';

test.each([
  'yes',
  'Yes, go ahead',
  'ok, continue please',
  'no, undo that please',
  'thanks!',
  '2',
  'the second one',
  'still broken',
  'ok do it',
  'try again',
  "that's wrong, the total should include tax",
  'thanks a lot!',
  'perfect, thank you',
  'it works now on Windows, thanks',
  'go on',
  'yes, fix it',
  'commit this',
  'now commit and push please',
  'why?',
  'what next?',
  'sounds good',
  'never mind',
  'hi',
  '👍',
  '',
])('is a follow-up: %s', (prompt) => {
  expect(isFollowUp(prompt)).toBe(true);
});

test.each([
  'yes, and add a test for it',
  'Add Redis caching',
  'continue with the migration of the user table',
  'stop the server when the tests end',
  'Fix the parser',
  'fix tests',
  'Use ioredis',
  'Refactor',
  'lint',
  'yes, use ioredis',
  'perfect, now add the same to the settings page',
  'ok, works great. next: the header',
  'skip the slow tests',
  'src/parser.ts',
  '重构',
  `still the log: ${'INFO 1 '.repeat(100)}`,
])('is a request of its own: %s', (prompt) => {
  expect(isFollowUp(prompt)).toBe(false);
});

test.each(
  'ok|okay|yes|yeah|yep|yup|y|no|nope|n|sure|right|correct|exactly|great|cool|nice|fine|good|thank|thanks|thank you|thx|please|do it|do that|do so|go ahead|go on|go for it|continue|proceed|carry on|keep going|next|both|all|the first|the second one|the last|option b|7|42|undo|undo that|stop|wait'.split(
    '|',
  ),
)('a reply is a follow-up, however it is written: %s', (answer) => {
  expect(isFollowUp(answer)).toBe(true);
  expect(isFollowUp(` ${answer.toUpperCase()}! `)).toBe(true);
});
