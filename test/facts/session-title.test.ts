import { describe, expect, it, test } from 'vitest';
import { titleOf } from '../../src/facts/facts.ts';
import { chooseTitle, titleFromRequest } from '../../src/facts/session-title.ts';
import type { Attempt, Message } from '../../src/record/index.ts';

test.each([
  ['Can you please add a cache to the catalogue?', 'Add a cache to the catalogue'],
  ['please fix the login test', 'Fix the login test'],
  ['Hey Claude, could you rename the parser to reader, thanks', 'Rename the parser to reader'],
  ["let's move the config into its own file.", 'Move the config into its own file'],
  ['I would like you to write the docs', 'Write the docs'],
  ['useEffect runs twice', 'useEffect runs twice'],
  ['src/oven.ts: the heat is wrong', 'src/oven.ts: the heat is wrong'],
  [
    'Implement the following plan:\n\n# Plan: Move sessions to Redis\n\n## Context\nToo slow.',
    'Move sessions to Redis',
  ],
  ['Implement the following plan:\n\nReplace the oven\n1. Buy one', 'Replace the oven'],
  ['hi\n\nthe build fails on windows', 'The build fails on windows'],
  ['/review the heating code of the oven', 'The heating code of the oven'],
  ['[Image #1] make the button blue', 'Make the button blue'],
  ['## Fix the door\nIt squeaks.', 'Fix the door'],
  ['The oven is cold. It was hot yesterday, and nobody touched it since.', 'The oven is cold'],
  ['修复登录页面', '修复登录页面'],
  ['```\nError: x\n```\nwhy does this happen?', 'Why does this happen?'],
  ['[[ ## query ## ]]\nCount the ovens', 'Count the ovens'],
  ['• starting oven 2.1\n⨯ failed\nwhy does the oven fail?', 'Why does the oven fail?'],
  ['y\n9\nMake it warm', 'Make it warm'],
  ['/plan-phase 14', '/plan-phase 14'],
  ['This oven is cold now. Let us add a heater.', 'Add a heater'],
  ['look at https://github.com/ada/oven/issues/12?x=1 and fix it', 'Look at #12 and fix it'],
  ['read https://example.com/ovens/manual.html', 'Read manual.html'],
  ['move /home/ada/work/oven/src/door.ts to src/doors', 'Move door.ts to src/doors'],
])('the title of %j is %j', (request, title) => {
  expect(titleFromRequest(request)).toBe(title);
});

test.each([
  '/mcp',
  '/clear',
  'https://github.com/ada/oven/issues/12',
  '<command-name>/mcp</command-name>\n<command-message>mcp</command-message>',
  '<local-command-stdout>Bye</local-command-stdout>',
  'yes',
  'ok, thanks',
  'hello!',
  'y',
  '181',
  'do both',
  '[Request interrupted by user]',
  '   ',
])('%j is not a request', (text) => {
  expect(titleFromRequest(text)).toBe('');
});

test('cuts a long request at a word', () => {
  const title = titleFromRequest(`rewrite ${'the heating controller and '.repeat(10)}more`);
  expect(title).toMatch(/^Rewrite the heating .* (?:the|and|heating|controller)…$/);
  expect(title.length).toBeLessThanOrEqual(81);
});

