import fc from 'fast-check';
import { expect, test } from 'vitest';
import { suggestedCommands } from '../../../src/context/turns/suggested-commands.ts';

test('finds commands in order among other lines', () => {
  const reply = 'First install it:\nCMD: npm ci\nThen test it.\nCMD: npm test -- test/log\n';
  expect(suggestedCommands(reply)).toEqual(['npm ci', 'npm test -- test/log']);
});

test.each([
  [' CMD: ls', 'indented'],
  ['cmd: ls', 'in small letters'],
  ['CMD:ls', 'without the space'],
  ['CMD:  ls', 'with two spaces'],
  ['CMD:\tls', 'with a tab'],
  ['Run CMD: ls', 'not at the start'],
  ['> CMD: ls', 'in a quotation'],
  ['- CMD: ls', 'in a list'],
  ['CMD: ', 'without a command'],
  ['CMD:', 'without anything'],
  ['CMD:    ', 'with spaces only'],
])('ignores %j: %s', (line) => {
  expect(suggestedCommands(line)).toEqual([]);
});

test('supports line breaks of Windows and old Macs', () => {
  expect(suggestedCommands('CMD: one\r\nCMD: two\r\nCMD: three')).toEqual(['one', 'two', 'three']);
  expect(suggestedCommands('CMD: echo hi\rrm -rf .')).toEqual(['echo hi']);
});

test.each([
  ['```', '```'],
  ['```sh', '```'],
  ['~~~', '~~~'],
  ['~~~ sh ~ title', '~~~~'],
  ['````', '`````'],
  ['   ```', '  ```'],
  ['```', '```   '],
  ['```\r', '```\r'],
])('ignores commands between %j and %j', (opening, closing) => {
  const reply = [opening, 'CMD: inside', closing, 'CMD: outside'].join('\n');
  expect(suggestedCommands(reply)).toEqual(['outside']);
});

test('keeps shorter fences inside a longer one', () => {
  const reply = ['````md', '```sh', 'CMD: one', '```', 'CMD: two', '````', 'CMD: three'].join('\n');
  expect(suggestedCommands(reply)).toEqual(['three']);
});

test('keeps fences of the other kind inside', () => {
  const backticksOutside = ['```', '~~~', 'CMD: one', '```', 'CMD: two'].join('\n');
  expect(suggestedCommands(backticksOutside)).toEqual(['two']);
  const tildesOutside = ['~~~', '```', 'CMD: one', '~~~', 'CMD: two'].join('\n');
  expect(suggestedCommands(tildesOutside)).toEqual(['two']);
});

test('closes only at a fence without an info string', () => {
  const reply = ['```', '```sh', 'CMD: one', '```', 'CMD: two'].join('\n');
  expect(suggestedCommands(reply)).toEqual(['two']);
});

test('does not close at a fence that is indented much deeper', () => {
  const reply = ['```', '     ```', 'CMD: one', '```', 'CMD: two'].join('\n');
  expect(suggestedCommands(reply)).toEqual(['two']);
});

test('closes a fence in a list item at the fence below it', () => {
  const reply = ['1. Install:', '   ```sh', '   npm ci', '   ```', '- ```', '  npm test', '  ```', 'CMD: ls'].join(
    '\n',
  );
  expect(suggestedCommands(reply)).toEqual(['ls']);
});

test('extends an unclosed fence to the end', () => {
  expect(suggestedCommands('CMD: before\n```sh\nCMD: one\nCMD: two')).toEqual(['before']);
});

test('does not treat inline code as a fence', () => {
  expect(suggestedCommands('```npm ci``` installs.\nCMD: npm ci')).toEqual(['npm ci']);
  expect(suggestedCommands('``\nCMD: npm ci')).toEqual(['npm ci']);
});

test('returns lines of any reply, and none if the reply is fenced', () => {
  const line = fc.oneof(
    fc.constantFrom('CMD: ls', 'CMD: npm test', '```', '~~~', '````sh', '- ```', '   ```', '', 'text'),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const reply = lines.join('\n');
      for (const command of suggestedCommands(reply)) expect(reply).toContain(`CMD: ${command}`);
      const fence = '`'.repeat(reply.length + 3);
      expect(suggestedCommands(`${fence}\n${reply}\n${fence}`)).toEqual([]);
    }),
  );
});

test('reads a long line of fence or list marks in linear time', () => {
  const long = 200_000;
  for (const line of [
    '`'.repeat(long),
    '- '.repeat(long),
    ' '.repeat(long),
    `\`\`\`${'x`'.repeat(long)}`,
    '1. '.repeat(long),
  ]) {
    expect(suggestedCommands(`${line}x\nCMD: ls`).length).toBeLessThanOrEqual(1);
  }
});
