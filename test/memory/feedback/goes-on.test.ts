import { expect, test } from 'vitest';
import { goesOn } from '../../../src/memory/feedback/goes-on.ts';

test.each([
  'yes',
  'Yes, go ahead',
  'ok, continue please',
  'no, undo that please',
  'thanks!',
  '2',
  'the second one',
  'still broken',
])('goes on with the request before: %s', (prompt) => {
  expect(goesOn(prompt)).toBe(true);
});

test.each([
  'yes, and add a test for it',
  'Add Redis caching',
  'continue with the migration of the user table',
  'stop the server when the tests end',
  '',
])('is a request of its own: %s', (prompt) => {
  expect(goesOn(prompt)).toBe(false);
});

test.each(
  'ok|okay|yes|yeah|yep|yup|y|no|nope|n|sure|right|correct|exactly|great|cool|nice|fine|good|thank|thanks|thank you|thx|please|do it|do that|do so|go ahead|go on|go for it|continue|proceed|carry on|keep going|next|both|all|the first|the second one|the last|option b|7|42|undo|undo that|stop|wait|ja|nein|weiter|sí|oui|non|はい|好的|继续'.split(
    '|',
  ),
)('an answer goes on, however it is written: %s', (answer) => {
  expect(goesOn(answer)).toBe(true);
  expect(goesOn(` ${answer.toUpperCase()}! `)).toBe(true);
});
