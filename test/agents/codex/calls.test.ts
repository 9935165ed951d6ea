import { describe, expect, it } from 'vitest';
import { codexTranscripts } from '../../../src/agents/codex/transcripts.ts';
import { readLines } from '../transcript-laws.ts';
import { CWD, call, command, event, head, item, output } from './rollout-lines.ts';

function events(lines: readonly unknown[]) {
  return readLines(codexTranscripts, [head(), ...lines]);
}

function calls(lines: readonly unknown[]) {
  return events(lines).filter((found) => found.type === 'call');
}

function results(lines: readonly unknown[]) {
  return events(lines).flatMap((found) => (found.type === 'result' ? [{ callId: found.callId, ...found.result }] : []));
}

describe('a call in a rollout', () => {
  it('has the arguments of a function', () => {
    expect(calls(command('c1', 'npm test', 0, ''))).toEqual([
      expect.objectContaining({
        callId: 'c1',
        tool: 'exec_command',
        input: { cmd: 'npm test', workdir: CWD },
        cwd: CWD,
      }),
    ]);
  });

  it('has the text of a custom tool, such as a patch', () => {
    const patch = '*** Begin Patch\n*** Add File: a.ts\n+a\n*** End Patch';
    const lines = [
      item('custom_tool_call', { name: 'apply_patch', input: patch, call_id: 'c1', status: 'completed' }),
      event('patch_apply_end', { call_id: 'c1', success: true }),
      item('custom_tool_call_output', {
        call_id: 'c1',
        output: 'Exit code: 0\nWall time: 0.1 seconds\nOutput:\nSuccess.\n',
      }),
    ];
    expect(calls(lines)).toEqual([expect.objectContaining({ tool: 'apply_patch', input: { input: patch } })]);
    expect(results(lines)).toEqual([
      { callId: 'c1', status: 'ok', exitCode: 0, durationMs: 100, output: 'Success.\n' },
    ]);
  });

  it('has the command and the folder of a local shell', () => {
    const action = { type: 'exec', command: ['bash', '-lc', 'ls'], working_directory: 'web' };
    const lines = [
      item('local_shell_call', { call_id: 'c1', status: 'completed', action }),
      output('c1', '{"output":"a","metadata":{"exit_code":0,"duration_seconds":1.5}}'),
    ];
    expect(calls(lines)).toEqual([
      expect.objectContaining({
        tool: 'local_shell',
        input: { command: ['bash', '-lc', 'ls'], workdir: 'web' },
        cwd: `${CWD}/web`,
      }),
    ]);
    expect(results(lines)).toEqual([{ callId: 'c1', status: 'ok', exitCode: 0, durationMs: 1500, output: 'a' }]);
  });

  it('of a tool of the provider has a result at once', () => {
    const lines = [item('web_search_call', { status: 'completed', action: { type: 'search', query: 'kettle' } })];
    expect(calls(lines)).toEqual([
      expect.objectContaining({ tool: 'web_search', input: { type: 'search', query: 'kettle' } }),
    ]);
    expect(results(lines)).toHaveLength(1);
    expect(events(lines)).toEqual(events(lines));
  });

  it('of an MCP server has the name of the server', () => {
    const byName = call('c1', 'mcp__tracker__create', { title: 'x' });
    const byNamespace = item('function_call', {
      name: 'create',
      namespace: 'mcp__tracker__',
      arguments: '{}',
      call_id: 'c2',
    });
    expect(calls([byName, byNamespace]).map((found) => found.type === 'call' && found.tool)).toEqual([
      'mcp__tracker__create',
      'mcp__tracker__create',
    ]);
  });

  it('keeps arguments that are not JSON, and drops those nested too deeply', () => {
    const deep = `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`;
    const lines = [
      item('function_call', { name: 'x', arguments: '{torn', call_id: 'c1' }),
      item('function_call', { name: 'x', arguments: deep, call_id: 'c2' }),
    ];
    expect(calls(lines)).toEqual([
      expect.objectContaining({ input: { input: '{torn' } }),
      expect.objectContaining({ input: {} }),
    ]);
  });
});

