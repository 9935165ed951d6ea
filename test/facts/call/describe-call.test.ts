import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildAttempt, describeRequest } from '../../../src/facts/attempt/build-attempt.ts';
import { analyseCall } from '../../../src/facts/call/analyse-call.ts';
import { describeAttempt } from '../../../src/facts/call/command-text.ts';
import { describeCall, relativePath } from '../../../src/facts/call/describe-call.ts';
import type { CallResult, ToolCall, ToolFamily } from '../../../src/facts/call/tool-call.ts';
import { parseAttempt } from '../../../src/record/index.ts';
import { redactValue } from '../../../src/redact/index.ts';
import { analysed, callOf, command, ROOT } from './calls.ts';

/** An invented secret, assembled here so that it does not occur in the repository. */
const SECRET = ['ghp', 'x7Kq2mVt9Zb4Lw8Rn1Yc5Hd3Fg6Js0PaQeUi'].join('_');

describe('tools of the agents', () => {
  const file = `${ROOT}/src/a.ts`;
  test.each<[tool: string, input: Record<string, unknown>, family: ToolFamily, signature: string]>([
    ['Bash', { command: 'npm test', description: 'Run tests', timeout: 5 }, 'shell', 'sh npm test'],
    ['exec_command', { cmd: 'npm test', workdir: ROOT, yield_time_ms: 9 }, 'shell', 'sh npm test'],
    ['shell', { command: ['bash', '-lc', 'npm test'] }, 'shell', 'sh npm test'],
    ['shell', { command: ['npm', 'test'], workdir: ROOT }, 'shell', 'sh npm test'],
    ['local_shell_call', { command: ['npm', 'test'] }, 'shell', 'sh npm test'],
    ['run_shell_command', { command: 'npm test', description: 'x' }, 'shell', 'sh npm test'],
    ['bash', { command: 'npm test', async: false }, 'shell', 'sh npm test'],
    ['run_terminal_cmd', { command: 'npm test', explanation: 'x' }, 'shell', 'sh npm test'],
    ['Read', { file_path: file }, 'read', 'read src/a.ts'],
    ['Read', { file_path: file, offset: 10, limit: 5 }, 'read', 'read src/a.ts#part'],
    ['view', { path: file }, 'read', 'read src/a.ts'],
    ['view', { path: file, view_range: [1, 9] }, 'read', 'read src/a.ts#part'],
    ['read_file', { absolute_path: file }, 'read', 'read src/a.ts'],
    ['read_files', { files: [{ path: file }] }, 'read', 'read src/a.ts'],
    ['editor', { path: file, old_text: 'x', new_text: 'y' }, 'edit', 'editor src/a.ts new_text=y old_text=x'],
    ['Write', { file_path: file, content: 'x' }, 'write', 'write src/a.ts'],
    ['create', { path: file, file_text: 'x' }, 'write', 'write src/a.ts'],
    ['write_file', { file_path: file, content: 'x' }, 'write', 'write src/a.ts'],
    ['Grep', { pattern: 'foo', path: `${ROOT}/src` }, 'search', 'Grep src pattern=foo'],
    ['Glob', { pattern: '**/*.ts' }, 'list', 'Glob pattern=**/*.ts'],
    ['mcp__tracker__get', { id: 'A-1', full: true }, 'other', 'mcp__tracker__get full=true id=A-1'],
    ['mcp__tracker__get', { full: true, id: 'A-1' }, 'other', 'mcp__tracker__get full=true id=A-1'],
  ])('%s %j', (tool, input, family, signature) => {
    const call = analysed(tool, input);
    expect(call.family).toBe(family);
    expect(call.signature).toBe(signature);
  });

  test.each([
    ['Edit', { file_path: file, old_string: 'a', new_string: 'b' }],
    ['replace', { file_path: file, old_string: 'a', new_string: 'b' }],
    ['edit', { path: file, old_str: 'a', new_str: 'b' }],
    ['str_replace_based_edit_tool', { path: file, old_str: 'a', new_str: 'b' }],
    ['MultiEdit', { file_path: file, edits: [{ old_string: 'a', new_string: 'b' }] }],
  ])('%s has a signature of the replaced text, not of the replacement', (tool, input) => {
    const other = JSON.parse(JSON.stringify(input).replace(':"a"', ':"c"')) as typeof input;
    const call = analysed(tool, input);
    expect(call).toMatchObject({ family: 'edit', creates: ['src/a.ts'], isNoOp: false });
    expect(call.signature).toMatch(/^edit src\/a\.ts /);
    expect(analysed(tool, other).signature).not.toBe(call.signature);
    if (tool === 'MultiEdit') return;
    const again = JSON.parse(JSON.stringify(input).replace(':"b"', ':"d"')) as typeof input;
    expect(analysed(tool, again).signature).toBe(call.signature);
  });

  test('finds the files that a patch changes', () => {
    const patch = '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** Add File: src/new.ts\n+x\n*** End Patch';
    const call = analysed('apply_patch', { input: patch });
    expect(call).toMatchObject({ family: 'patch', action: 'edit', creates: ['src/a.ts', 'src/new.ts'] });
    expect(analysed('apply_patch', { input: `${patch}\n` }).signature).not.toBe(call.signature);
  });

  test('names the file of a patch, the first of several', () => {
    const patch = '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** Add File: src/new.ts\n+x\n*** End Patch';
    const web = { cwd: `${ROOT}/web` };
    const describe = (input: Record<string, unknown>, more = {}) => {
      const fields = describeCall(callOf('apply_patch', input, more));
      return [fields.path, describeAttempt(fields)];
    };
    expect(describe({ input: patch })).toEqual(['src/a.ts', 'edit src/a.ts']);
    expect(describe({ command: patch }, web)).toEqual(['web/src/a.ts', 'edit web/src/a.ts']);
    expect(describe({ changes: { [`${ROOT}/b.ts`]: { type: 'update' } } })).toEqual(['b.ts', 'edit b.ts']);
    expect(describe({ input: 'no patch' })).toEqual([undefined, 'apply_patch no patch']);
  });

  test('describes unknown tools, empty names and odd arguments', () => {
    for (const tool of ['', 'frobnicate', '__proto__', 'constructor', 'ツール']) {
      for (const input of [{}, { command: 5 }, { path: null }, { command: [] }, { a: [[[]]] }]) {
        expect(analysed(tool, input).needs.length).toBeGreaterThan(0);
      }
    }
  });
});

