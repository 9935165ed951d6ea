import { describe, expect, it, test } from 'vitest';
import type { Message } from '../../src/record/index.ts';
import { chooseTitle, titleFromRequest } from '../../src/text/session-title.ts';

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
])('the title of %j is %j', (request, title) => {
  expect(titleFromRequest(request)).toBe(title);
});

test.each([
  '/mcp',
  '/clear',
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

test.each([
  ['Can you fix the failing tests?', 'ada/oven-timer', 'Fix the failing tests (oven-timer)'],
  ['please address the PR comments', 'oven-timer', 'Address the PR comments (oven-timer)'],
  [
    'does this branch still need the oven door?',
    'oven-timer',
    'Does this branch still need the oven door? (oven-timer)',
  ],
  ['fix the failing tests', 'main', 'Fix the failing tests'],
  ['fix the oven tests', 'oven-timer', 'Fix the oven tests'],
])('the title of %j on branch %s is %j', (request, branch, title) => {
  expect(titleFromRequest(request, branch)).toBe(title);
});

test('leaves room for the branch in the title', () => {
  const title = titleFromRequest(`review this branch ${'with care and '.repeat(10)}`, 'ada/oven-timer');
  expect(title).toMatch(/^Review this branch .*… \(oven-timer\)$/);
  expect(title.length).toBeLessThanOrEqual(81);
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

  it('is the first real request', () => {
    expect(chooseTitle([say('/mcp', 1), say('hi', 2), say('please paint it red', 3), say('now blue', 4)])).toBe(
      'Paint it red',
    );
  });

  it('is what the agent called it last', () => {
    expect(chooseTitle([say('paint it', 1), name('Painting', 2), name('Painting the door', 3)])).toBe(
      'Painting the door',
    );
  });

  it('is what the user called it, whatever the agent calls it later', () => {
    expect(chooseTitle([say('paint it', 1), name('My door', 2, 'user'), name('Painting', 3)])).toBe('My door');
  });

  it('is a slash command with its argument as long as there is no request', () => {
    expect(chooseTitle([say('/clear', 1), say('/plan-phase 14', 2), say('yes', 3)])).toBe('/plan-phase 14');
    expect(chooseTitle([say('/plan-phase 14', 1), say('please paint it red', 2)])).toBe('Paint it red');
  });

  it('is unknown without a request', () => {
    expect(chooseTitle([say('/mcp', 1), say('Done', 2, { role: 'assistant' })])).toBeUndefined();
  });
});
