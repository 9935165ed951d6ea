import { expect, test } from 'vitest';
import { edit, read, Story } from './story.ts';

test('an edit that the tool refuses because the file was not read is not warned of: the refusal costs as much', () => {
  const story = new Story();
  for (const sessionId of ['one', 'two', 'three']) {
    story.works('', { ...read('src/b.ts'), sessionId });
    story.fails('', 'File has not been read yet. Read it first before writing to it.', {
      ...edit('src/a.ts'),
      sessionId,
    });
  }
  story.works('git status', { sessionId: 'another' });
  expect(story.check('', edit('src/a.ts'))).toBeUndefined();
});

test('an edit that changes nothing is warned of once such an edit was refused', () => {
  const story = new Story();
  const idle = edit('src/a.ts', 'same', 'same');
  expect(story.check('', idle)).toBeUndefined();
  story.fails('', 'No changes to make: old_string and new_string are exactly the same.', idle);
  expect(story.check('', edit('src/other.ts', 'x', 'x'))).toMatchObject({ key: 'rule:idle claude-code' });
  expect(story.check('', edit('src/other.ts', 'x', 'y'))).toBeUndefined();
});