describe('paths', () => {
  test.each([
    ['/home/kim/app/src/a.ts', '/home/kim/app', 'src/a.ts'],
    ['/home/kim/app', '/home/kim/app', '.'],
    ['/home/kim/app/', '/home/kim/app', '.'],
    ['/home/kim/app/src/../b.ts', '/home/kim/app', 'b.ts'],
    ['/home/kim/app2/b.ts', '/home/kim/app', '/home/kim/app2/b.ts'],
    ['src//a.ts', '/home/kim/app', 'src/a.ts'],
    ['./src/a.ts', undefined, 'src/a.ts'],
  ])('%s relative to %s is %s', (path, root, expected) => {
    expect(relativePath(path, root)).toBe(expected);
  });

  test('makes Windows paths relative to the checkout, however the drive is written', () => {
    const root = 'C:\\Users\\kim\\app';
    for (const path of [
      'C:\\Users\\kim\\app\\src\\a.ts',
      'c:\\Users\\kim\\app\\src\\a.ts',
      'C:/Users/kim/app/src/a.ts',
    ]) {
      const call = analysed('Read', { file_path: path }, { root, cwd: root });
      expect(call.signature).toBe('read src/a.ts');
    }
    const fields = describeCall(callOf('Bash', { command: 'npm test' }, { root, cwd: 'C:\\Users\\kim\\app\\sub' }));
    expect(fields.cwd).toBe('sub');
    expect(analyseCall(fields).signature).toBe('sh @sub npm test');
  });

  test('keeps a folder outside the checkout', () => {
    expect(command('make', { cwd: '/srv/other' }).signature).toBe('sh @/srv/other make');
    expect(command('make', { cwd: `${ROOT}/sub` }).signature).toBe('sh @sub make');
    expect(command('cd sub && make').signature).toBe('sh @sub make');
  });

  test('finds the same need however a file is named', () => {
    for (const text of ['cat src/a.ts', 'cat ./src/a.ts', `cat ${ROOT}/src/a.ts`, 'cd src && cat a.ts']) {
      expect(command(text).needs).toContain('path:src/a.ts');
    }
    expect(analysed('Read', { file_path: `${ROOT}/src/a.ts` }).needs).toContain('path:src/a.ts');
  });

  test('records no home folder', () => {
    const fields = describeCall(callOf('Bash', { command: `cat ${ROOT}/x /home/kim/other/y`, cwd: ROOT }));
    expect(JSON.stringify(fields)).not.toContain('kim');
  });

  test('truncates a path of megabytes', () => {
    const fields = describeCall(callOf('Read', { file_path: `/${'x'.repeat(5_000_000)}` }));
    expect(JSON.stringify(fields).length).toBeLessThan(10_000);
  });
});