describe('the result of a Codex call', () => {
  const ended = (text: unknown, tool = 'exec_command') => results([call('c1', tool, {}), output('c1', text)]);

  it.each([
    [
      'Chunk ID: 1\nWall time: 0.5 seconds\nProcess exited with code 2\nOriginal token count: 1\nOutput:\nboom',
      { status: 'error', exitCode: 2, durationMs: 500, output: 'boom' },
    ],
    [
      '{"output":"boom","metadata":{"exit_code":1,"duration_seconds":0.1}}',
      { status: 'error', exitCode: 1, output: 'boom' },
    ],
    [
      'Exit code: 127\nWall time: 0 seconds\nTotal output lines: 1\nOutput:\nnot found',
      { status: 'error', exitCode: 127, output: 'not found' },
    ],
    [
      'Exit code: 0\nWall time: 0 seconds\nOutput:\nExit code: 9',
      { status: 'ok', exitCode: 0, output: 'Exit code: 9' },
    ],
    ['apply_patch verification failed: Failed to find expected lines in a.ts', { status: 'invalid' }],
    ['failed to parse function arguments: missing field `cmd`', { status: 'invalid' }],
    [
      'exec_command failed for `/bin/zsh -lc x`: CreateProcess { message: "Rejected(\\"rejected by user\\")" }',
      { status: 'rejected' },
    ],
    ['patch rejected by user', { status: 'rejected' }],
    ['aborted by user after 3.2s', { status: 'interrupted' }],
    ['aborted', { status: 'interrupted' }],
    ['Command blocked by PreToolUse hook: not again. Command: make', { status: 'denied' }],
    ['exec_command failed for `x`: CreateProcess { message: "No such file" }', { status: 'error' }],
  ])('is derived from its output: %j', (text, expected) => {
    expect(ended(text)).toEqual([expect.objectContaining(expected)]);
  });

  it('is derived from output in parts, and from the objects of old files', () => {
    const head = 'Exit code: 3\nWall time: 0 seconds\nOutput:\nx';
    expect(ended([{ type: 'input_text', text: head }])).toEqual([expect.objectContaining({ exitCode: 3 })]);
    expect(ended({ content: 'no', success: false })).toEqual([
      expect.objectContaining({ status: 'error', output: 'no' }),
    ]);
  });

  it('ignores headers in the output of other tools', () => {
    expect(ended('Exit code: 1\nis what the log says', 'read_log')).toEqual([
      expect.objectContaining({ status: 'ok' }),
    ]);
  });

  it('is derived from events where the output does not show it', () => {
    const mcp = [
      call('c1', 'mcp__t__x', {}),
      event('mcp_tool_call_end', {
        call_id: 'c1',
        duration: { secs: 1, nanos: 500_000_000 },
        result: { Err: 'down' },
      }),
      output('c1', 'down'),
    ];
    expect(results(mcp)).toEqual([{ callId: 'c1', status: 'error', durationMs: 1500, output: 'down' }]);
    const softError = [
      call('c1', 'mcp__t__x', {}),
      event('mcp_tool_call_end', { call_id: 'c1', result: { Ok: { content: [], isError: true } } }),
      output('c1', 'no'),
    ];
    expect(results(softError)).toEqual([expect.objectContaining({ status: 'error' })]);
    const shell = [
      call('c1', 'shell', {}),
      event('exec_command_end', { call_id: 'c1', exit_code: 4, duration: { secs: 2, nanos: 0 } }),
      output('c1', 'boom'),
    ];
    expect(results(shell)).toEqual([{ callId: 'c1', status: 'error', exitCode: 4, durationMs: 2000, output: 'boom' }]);
    const patch = [
      call('c1', 'apply_patch', {}),
      event('patch_apply_end', { call_id: 'c1', success: false }),
      output('c1', 'no'),
    ];
    expect(results(patch)).toEqual([expect.objectContaining({ status: 'error' })]);
  });

  it('comes when its process has ended', () => {
    const started = [
      call('c1', 'exec_command', { cmd: 'npm test' }),
      output('c1', 'Chunk ID: 1\nWall time: 10.0 seconds\nProcess running with session ID 77\nOutput:\nstarting\n'),
    ];
    const look = (callId: string, text: string) => [
      call(callId, 'write_stdin', { session_id: 77, chars: '' }),
      output(callId, `Chunk ID: 2\nWall time: 5.0 seconds\n${text}\nOutput:\nmore`),
    ];
    expect(results(started)).toEqual([]);
    expect(
      results([
        ...started,
        ...look('c2', 'Process running with session ID 77'),
        ...look('c3', 'Process exited with code 1'),
      ]),
    ).toEqual([
      { callId: 'c2', status: 'ok', output: 'more' },
      { callId: 'c1', status: 'error', exitCode: 1, output: 'starting\nmore' },
      { callId: 'c3', status: 'ok', output: 'more' },
    ]);
    const end = event('exec_command_end', { call_id: 'c1', exit_code: 0, aggregated_output: 'all of it' });
    expect(results([...started, end, ...look('c2', 'Process exited with code 0')])).toEqual([
      { callId: 'c1', status: 'ok', exitCode: 0, output: 'all of it' },
      { callId: 'c2', status: 'ok', output: 'more' },
    ]);
  });

  it('is an interruption when the turn was aborted, whatever follows', () => {
    const lines = [
      call('c1', 'exec_command', {}),
      event('turn_aborted', { reason: 'interrupted' }),
      output('c1', 'aborted'),
    ];
    expect(results(lines)).toEqual([{ callId: 'c1', status: 'interrupted' }]);
  });

  it('is reported once from the items of a paged history', () => {
    const done = (type: string, fields: object) => event('item_completed', { turn_id: 't', item: { type, ...fields } });
    const commandItem = done('CommandExecution', {
      id: 'c1',
      command: ['bash', '-lc', 'make'],
      cwd: '/x',
      status: 'failed',
      exit_code: 2,
      aggregated_output: 'boom',
    });
    expect(calls([commandItem])).toEqual([
      expect.objectContaining({
        tool: 'exec_command',
        input: { command: ['bash', '-lc', 'make'], workdir: '/x' },
        cwd: '/x',
      }),
    ]);
    expect(results([commandItem])).toEqual([{ callId: 'c1', status: 'error', exitCode: 2, output: 'boom' }]);
    expect(results([...command('c1', 'make', 2, 'boom'), commandItem])).toHaveLength(1);
    const failed = done('McpToolCall', {
      id: 'c2',
      server: 't',
      tool: 'x',
      arguments: { a: 1 },
      status: 'failed',
      error: { message: 'down' },
    });
    expect(events([failed]).slice(1)).toEqual([
      expect.objectContaining({ tool: 'mcp__t__x', input: { a: 1 } }),
      expect.objectContaining({ result: { status: 'error', output: 'down' } }),
    ]);
    const said = [
      done('UserMessage', { id: 'u', content: [{ type: 'text', text: 'Boil.' }] }),
      done('AgentMessage', { id: 'a', content: [{ type: 'Text', text: 'Yes.' }] }),
    ];
    expect(events(said).flatMap((found) => (found.type === 'message' ? [found.text] : []))).toEqual(['Boil.', 'Yes.']);
  });
});

