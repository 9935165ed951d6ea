import { expect, test } from 'vitest';
import { commandPart } from '../../../src/memory/digest/command-part.ts';
import { commitMessage } from '../../../src/memory/digest/commit-message.ts';
import { displayCommand } from '../../../src/memory/digest/display-command.ts';
import { replyLine } from '../../../src/memory/digest/reply-line.ts';
import { readRequest } from '../../../src/memory/digest/request-table.ts';
import type { Attempt } from '../../../src/record/index.ts';

test.each([
  ['cd /app && npm test 2>&1 | tail -20', 'npm test'],
  ['cd "a b" ; timeout 60 make check > /dev/null', 'make check'],
  ['cd src', 'cd src'],
  ['npm run build | head -n 5 | tail -3', 'npm run build'],
  ["cat <<'EOF' > x\nhello\nEOF", "cat <<'EOF' > x …"],
  ['', ''],
])('the command %j is shown as %j', (command, shown) => {
  expect(displayCommand(command)).toBe(shown);
});

test.each([
  ['mise run fmt && mise run lint', 'lint', 'mise run lint'],
  ['npm run build; npm test -- --run', 'test', 'npm test -- --run'],
  ['npm test 2>&1 | grep passed', 'test', 'npm test'],
  ['echo "a && npm test" && ls', 'test', 'echo "a && npm test" && ls'],
  ['a && b', 'run', 'a && b'],
  ['npm test', 'test', 'npm test'],
])('of the chain %j, what it is for (%s) is %j', (command, kind, part) => {
  expect(commandPart(command, kind)).toBe(part);
});

test('a command of megabytes is shown by its beginning', () => {
  expect(displayCommand(`echo ${'x'.repeat(5_000_000)}`).length).toBeLessThanOrEqual(200);
});

test.each([
  [{ result: '[main 1a2b3c4] Add a cache\n 2 files changed' }, 'Add a cache'],
  [{ result: '[main (root-commit) 1a2b3c4] First' }, 'First'],
  [{ command: 'git commit -m "Say \\"hello\\"" --no-verify' }, 'Say "hello"'],
  [{ command: "git add . && git commit -am 'Two words\n\nbody'" }, 'Two words'],
  [
    { command: 'git commit -m "$(cat <<\'EOF\'\nFrom a here document\n\nbody\nEOF\n)"' },
    'From a here document',
  ],
  [{ command: 'git commit --message=Short' }, 'Short'],
  [{ command: 'git commit' }, undefined],
])('the message of the commit %j is %j', (fields, message) => {
  expect(commitMessage(fields as Attempt)).toBe(message);
});

test.each([
  'yes',
  'yes, fix it',
  'ok go ahead',
  'commit this',
  'thanks, looks good',
  '/compact',
  '   ',
  '<system-reminder>do things now</system-reminder>',
  '[Request interrupted by user]',
])('%j is no request', (text) => {
  expect(readRequest(text)).toBeUndefined();
});

test.each([
  'Add authentication',
  'why does the login form flicker?',
  '认证中间件不工作',
  'rename UserStore to Accounts',
])('%j is a request', (text) => {
  expect(readRequest(text)?.text).toBe(text);
});

test('a context that was cut names the same request as the whole message', () => {
  const message = `Rework the importer so that ${'many things are read '.repeat(40)}`;
  expect(readRequest(message.slice(0, 200))?.key).toBe(readRequest(message)?.key);
});

test('the telling line of a reply says what was done', () => {
  expect(
    replyLine('Let me look.\n\n## Summary\n- **Added** JWT authentication to `src/auth.ts`\n- more'),
  ).toBe('Added JWT authentication to src/auth.ts');
  expect(replyLine('I will look into it now.\nWhich one was removed?')).toBeUndefined();
  expect(replyLine('')).toBeUndefined();
});
