import { describe, expect, test } from 'vitest';
import { buildAttempt, describeRequest } from '../../../src/facts/attempt/build-attempt.ts';
import type { CallResult } from '../../../src/facts/call/tool-call.ts';
import type { Outcome } from '../../../src/record/index.ts';
import { callOf } from '../call/calls.ts';

function outcome(text: string, result: CallResult): Outcome {
  return buildAttempt(callOf('Bash', { command: text }), result).outcome;
}

function edit(result: CallResult): Outcome {
  return buildAttempt(callOf('Edit', { file_path: '/x', old_string: 'a', new_string: 'b' }), result).outcome;
}

describe('status reported by the agent', () => {
  test.each(['rejected', 'denied', 'interrupted', 'cancelled'] as const)('%s', (status) => {
    expect(outcome('npm test', { status, output: 'error: something' })).toBe(status);
  });

  test('records an unknown status as unclear', () => {
    expect(outcome('npm test', { status: 'unknown' })).toBe('unclear');
  });
});

describe('errors that are not failures', () => {
  test.each<[string, Outcome]>([
    ["The user doesn't want to proceed with this tool use. The tool use was rejected", 'rejected'],
    ['exec command rejected by user', 'rejected'],
    ['[Request interrupted by user for tool use]', 'interrupted'],
    ['aborted by user after 3.1s', 'interrupted'],
    ['<tool_use_error>Sibling tool call errored</tool_use_error>', 'cancelled'],
    ['Permission to use Bash with command rm has been denied.', 'denied'],
    ['This command requires approval', 'denied'],
    ['String to replace not found in file.', 'failure'],
  ])('%s: %s', (output, expected) => {
    expect(edit({ status: 'error', output })).toBe(expected);
  });

  test('records an invalid input as a failure, whatever its message', () => {
    expect(edit({ status: 'invalid', output: 'InputValidationError: not allowed by policy' })).toBe('failure');
  });
});

describe('searches without a match', () => {
  test.each(['grep x a.txt', 'rg x', 'cat a | grep x', 'cd src && grep -r x .', 'git grep x'])('%s', (text) => {
    expect(outcome(text, { status: 'error', exitCode: 1, output: '' })).toBe('noMatch');
    expect(outcome(text, { status: 'ok', exitCode: 1, output: '' })).toBe('noMatch');
  });

  test('records exit code 2, an output or another program as a failure', () => {
    expect(outcome('grep x a', { status: 'error', exitCode: 2, output: '' })).toBe('failure');
    expect(outcome('grep x a', { status: 'error', exitCode: 1, output: 'grep: a: No such file' })).toBe('failure');
    expect(outcome('npm test', { status: 'error', exitCode: 1, output: '' })).toBe('failure');
    expect(outcome('grep x a && npm test', { status: 'error', exitCode: 1, output: '' })).toBe('failure');
  });
});

describe('exit codes', () => {
  test('records an exit code other than 0 as a failure though the agent reports ok', () => {
    expect(outcome('npm test', { status: 'ok', exitCode: 1, output: 'x' })).toBe('failure');
    expect(outcome('npm test', { status: 'ok', exitCode: 0, output: '1 failed' })).toBe('success');
    expect(outcome('npm test', { status: 'ok' })).toBe('success');
  });

  test.each([
    ['npm test | tail -5', 'Tests  1 failed | 3 passed'],
    ['npm test || true', 'npm ERR! Test failed.'],
    ['make; echo done', 'a.c:3: error: expected ;\ndone'],
    ['foo 2>&1 | head', 'bash: foo: command not found'],
    ['go test ./... | tee log', '--- FAIL: TestX (0.00s)'],
    ['./x.sh; echo "exit: $?"', 'exit: 2'],
  ])('%s hides its exit code: unclear if its output looks like a failure', (text, output) => {
    expect(outcome(text, { status: 'ok', exitCode: 0, output })).toBe('unclear');
    expect(outcome(text, { status: 'ok', exitCode: 0, output: 'all fine' })).toBe('success');
  });
});

test('judges megabytes of output by their head and tail', () => {
  const noise = ['\n'.repeat(3_000_000), 'x'.repeat(3_000_000), ' '.repeat(3_000_000), 'a: '.repeat(1_000_000)];
  for (const output of noise) {
    expect(outcome('make | tail', { status: 'ok', exitCode: 0, output })).toBe('success');
    expect(outcome('make | tail', { status: 'ok', exitCode: 0, output: `${output}\n1 failed` })).toBe('unclear');
    expect(outcome('make', { status: 'error', exitCode: 2, output })).toBe('failure');
  }
});

describe('buildAttempt', () => {
  test('records error, class and error signature of a failure, result and action of a success', () => {
    const failed = buildAttempt(
      callOf('Bash', { command: 'cat nope' }, { callId: 'c1', agent: 'claude-code', branch: 'main' }),
      {
        status: 'error',
        exitCode: 1,
        durationMs: 12,
        output: 'cat: nope: No such file or directory',
      },
    );
    expect(failed).toMatchObject({
      ...{
        sessionId: 's1',
        callId: 'c1',
        agent: 'claude-code',
        branch: 'main',
        tool: 'Bash',
        command: 'cat nope',
      },
      ...{ outcome: 'failure', exitCode: 1, durationMs: 12, kind: 'missing', signature: 'sh cat nope' },
      error: 'cat: nope: No such file or directory',
    });
    expect(failed.errorSignature).toBeTruthy();
    expect(failed).not.toHaveProperty('result');
    const passed = buildAttempt(
      callOf('Bash', { command: 'npm test' }),
      { status: 'ok', output: '5 passed' },
      { request: describeRequest('fix the login') },
    );
    expect(passed).toMatchObject({
      outcome: 'success',
      kind: 'test',
      result: '5 passed',
      context: 'fix the login',
    });
    expect(passed).not.toHaveProperty('error');
  });

  test('records the names of assignments and wrappers as circumstances, never their values', () => {
    const { circumstances } = buildAttempt(callOf('Bash', { command: 'API_BASE=zzz sudo -E make x' }), {
      status: 'ok',
    });
    expect(circumstances).toEqual(expect.arrayContaining(['env:API_BASE', 'sudo']));
    expect(JSON.stringify(circumstances)).not.toContain('zzz');
  });

  test('keeps head and tail of long outputs', () => {
    const output = `first line\n${'x y z\n'.repeat(100_000)}last line`;
    const { error } = buildAttempt(callOf('Bash', { command: 'make' }), {
      status: 'error',
      exitCode: 2,
      output,
    });
    expect(error?.length).toBeLessThan(4000);
    expect(error).toMatch(/^first line\n.*characters left out.*\nlast line$/s);
  });
});
