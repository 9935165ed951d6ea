import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFeedback } from '../../../src/facts/attempt/feedback.ts';

const WORKED = [
  'that worked',
  'That worked, thanks!',
  'perfect',
  'Perfect, thank you!',
  'perfect, now add the same to the settings page',
  'works now',
  'it works now',
  'ok, works great. next: the header',
  'looks good thanks',
  'Looks good to me.',
  'thanks, looks good',
  'great, that fixed it',
  'yes, that did the trick!',
  'all tests pass now',
  'the tests are green',
  "it's working now, please commit",
  'Everything works as expected.',
  'lgtm',
  'its perfect',
];

const FAILED = [
  'that failed',
  'try again',
  'please try again',
  'still broken',
  'still failing, see below:\nTypeError: x is undefined',
  "doesn't work",
  "that didn't work",
  'it did not work',
  "no, that doesn't work either",
  'It still does not compile',
  'same error',
  'exactly the same error as before',
  'hmm, still the same',
  "I'm still getting the same error",
  'the build is still failing',
  'not working',
  "that's wrong, the total should include tax",
  'no luck',
  'unfortunately it crashes on start',
  'why is it still failing?',
  'this is still not working, is the cache in the way?',
  'that didn’t work',
];

const NEITHER = [
  'Not working hours should be grey',
  'That failed test should be skipped',
  'Try again with exponential backoff',
  'try again with --verbose',
  'can you try again?',
  'the broken links on the page are marked red',
  '',
  'yes',
  'thanks',
  'ok, continue',
  'yes, go ahead',
  'no, undo that please',
  'did that work?',
  'does it work now?',
  'did the tests pass?',
  'is it still broken?',
  'same error?',
  "if that doesn't work, use the other package",
  'make sure it works on Windows',
  'let me know when it works',
  'it worked before the last commit',
  'that worked yesterday',
  'this works differently than I thought',
  'that works for me',
  'looks good but the margin is too large',
  'perfect pixel alignment is needed for the logo',
  'works on my machine, not in CI',
  'works councils need a report',
  'add a retry to the upload',
  'retry failed uploads three times',
  'explain why the old version failed',
  'the user sees "that failed" in the dialog',
  'write a test that failed logins are counted',
  'excellent support for plugins is the goal',
  `Here is the log:\n${'INFO starting\n'.repeat(40)}that worked\nstill broken`,
];

describe('parseFeedback', () => {
  it.each(WORKED)('worked: %s', (prompt) => {
    expect(parseFeedback(prompt)?.outcome).toBe('worked');
  });

  it.each(FAILED)('failed: %s', (prompt) => {
    expect(parseFeedback(prompt)?.outcome).toBe('failed');
  });

  it.each(NEITHER)('neither: %s', (prompt) => {
    expect(parseFeedback(prompt)).toBeUndefined();
  });

  it("keeps the user's words on one line, truncated", () => {
    expect(parseFeedback('Still broken:\n\n  TypeError: x')?.reason).toBe('Still broken: TypeError: x');
    expect(parseFeedback(`that failed: ${'x'.repeat(5_000)}`)?.reason).toHaveLength(200);
  });

  it('accepts any text, and ignores feedback that does not come first', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const feedback = parseFeedback(text);
        expect(feedback === undefined || feedback.reason.length <= 200).toBe(true);
        expect(parseFeedback(`Please add a table of prices to the page. ${text} that failed`)).toBeUndefined();
      }),
    );
  });
});

it.each('okay yep hmm oh great unfortunately'.split(' '))('failed: %s, that failed', (opening) => {
  expect(parseFeedback(`${opening}, that failed`)?.outcome).toBe('failed');
});
