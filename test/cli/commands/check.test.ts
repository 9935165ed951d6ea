import { parse } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCheckedCall, toToolCall } from '../../../src/cli/commands/memory/check.ts';

const noInput = (): string => {
  throw new Error('standard input was read');
};

describe('the call to check', () => {
  it('takes one argument as a whole command line', () => {
    const line = 'cd api && npm test | tail -20';
    expect(readCheckedCall([line], {}, noInput)).toEqual({ kind: 'command', tool: 'Bash', command: line });
  });

  it('joins several arguments into one command, quoted where needed', () => {
    const words = ['git', 'commit', '-m', "it's done; rm -rf $HOME", '--author=A <a@b.c>', ''];
    const call = readCheckedCall(words, {}, noInput);
    expect(call).toMatchObject({
      command: `git commit -m 'it'\\''s done; rm -rf $HOME' '--author=A <a@b.c>' ''`,
    });
    expect(readCheckedCall(['npm', 'install', '@scope/name@1.2'], {}, noInput)).toMatchObject({
      command: 'npm install @scope/name@1.2',
    });
  });

  it('reads standard input for a lone dash', () => {
    expect(readCheckedCall(['-'], {}, () => 'make\nmake test\n')).toMatchObject({
      command: 'make\nmake test\n',
    });
    expect(readCheckedCall(['cat', '-'], {}, noInput)).toMatchObject({ command: 'cat -' });
  });

  it('takes a path for file tools', () => {
    expect(readCheckedCall([], { path: 'a.ts' }, noInput)).toEqual({
      kind: 'path',
      tool: 'Read',
      path: 'a.ts',
    });
    expect(readCheckedCall([], { path: 'a.ts', tool: 'Edit' }, noInput)).toMatchObject({ tool: 'Edit' });
    expect(readCheckedCall(['ls'], { tool: 'exec_command' }, noInput)).toMatchObject({
      tool: 'exec_command',
    });
  });

  it.each([
    [[], {}, /no command to check/],
    [['  '], {}, /no command to check/],
    [['-'], {}, /no command to check/],
    [['ls'], { path: 'a' }, /not both/],
    [[], { path: ' ' }, /--path is empty/],
    [[], { path: 'a', tool: 'Bash' }, /runs commands/],
    [['ls'], { tool: 'Read' }, /does not run commands/],
  ])('rejects %j %j', (args, options, message) => {
    expect(() => readCheckedCall(args, options, () => '\n')).toThrow(message);
  });

  it('becomes the call that an agent would make in the folder', () => {
    const { root } = parse(process.cwd());
    const place = { folder: `${root}work`, root: `${root}work`, now: Date.UTC(2025, 10, 18) };
    expect(toToolCall({ kind: 'path', tool: 'Read', path: 'src/a.ts' }, place)).toMatchObject({
      tool: 'Read',
      input: { file_path: expect.stringMatching(/work.src.a\.ts$/) },
      timestamp: '2025-11-18T00:00:00.000Z',
    });
    const call = toToolCall({ kind: 'command', tool: 'Bash', command: 'ls' }, { ...place, agent: 'codex' });
    expect(call).toMatchObject({ input: { command: 'ls' }, cwd: place.folder, agent: 'codex' });
  });
});
