import { expect, test } from 'vitest';
import { goesOn } from '../../../src/memory/feedback/index.ts';

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
