import fc from 'fast-check';
import { expect, test } from 'vitest';
import { suggestedCommands } from '../../../src/context/turns/suggested-commands.ts';

test('commands are found in their order, among other lines', () => {
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
])('%j is no suggestion: it is %s', (line) => {
  expect(suggestedCommands(line)).toEqual([]);
});

test('line ends of Windows and old Macs end a line, and are not part of the command', () => {
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
])('what stands between %j and %j is a quotation', (opening, closing) => {
  const reply = [opening, 'CMD: inside', closing, 'CMD: outside'].join('\n');
  expect(suggestedCommands(reply)).toEqual(['outside']);
});

test('a longer fence holds shorter ones', () => {
  const reply = ['````md', '```sh', 'CMD: one', '```', 'CMD: two', '````', 'CMD: three'].join('\n');
  expect(suggestedCommands(reply)).toEqual(['three']);
});

test('a fence of one kind holds fences of the other', () => {
  const backticksOutside = ['```', '~~~', 'CMD: one', '```', 'CMD: two'].join('\n');
  expect(suggestedCommands(backticksOutside)).toEqual(['two']);
  const tildesOutside = ['~~~', '```', 'CMD: one', '~~~', 'CMD: two'].join('\n');
  expect(suggestedCommands(tildesOutside)).toEqual(['two']);
});

test('a closing fence carries nothing but its marks', () => {
  const reply = ['```', '```sh', 'CMD: one', '```', 'CMD: two'].join('\n');
  expect(suggestedCommands(reply)).toEqual(['two']);
});

test('a fence that stands far deeper than the opening one is content', () => {
  const reply = ['```', '     ```', 'CMD: one', '```', 'CMD: two'].join('\n');
  expect(suggestedCommands(reply)).toEqual(['two']);
});

test('a fence in a list item is closed by the fence below it', () => {
  const reply = [
    '1. Install:',
    '   ```sh',
    '   npm ci',
    '   ```',
    '- ```',
    '  npm test',
    '  ```',
    'CMD: ls',
  ].join('\n');
  expect(suggestedCommands(reply)).toEqual(['ls']);
});

test('an unclosed fence reaches to the end', () => {
  expect(suggestedCommands('CMD: before\n```sh\nCMD: one\nCMD: two')).toEqual(['before']);
});

test('code in a line is no fence', () => {
  expect(suggestedCommands('```npm ci``` installs.\nCMD: npm ci')).toEqual(['npm ci']);
  expect(suggestedCommands('``\nCMD: npm ci')).toEqual(['npm ci']);
});

test('whatever a reply says, commands are lines of it, and fencing it leaves none', () => {
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

test('a long line of fence marks or list marks is read at once', () => {
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
