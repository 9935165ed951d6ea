import { expect, test } from 'vitest';
import { findCommandPart, findCommitMessage, formatCommand } from '../../src/facts/call/command-text.ts';
import { findDecision, parseRequest, parseRequestMessage } from '../../src/facts/request.ts';
import type { Attempt } from '../../src/record/index.ts';

test.each([
  ['cd /app && npm test 2>&1 | tail -20', 'npm test'],
  ['cd "a b" ; timeout 60 make check > /dev/null', 'make check'],
  ['cd /app/.worktrees/3\nset -euo pipefail\nnpm test', 'npm test'],
  ['cd src', 'cd src'],
  ['npm run build | head -n 5 | tail -3', 'npm run build'],
  ["cat <<'EOF' > x\nhello\nEOF", "cat <<'EOF' > x …"],
  ['', ''],
])('formats the command %j as %j', (command, shown) => {
  expect(formatCommand(command)).toBe(shown);
});

test.each([
  ['mise run fmt && mise run lint', 'lint', 'mise run lint'],
  ['npm run build; npm test -- --run', 'test', 'npm test -- --run'],
  ['npm test 2>&1 | grep passed', 'test', 'npm test'],
  ['echo "a && npm test" && ls', 'test', 'echo "a && npm test" && ls'],
  ['a && b', 'run', 'a && b'],
  ['npm test', 'test', 'npm test'],
])('finds in the chain %j the part for %s: %j', (command, kind, part) => {
  expect(findCommandPart(command, kind)).toBe(part);
});

test('shows the beginning of a command of megabytes', () => {
  expect(formatCommand(`echo ${'x'.repeat(5_000_000)}`).length).toBeLessThanOrEqual(200);
});

test.each([
  [{ result: '[main 1a2b3c4] Add a cache\n 2 files changed' }, 'Add a cache'],
  [{ result: '[main (root-commit) 1a2b3c4] First' }, 'First'],
  [{ command: 'git commit -m "Say \\"hello\\"" --no-verify' }, 'Say "hello"'],
  [{ command: "git add . && git commit -am 'Two words\n\nbody'" }, 'Two words'],
  [{ command: 'git commit -m "$(cat <<\'EOF\'\nFrom a here document\n\nbody\nEOF\n)"' }, 'From a here document'],
  [{ command: 'git commit --message=Short' }, 'Short'],
  [{ command: 'git commit' }, undefined],
])('finds the message of the commit %j: %j', (fields, message) => {
  expect(findCommitMessage(fields as Attempt)).toBe(message);
});

test.each(['/compact', '   ', '<system-reminder>do things now</system-reminder>', '[Request interrupted by user]'])(
  '%j is not a request',
  (text) => {
    expect(parseRequestMessage(text)).toBeUndefined();
  },
);

test.each(['yes', 'yes, fix it', 'ok go ahead', 'commit this', 'thanks, looks good'])('%j is a follow-up', (text) => {
  expect(parseRequest(text)).toMatchObject({ text, isFollowUp: true });
});

test.each([
  'Fix the parser',
  'Refactor',
  'Add authentication',
  'why does the login form flicker?',
  '认证中间件不工作',
  'rename UserStore to Accounts',
])('%j is a request', (text) => {
  expect(parseRequest(text)).toMatchObject({ text, isFollowUp: false });
});

test('a truncated context has the same key as the whole message', () => {
  const message = `Rework the importer so that ${'many things are read '.repeat(40)}`;
  expect(parseRequest(message.slice(0, 200))?.key).toBe(parseRequest(message)?.key);
});

test('finds the line of a reply that says what was done', () => {
  expect(findDecision('Let me look.\n\n## Summary\n- **Added** JWT authentication to `src/auth.ts`\n- more')).toBe(
    'Added JWT authentication to src/auth.ts',
  );
  expect(findDecision('I updated agent_test.go and _all_ of its users')).toBe(
    'I updated agent_test.go and all of its users',
  );
  for (const plan of [
    'Let me check the updated test',
    'Now I’ll move the merged part',
    "I'm pulling what was changed in it",
  ])
    expect(findDecision(plan)).toBeUndefined();
  expect(findDecision('I will look into it now.\nWhich one was removed?')).toBeUndefined();
  expect(findDecision('')).toBeUndefined();
});