describe('a script in code mode', () => {
  const COMMAND = 'const r = await tools.exec_command({ cmd: "npm test" });\ntext(r.output);\n';
  const script = (text = COMMAND) =>
    item('custom_tool_call', { name: 'exec', input: text, call_id: 's1', status: 'completed' });
  const printed = (status: string, text: string, callId = 's1') =>
    item('custom_tool_call_output', {
      call_id: callId,
      output: [
        { type: 'input_text', text: `Script ${status}\nWall time 0.4 seconds\nOutput:\n` },
        { type: 'input_text', text },
      ],
    });
  const done = (type: string, fields: object) => event('item_completed', { turn_id: 't', item: { type, ...fields } });
  const ran = (exitCode: number, text: string) =>
    done('CommandExecution', {
      id: 'exec-1',
      command: ['/bin/bash', '-lc', 'npm test'],
      cwd: `file://${CWD}`,
      status: exitCode === 0 ? 'completed' : 'failed',
      exit_code: exitCode,
      aggregated_output: text,
    });
  const ids = (lines: readonly unknown[]) => calls(lines).map((found) => found.type === 'call' && found.callId);

  it('is not a call beside the calls that it makes', () => {
    const lines = [script(), ran(1, 'boom'), printed('completed', 'boom')];
    expect(calls(lines)).toEqual([expect.objectContaining({ callId: 'exec-1', tool: 'exec_command', cwd: CWD })]);
    expect(results(lines)).toEqual([{ callId: 'exec-1', status: 'error', exitCode: 1, output: 'boom' }]);
  });

  it('makes calls that only their end events show', () => {
    const lines = [
      script('text(await tools.mcp__tracker__create({ title: "x" }));'),
      event('mcp_tool_call_end', {
        call_id: 'exec-1',
        invocation: { server: 'tracker', tool: 'create', arguments: { title: 'x' } },
        duration: { secs: 1, nanos: 0 },
        result: { Err: 'down' },
      }),
      event('patch_apply_end', {
        call_id: 'exec-2',
        success: true,
        status: 'completed',
        changes: { '/x/a.ts': { type: 'update', unified_diff: '@@\n-a\n+b' } },
      }),
      printed('completed', 'down'),
    ];
    expect(calls(lines)).toEqual([
      expect.objectContaining({ callId: 'exec-1', tool: 'mcp__tracker__create', input: { title: 'x' } }),
      expect.objectContaining({ callId: 'exec-2', tool: 'apply_patch' }),
    ]);
    expect(results(lines)).toEqual([
      { callId: 'exec-1', status: 'error', durationMs: 1000, output: 'down' },
      { callId: 'exec-2', status: 'ok', output: '' },
    ]);
  });

  it('that a hook stopped shows the command that was denied', () => {
    const error =
      'Script error:\nCommand blocked by PreToolUse hook: yore: It failed before. Use ioredis.. Command: npm install redis-node';
    const lines = [script(), ran(0, 'ok'), printed('failed', error)];
    expect(calls(lines).at(-1)).toMatchObject({
      callId: 's1',
      tool: 'exec_command',
      input: { cmd: 'npm install redis-node' },
    });
    expect(results(lines).at(-1)).toMatchObject({ callId: 's1', status: 'denied' });
  });

  it('is a call itself if none of its calls is known', () => {
    expect(calls([script(), printed('completed', 'done')])).toEqual([
      expect.objectContaining({ callId: 's1', tool: 'exec', input: { input: COMMAND } }),
    ]);
    expect(results([script(), printed('completed', 'done')])).toEqual([{ callId: 's1', status: 'ok', output: 'done' }]);
    const failed = [script(), printed('failed', 'Script error:\napply_patch verification failed: no such line')];
    expect(results(failed)).toEqual([expect.objectContaining({ callId: 's1', status: 'invalid' })]);
    const wrong = [script(), printed('failed', 'Script error:\nTypeError: r is undefined')];
    expect(results(wrong)).toEqual([expect.objectContaining({ callId: 's1', status: 'invalid' })]);
  });

  it('is not a call if it only computes', () => {
    expect(ids([script('text(ALL_TOOLS.length);'), printed('completed', '12')])).toEqual([]);
  });

  it('may report progress before it ends, and be waited for', () => {
    const lines = [
      script(),
      item('custom_tool_call_output', { call_id: 's1', name: 'exec', output: 'half of it' }),
      printed('running with cell ID 7', ''),
      item('custom_tool_call_output', { call_id: 's1', name: 'exec', output: 'most of it' }),
      call('w1', 'wait', { cell_id: '7', yield_time_ms: 1000 }),
      ran(0, 'ok'),
      item('function_call_output', { call_id: 'w1', output: 'Script completed\nWall time 2.0 seconds\nOutput:\nok' }),
    ];
    expect(ids(lines)).toEqual(['exec-1']);
    expect(results(lines)).toHaveLength(1);
  });
});