describe('the title of a session', () => {
  const say = (content: string, second: number, more: Partial<Message> = {}): Message => ({
    v: 1,
    id: `m${second}`,
    sessionId: 's',
    timestamp: `2026-03-02T09:00:${String(second).padStart(2, '0')}.000Z`,
    role: 'user',
    content,
    ...more,
  });
  const name = (content: string, second: number, role: Message['role'] = 'assistant') =>
    say(content, second, { role, kind: 'title' });

  const call = (command: string, second: number): Attempt => ({
    ...{ v: 1, id: `a${second}`, sessionId: 's', timestamp: `2026-03-02T09:00:${second}.000Z`, outcome: 'success' },
    ...{ tool: 'Bash', command, signature: command },
  });
  const titleOn = (branch: string, ...records: readonly (Message | Attempt)[]) =>
    chooseTitle(
      records.flatMap((record) => titleOf(record) ?? []),
      branch,
    );
  const title = (...records: readonly (Message | Attempt)[]) => titleOn('main', ...records);

  it('is the first real request', () => {
    expect(title(say('/mcp', 1), say('hi', 2), say('please paint it red', 3), say('now blue', 4))).toBe('Paint it red');
  });

  it('is the heading of a plan, which may come after other requests', () => {
    const plan = 'Implement the following plan:\n\n# Paint the door\n\n## Context';
    expect(title(say('which colour is best?', 1), say(plan, 2), say('now blue', 3))).toBe('Paint the door');
  });

  it('is what the agent called it last', () => {
    expect(title(say('paint it', 1), name('Painting', 2), name('Painting the door', 3))).toBe('Painting the door');
  });

  it('is what the user called it, whatever the agent calls it later and whatever came of it', () => {
    const commit = call('git commit -m "Mix a colour"', 13);
    expect(title(say('paint it', 1), name('My door', 2, 'user'), name('Painting', 3), commit)).toBe('My door');
  });

  it('is a slash command with its argument', () => {
    expect(title(say('/clear', 1), say('/plan-phase 14', 2), say('yes', 3))).toBe('/plan-phase 14');
    expect(title(say('/plan-phase 14', 1), say('please paint it red', 2))).toBe('/plan-phase 14');
  });

  it('is completed by what came of it: a pull request, or else the first commit', () => {
    const asked = say('Can you fix the failing tests?', 1);
    const commits = [call('git commit -m "Wait for the lamp"', 11), call('git commit -m "Shorten the cable"', 12)];
    const request = call('gh pr create --base main --title "Dim the lamp" --body "Too bright"', 13);
    expect(title(asked, ...commits)).toBe('Fix the failing tests → Wait for the lamp');
    expect(title(asked, ...commits, request)).toBe('Fix the failing tests → Dim the lamp');
    expect(title(name('Fixing tests', 2), ...commits)).toBe('Fixing tests → Wait for the lamp');
    expect(title(say('Shield the lamp', 1), ...commits)).toBe('Shield the lamp');
    expect(title(asked, call('git commit -m "wip"', 11), call('gh pr create --fill', 12))).toBe(
      'Fix the failing tests',
    );
  });

  it('is what came of it where the user only explained or asked something', () => {
    const commit = call('git commit -m "Wait for the lamp"', 11);
    expect(title(say('The oven was hot yesterday', 1), commit)).toBe('Wait for the lamp');
    expect(title(say('Why is the oven cold?', 1), commit)).toBe('Wait for the lamp');
    expect(title(say('Why is the oven cold?', 1))).toBe('Why is the oven cold?');
  });

  it('is completed by the branch without a result', () => {
    expect(titleOn('ada/oven-timer', say('please address the PR comments', 1))).toBe(
      'Address the PR comments (oven-timer)',
    );
    expect(titleOn('oven-timer', say('fix the oven tests', 1))).toBe('Fix the oven tests');
    expect(titleOn('fixes', say('paint it red', 1))).toBe('Paint it red');
    expect(titleOn('oven-timer', say('paint it', 1), name('Painting', 2))).toBe('Painting');
  });

  it('has room for all its parts', () => {
    const asked = say(`review this branch ${'with care and '.repeat(10)}`, 1);
    const branched = titleOn('ada/oven-timer', asked) ?? '';
    expect(branched).toMatch(/^Review this branch .*… \(oven-timer\)$/);
    const joined = title(asked, call(`git commit -m "${'Wait for the lamp '.repeat(6)}"`, 11)) ?? '';
    expect(joined).toMatch(/^Review this branch .*… → Wait for the lamp .*…$/);
    for (const { length } of [branched, joined]) expect(length).toBeLessThanOrEqual(82);
  });

  it('is unknown without a request', () => {
    expect(title(say('/mcp', 1), say('Done', 2, { role: 'assistant' }))).toBeUndefined();
  });
});
