import { describe, expect, test } from 'vitest';
import { type Details, edit, MINUTE, read, Story } from './story.ts';

const UNREAD = 'File has not been read yet. Read it first before writing to it.';

/** An agent whose editing tool refused an edit before reading. */
function refused(details: Details = {}): Story {
  const story = new Story();
  story.works('ls', details);
  story.fails('', UNREAD, { ...edit('src/a.ts'), ...details });
  return story.pass(10 * MINUTE);
}

/** A session of its own that has done something. */
function begin(story: Story, details: Details = {}): Details {
  const session = { sessionId: 'fresh', ...details };
  story.works('git status', session);
  return session;
}

describe('edit only what was read', () => {
  test('an edit of any file that the session has not seen is warned about', () => {
    const story = refused();
    const session = begin(story);
    expect(story.check('', { ...edit('src/b.ts'), ...session })).toMatchObject({
      key: 'rule:read claude-code',
    });
  });

  test('a file that was read, written or edited in the session is not', () => {
    const story = refused();
    const session = begin(story);
    story.works('', { ...read('src/b.ts'), ...session });
    story.works('', { tool: 'Write', input: { file_path: '/srv/app/src/c.ts', content: 'x' }, ...session });
    expect(story.check('', { ...edit('src/b.ts'), ...session })).toBeUndefined();
    expect(story.check('', { ...edit('src/c.ts'), ...session })).toBeUndefined();
  });

  test('a session that has done nothing yet may go on from another', () => {
    const story = refused();
    expect(story.check('', { ...edit('src/b.ts'), sessionId: 'just opened' })).toBeUndefined();
  });

  test('a session whose unread edit went through is left alone', () => {
    const story = refused();
    const session = begin(story);
    story.works('', { ...edit('src/b.ts'), ...session });
    expect(story.check('', { ...edit('src/c.ts'), ...session })).toBeUndefined();
  });

  test('the rule is learned for each agent by itself', () => {
    const story = refused();
    const session = begin(story, { agent: 'codex' });
    expect(story.check('', { ...edit('src/b.ts'), ...session })).toBeUndefined();
  });

  test('an agent that never refused is never warned', () => {
    const story = new Story();
    const session = begin(story);
    expect(story.check('', { ...edit('src/b.ts'), ...session })).toBeUndefined();
  });

  test('what a command showed counts once the agent’s tool has taken it for reading', () => {
    const story = refused();
    const session = begin(story);
    story.works('cat src/b.ts', session);
    expect(story.check('', { ...edit('src/b.ts'), ...session })).toBeDefined();
    story.works('cat src/c.ts', session);
    story.works('', { ...edit('src/c.ts'), ...session });
    expect(story.check('', { ...edit('src/b.ts'), ...session })).toBeUndefined();
    story.works('cat src/d.ts', session);
    story.fails('', UNREAD, { ...edit('src/d.ts'), ...session });
    story.pass(10 * MINUTE);
    expect(story.check('', { ...edit('src/b.ts'), ...session })).toBeDefined();
  });
});

test('an edit that changes nothing is warned about once it was refused', () => {
  const story = new Story();
  const idle = edit('src/a.ts', 'same', 'same');
  expect(story.check('', idle)).toBeUndefined();
  story.fails('', 'No changes to make: old_string and new_string are exactly the same.', idle);
  expect(story.check('', edit('src/other.ts', 'x', 'x'))).toMatchObject({ key: 'rule:idle claude-code' });
  expect(story.check('', edit('src/other.ts', 'x', 'y'))).toBeUndefined();
});
