import { describe, expect, it } from 'vitest';
import { claudeCodeTranscripts } from '../../../src/agents/claude-code/transcripts.ts';
import { readLines } from '../transcript-laws.ts';
import { call, failure, line, reply, result, shellResult, user } from './session-lines.ts';

function results(lines: readonly unknown[]) {
  return readLines(claudeCodeTranscripts, lines).flatMap((event) =>
    event.type === 'result' ? [{ callId: event.callId, ...event.result }] : [],
  );
}

describe('the result of a Claude Code call', () => {
  it.each([
    [
      'Exit code 2\nsrc/a.ts(1,1): error TS1005',
      { status: 'error', exitCode: 2, output: 'src/a.ts(1,1): error TS1005' },
    ],
    ['Exit code 1', { status: 'error', exitCode: 1, output: '' }],
    [
      "The user doesn't want to proceed with this tool use. The tool use was rejected. STOP what you are doing and wait for the user to tell you how to proceed.",
      { status: 'rejected' },
    ],
    ["The user doesn't want to take this action right now. STOP", { status: 'rejected' }],
    ['[Request interrupted by user for tool use]', { status: 'interrupted' }],
    [
      '<tool_use_error>Sibling tool call errored</tool_use_error>',
      { status: 'cancelled', output: 'Sibling tool call errored' },
    ],
    ['<tool_use_error>Cancelled: parallel tool call Bash(x) errored</tool_use_error>', { status: 'cancelled' }],
    [
      '<tool_use_error>String to replace not found in file.</tool_use_error>',
      { status: 'invalid', output: 'String to replace not found in file.' },
    ],
    ['Permission to use Bash with command rm -rf / has been denied.', { status: 'denied' }],
    ["Claude requested permissions to write to /etc/hosts, but you haven't granted it yet.", { status: 'denied' }],
    ['PreToolUse:Bash hook error: [guard.sh]: not here', { status: 'denied' }],
    ['yore: this failed twice yesterday', { status: 'denied' }],
    ['ENOENT: no such file or directory', { status: 'error', output: 'ENOENT: no such file or directory' }],
  ])('is derived from the error text: %j', (content, expected) => {
    expect(results([failure('toolu_1', content)])).toEqual([
      expect.objectContaining({ callId: 'toolu_1', ...expected }),
    ]);
  });

  it('is a success with both streams of a shell', () => {
    expect(results([shellResult('toolu_1', 'out', { stderr: 'err' })])).toEqual([
      { callId: 'toolu_1', status: 'ok', output: 'out\nerr' },
    ]);
  });

  it('is an interruption or an error when the command was stopped', () => {
    const [stopped, timedOut] = results([
      shellResult('toolu_1', 'partial', { interrupted: true }),
      shellResult('toolu_2', 'partial', { timedOutAfterMs: 1000 }),
    ]);
    expect([stopped?.status, timedOut?.status]).toEqual(['interrupted', 'error']);
  });

  it('has an exit code for a search that found nothing, and for no other success', () => {
    const found = results([
      shellResult('toolu_1', '', { returnCodeInterpretation: 'No matches found' }),
      shellResult('toolu_2', '', { returnCodeInterpretation: 'Files differ' }),
    ]);
    expect(found).toEqual([
      { callId: 'toolu_1', status: 'ok', output: '', exitCode: 1 },
      { callId: 'toolu_2', status: 'ok', output: '' },
    ]);
  });

  it('leaves out what the program appends to the output', () => {
    expect(results([result('toolu_1', '     1→a\n\n<system-reminder>\nCareful.\n</system-reminder>\n')])).toEqual([
      { callId: 'toolu_1', status: 'ok', output: '     1→a' },
    ]);
  });

  it('is reported for each of several results in one line', () => {
    const blocks = ['a', 'b'].map((id) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: [{ type: 'text', text: id }],
    }));
    expect(results([user(blocks, { toolUseResult: { stdout: 'not of both' } })]).map((found) => found.output)).toEqual([
      'a',
      'b',
    ]);
  });

  it('is denied when a hook blocked the call', () => {
    const denial = {
      type: 'hook_blocking_error',
      hookEvent: 'PreToolUse',
      toolUseID: 'toolu_1',
      blockingError: {},
    };
    const [found] = results([
      line({ type: 'attachment', attachment: denial }),
      failure('toolu_1', 'Do not touch this.'),
    ]);
    expect(found?.status).toBe('denied');
  });

  it('comes when a background command ends', () => {
    const lines = [
      reply('m', call('toolu_1', 'Bash', { command: 'npm test', run_in_background: true })),
      shellResult('toolu_1', '', { backgroundTaskId: 'b7' }),
    ];
    const notice = (status: string, summary: string) =>
      `<task-notification>\n<task-id>b7</task-id>\n<tool-use-id>toolu_1</tool-use-id>\n<status>${status}</status>\n<summary>${summary}</summary>\n</task-notification>`;
    expect(results(lines)).toEqual([]);
    const failed = user(notice('failed', 'Background command "npm test" failed with exit code 3'));
    expect(results([...lines, failed, failed])).toEqual([
      expect.objectContaining({ callId: 'toolu_1', status: 'error', exitCode: 3 }),
    ]);
    const ended = user(notice('completed', 'Background command "npm test" completed (exit code 0)'));
    expect(results([...lines, ended])).toEqual([expect.objectContaining({ status: 'ok', exitCode: 0 })]);
  });

  it('comes when the model reads a finished background command', () => {
    const lines = [
      shellResult('toolu_1', '', { backgroundTaskId: 'b7' }),
      result('toolu_2', 'still', { toolUseResult: { shellId: 'b7', status: 'running', stdout: '' } }),
      result('toolu_3', 'done', {
        toolUseResult: { task: { task_id: 'b7', status: 'completed', exitCode: 1, output: 'boom' } },
      }),
    ];
    expect(results(lines)).toEqual([
      expect.objectContaining({ callId: 'toolu_2', status: 'ok' }),
      { callId: 'toolu_1', status: 'error', exitCode: 1, output: 'boom' },
      expect.objectContaining({ callId: 'toolu_3', status: 'ok' }),
    ]);
  });

  it('is known at once for tools of the provider', () => {
    const use = { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { query: 'kettle' } };
    const found = {
      type: 'web_search_tool_result',
      tool_use_id: 'srv_1',
      content: [{ type: 'web_search_result', title: 'K', url: 'https://k' }],
    };
    expect(results([reply('m', use), reply('m', found)])).toEqual([
      { callId: 'srv_1', status: 'ok', output: 'K https://k' },
    ]);
  });
});
