import { describe, expect, test } from 'vitest';
import { buildAttempt, describeRequest } from '../../../src/memory/call/build-attempt.ts';
import type { CallResult } from '../../../src/memory/index.ts';
import type { Outcome } from '../../../src/record/index.ts';
import { callOf } from './calls.ts';

function outcome(text: string, result: CallResult): Outcome {
  return buildAttempt(callOf('Bash', { command: text }), result).outcome;
}

function edit(result: CallResult): Outcome {
  return buildAttempt(callOf('Edit', { file_path: '/x', old_string: 'a', new_string: 'b' }), result).outcome;
}

describe('what the agent says counts', () => {
  test.each(['rejected', 'denied', 'interrupted', 'cancelled'] as const)('%s', (status) => {
    expect(outcome('npm test', { status, output: 'error: something' })).toBe(status);
  });

  test('nobody knows how it ended', () => {
    expect(outcome('npm test', { status: 'unknown' })).toBe('unclear');
  });
});

describe('an error that is no failure', () => {
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

  test('an input that the tool does not accept is a failure, whatever its words', () => {
    expect(edit({ status: 'invalid', output: 'InputValidationError: not allowed by policy' })).toBe(
      'failure',
    );
  });
});

describe('a search without a match', () => {
  test.each(['grep x a.txt', 'rg x', 'cat a | grep x', 'cd src && grep -r x .', 'git grep x'])(
    '%s',
    (text) => {
      expect(outcome(text, { status: 'error', exitCode: 1, output: '' })).toBe('noMatch');
      expect(outcome(text, { status: 'ok', exitCode: 1, output: '' })).toBe('noMatch');
    },
  );

  test('exit code 2, an output, or another program is a failure', () => {
    expect(outcome('grep x a', { status: 'error', exitCode: 2, output: '' })).toBe('failure');
    expect(outcome('grep x a', { status: 'error', exitCode: 1, output: 'grep: a: No such file' })).toBe(
      'failure',
    );
    expect(outcome('npm test', { status: 'error', exitCode: 1, output: '' })).toBe('failure');
    expect(outcome('grep x a && npm test', { status: 'error', exitCode: 1, output: '' })).toBe('failure');
  });
});

describe('exit codes', () => {
  test('another code than 0 is a failure though the agent says ok', () => {
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
  ])('%s hides how it ended: unclear when its output looks like a failure', (text, output) => {
    expect(outcome(text, { status: 'ok', exitCode: 0, output })).toBe('unclear');
    expect(outcome(text, { status: 'ok', exitCode: 0, output: 'all fine' })).toBe('success');
  });
});

test('megabytes of output are judged by their beginning and their end', () => {
  const noise = [
    '\n'.repeat(3_000_000),
    'x'.repeat(3_000_000),
    ' '.repeat(3_000_000),
    'a: '.repeat(1_000_000),
  ];
  for (const output of noise) {
    expect(outcome('make | tail', { status: 'ok', exitCode: 0, output })).toBe('success');
    expect(outcome('make | tail', { status: 'ok', exitCode: 0, output: `${output}\n1 failed` })).toBe(
      'unclear',
    );
    expect(outcome('make', { status: 'error', exitCode: 2, output })).toBe('failure');
  }
});

describe('the record of a call', () => {
  test('a failure has its error, class and error signature; a success its result and action', () => {
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

  test('names of assignments and wrappers are circumstances, their values are nowhere', () => {
    const { circumstances } = buildAttempt(callOf('Bash', { command: 'API_BASE=zzz sudo -E make x' }), {
      status: 'ok',
    });
    expect(circumstances).toEqual(expect.arrayContaining(['env:API_BASE', 'sudo']));
    expect(JSON.stringify(circumstances)).not.toContain('zzz');
  });

  test('long outputs keep head and tail', () => {
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