describe('redaction', () => {
  test.each<[string, ToolCall]>([
    ['in a command', callOf('Bash', { command: `curl -H "Authorization: Bearer ${SECRET}" https://x.example` })],
    ['in an argument', callOf('mcp__web__get', { url: `https://x.example/?token=${SECRET}` })],
    ['inside a nested argument', callOf('mcp__web__get', { headers: { authorization: `Bearer ${SECRET}` } })],
    ['told by the name of the argument', callOf('mcp__db__open', { password: 'kD93-mmQ2-x81z-PLq7' })],
    ['in an edit', callOf('Edit', { file_path: '/x', old_string: `key = "${SECRET}"`, new_string: 'b' })],
    ['in a path', callOf('Read', { file_path: `/srv/${SECRET}/a` })],
  ])('records no secret %s, not even in the signature', (_, call) => {
    const attempt = buildAttempt(call, { status: 'error', output: `it failed with ${SECRET}` });
    const text = JSON.stringify(attempt);
    expect(text).not.toContain(SECRET.slice(4, 30));
    expect(text).not.toContain('kD93');
  });

  test('truncates a request without splitting a secret', () => {
    const request = `${'word '.repeat(97)}use ${SECRET} for it`;
    const context = { request: describeRequest(request) };
    const attempt = buildAttempt(callOf('Bash', { command: 'ls' }), { status: 'ok' }, context);
    expect(attempt.context).toMatch(/^word /);
    expect(attempt.context).not.toContain(SECRET.slice(0, 8));
  });

  test('computes the same signature before the call and from its record', () => {
    const value = fc.oneof(
      fc.string(),
      fc.constant(SECRET),
      fc.constant('/home/kim/x'),
      fc.jsonValue({ maxDepth: 2 }),
      fc.string({ minLength: 1000, maxLength: 4000 }),
    );
    const input = fc.dictionary(
      fc.oneof(
        fc.constantFrom('command', 'cmd', 'file_path', 'path', 'old_string', 'new_string', 'password', 'token'),
        fc.string(),
      ),
      value,
      { maxKeys: 6 },
    );
    const tool = fc.constantFrom(
      'Bash',
      'Read',
      'Edit',
      'MultiEdit',
      'apply_patch',
      'Grep',
      'mcp__a__b',
      'exec_command',
    );
    const result: CallResult = { status: 'error', output: 'no' };
    fc.assert(
      fc.property(tool, input, (name, given) => {
        const call = callOf(name, given);
        const expected = analyseCall(describeCall(call)).signature;
        const attempt = buildAttempt(call, result);
        expect(attempt.signature).toBe(expected);
        const written = JSON.parse(JSON.stringify(redactValue({ v: 1, id: '1', ...attempt }))) as unknown;
        const read = parseAttempt(written);
        if (!read.ok || read.record.tool === undefined) throw new Error('not readable');
        expect(analyseCall({ ...read.record, tool: read.record.tool }).signature).toBe(expected);
      }),
      { numRuns: 300 },
    );
  });
});

test('recognises an edit without effect, unless the difference may have been masked or truncated', () => {
  const edit = (before: string, after: string) =>
    analysed('Edit', { file_path: '/x', old_string: before, new_string: after }).isNoOp;
  expect(edit('same', 'same')).toBe(true);
  expect(edit('same', 'other')).toBe(false);
  expect(edit(`k = ${SECRET}`, `k = ${SECRET.replace('x7', 'y8')}`)).toBe(false);
  const long = 'x'.repeat(3000);
  expect(edit(`${long}a${long}`, `${long}b${long}`)).toBe(false);
});

test('truncates a command of five megabytes, always in the same way', () => {
  const call = callOf('Bash', { command: `echo ${'a long line of words '.repeat(250_000)}` });
  const fields = describeCall(call);
  expect(fields.command?.length).toBeLessThan(10_000);
  expect(describeCall(call)).toEqual(fields);
});

test('treats a call outside the sandbox as another call', () => {
  const plain = analysed('exec_command', { cmd: 'go test' });
  const outside = analysed('exec_command', { cmd: 'go test', with_escalated_permissions: true });
  expect(outside.signature).not.toBe(plain.signature);
});
