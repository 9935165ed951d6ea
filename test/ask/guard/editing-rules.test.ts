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

describe('the rule to edit only files that were read', () => {
  test('warns of edits of any file that the session has not read', () => {
    const story = refused();
    const session = begin(story);
    expect(story.check('', { ...edit('src/b.ts'), ...session })).toMatchObject({
      key: 'rule:read claude-code',
    });
  });

  test('allows edits of files that were read, written or edited in the session', () => {
    const story = refused();
    const session = begin(story);
    story.works('', { ...read('src/b.ts'), ...session });
    story.works('', { tool: 'Write', input: { file_path: '/srv/app/src/c.ts', content: 'x' }, ...session });
    expect(story.check('', { ...edit('src/b.ts'), ...session })).toBeUndefined();
    expect(story.check('', { ...edit('src/c.ts'), ...session })).toBeUndefined();
  });

  test('does not apply to a session without calls, which may continue another one', () => {
    const story = refused();
    expect(story.check('', { ...edit('src/b.ts'), sessionId: 'just opened' })).toBeUndefined();
  });

  test('does not apply after an edit of an unread file succeeded in the session', () => {
    const story = refused();
    const session = begin(story);
    story.works('', { ...edit('src/b.ts'), ...session });
    expect(story.check('', { ...edit('src/c.ts'), ...session })).toBeUndefined();
  });

  test('is learned for each agent separately', () => {
    const story = refused();
    const session = begin(story, { agent: 'codex' });
    expect(story.check('', { ...edit('src/b.ts'), ...session })).toBeUndefined();
  });

  test('does not apply to an agent that never refused an edit', () => {
    const story = new Story();
    const session = begin(story);
    expect(story.check('', { ...edit('src/b.ts'), ...session })).toBeUndefined();
  });

  test("accepts files shown by a command once the agent's tool has done so", () => {
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

test('an edit that changes nothing is warned of once such an edit was refused', () => {
  const story = new Story();
  const idle = edit('src/a.ts', 'same', 'same');
  expect(story.check('', idle)).toBeUndefined();
  story.fails('', 'No changes to make: old_string and new_string are exactly the same.', idle);
  expect(story.check('', edit('src/other.ts', 'x', 'x'))).toMatchObject({ key: 'rule:idle claude-code' });
  expect(story.check('', edit('src/other.ts', 'x', 'y'))).toBeUndefined();
});
