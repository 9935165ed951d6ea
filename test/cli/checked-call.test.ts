import { parse } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCheckedCall, toolCallOf } from '../../src/cli/checked-call.ts';
import { textsOption } from '../../src/cli/option-values.ts';

const noInput = (): string => {
  throw new Error('standard input was read');
};

describe('what is to be checked', () => {
  it('is a whole line when it is one argument', () => {
    const line = 'cd api && npm test | tail -20';
    expect(readCheckedCall([line], {}, noInput)).toEqual({ kind: 'command', tool: 'Bash', command: line });
  });

  it('is a command of the same words when it is several', () => {
    const words = ['git', 'commit', '-m', "it's done; rm -rf $HOME", '--author=A <a@b.c>', ''];
    const call = readCheckedCall(words, {}, noInput);
    expect(call).toMatchObject({
      command: `git commit -m 'it'\\''s done; rm -rf $HOME' '--author=A <a@b.c>' ''`,
    });
    expect(readCheckedCall(['npm', 'install', '@scope/name@1.2'], {}, noInput)).toMatchObject({
      command: 'npm install @scope/name@1.2',
    });
  });

  it('is standard input for a dash alone', () => {
    expect(readCheckedCall(['-'], {}, () => 'make\nmake test\n')).toMatchObject({
      command: 'make\nmake test\n',
    });
    expect(readCheckedCall(['cat', '-'], {}, noInput)).toMatchObject({ command: 'cat -' });
  });

  it('is a file for tools that take one', () => {
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
    [[], {}, /nothing to check/],
    [['  '], {}, /nothing to check/],
    [['-'], {}, /nothing to check/],
    [['ls'], { path: 'a' }, /not both/],
    [[], { path: ' ' }, /--path is empty/],
    [[], { path: 'a', tool: 'Bash' }, /runs commands/],
    [['ls'], { tool: 'Read' }, /runs no commands/],
  ])('is refused: %j %j', (args, options, message) => {
    expect(() => readCheckedCall(args, options, () => '\n')).toThrow(message);
  });

  it('becomes the call that an agent would make in the folder', () => {
    const { root } = parse(process.cwd());
    const place = { folder: `${root}work`, root: `${root}work`, now: Date.UTC(2025, 10, 18) };
    expect(toolCallOf({ kind: 'path', tool: 'Read', path: 'src/a.ts' }, place)).toMatchObject({
      tool: 'Read',
      input: { file_path: expect.stringMatching(/work.src.a\.ts$/) },
      timestamp: '2025-11-18T00:00:00.000Z',
    });
    const call = toolCallOf({ kind: 'command', tool: 'Bash', command: 'ls' }, { ...place, agent: 'codex' });
    expect(call).toMatchObject({ input: { command: 'ls' }, cwd: place.folder, agent: 'codex' });
  });
});

describe('an option that may be given several times', () => {
  it('gives all of its values, also those behind commas, without empty ones', () => {
    expect(textsOption({ tag: ['a', 'b, c', ','] }, 'tag')).toEqual(['a', 'b', 'c']);
    expect(textsOption({}, 'tag')).toEqual([]);
  });
});