describe('a process that still runs when its session ends', () => {
  const killed = (output?: string, more = {}) =>
    event('item_completed', {
      item: {
        type: 'CommandExecution',
        id: 'c1',
        command: ['bash', '-lc', 'npm run dev'],
        status: 'failed',
        exit_code: -1,
        ...(output === undefined ? {} : { aggregated_output: output }),
        ...more,
      },
    });

  it('has not failed', () => {
    expect(results([killed()])).toEqual([{ callId: 'c1', status: 'unknown', output: '' }]);
    expect(results([killed('ready\n', { stdout: 'ready\n', stderr: '' })])).toEqual([
      { callId: 'c1', status: 'unknown', output: 'ready\n' },
    ]);
    expect(results([killed('ready\n', { process_id: '6352', duration: { secs: 10, nanos: 0 } })])).toEqual([
      { callId: 'c1', status: 'unknown', output: 'ready\n' },
    ]);
    const started = [
      call('c1', 'exec_command', { cmd: 'npm run dev' }),
      output('c1', 'Chunk ID: 1\nWall time: 10.0 seconds\nProcess running with session ID 77\nOutput:\nready\n'),
    ];
    expect(results([...started, killed('')])).toEqual([{ callId: 'c1', status: 'unknown', output: 'ready\n' }]);
  });

  it('differs from a command that could not be started', () => {
    const message = 'No such file or directory';
    const failed = { callId: 'c1', status: 'error', exitCode: -1, output: message };
    expect(results([killed(message)])).toEqual([failed]);
    expect(results([killed(message, { stderr: message })])).toEqual([failed]);
  });
});
