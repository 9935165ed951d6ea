import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clineTranscripts } from '../../../src/agents/cline/transcripts.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { eventsIn, withoutSkips } from '../read-transcript.ts';

const text = (content: string) => ({ type: 'text', text: content });

describe('sessions of the CLI', () => {
  const command = (...commands: unknown[]) => ({
    type: 'tool_use',
    id: 'c1',
    name: 'run_commands',
    input: { commands },
  });
  const answer = (content: unknown, more: object = {}) => ({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'c1', content, ...more }],
  });
  const sessionWith = (messages: readonly object[]): string => {
    const path = join(temporaryFolder(), 's1', 's1.messages.json');
    writeJson(path, { version: 1, origin: { source: 'cli', version: '3.0.65' }, messages });
    writeJson(join(dirname(path), 's1.json'), {
      session_id: 's1',
      cwd: '/home/mara/shop',
      workspace_root: '/home/mara',
    });
    return path;
  };

  test('are recognised, and their folder is in the file beside the messages', () => {
    const path = sessionWith([{ role: 'user', content: 'hello' }]);
    expect(clineTranscripts.recognises(path)).toBe(true);
    expect(eventsIn(clineTranscripts, path)[0]).toEqual({ type: 'session', sessionId: 's1', cwd: '/home/mara/shop' });
  });

  test('have what the user typed', () => {
    const prompts = [
      '<user_input mode="act">set up the cache client</user_input>',
      '<user_input mode="plan"><mode_notice>The user switched from act mode to plan mode.</mode_notice>and <b>now</b>?</user_input>',
      '<mode_notice>The user switched.</mode_notice>\n<user_input mode="yolo">go</user_input>\n<file_content path="a.ts">\nx\n</file_content>',
      '<hook_context source="PostToolUse">not words</hook_context>',
    ];
    const path = sessionWith(prompts.map((prompt) => ({ role: 'user', content: [text(prompt)] })));
    const messages = withoutSkips(eventsIn(clineTranscripts, path)).slice(1);
    expect(messages.map((event) => event.type === 'message' && event.text)).toEqual([
      'set up the cache client',
      'and <b>now</b>?',
      'go',
    ]);
  });

  test('have a call with an exit code for each command', () => {
    const path = sessionWith([
      { role: 'assistant', content: [command('npm ci', { command: 'npm', args: ['test', '--bail'] }, 'sleep 99')] },
      answer([
        { query: 'npm ci', result: 'added 3 packages', success: true },
        {
          query: 'npm test --bail',
          result: '[Command exited with code 3]\n\n[stderr]\n1 failing',
          error: 'Command exited with code 3',
          success: false,
        },
        { query: 'sleep 99', result: '', error: 'Command failed: Command timed out after 30000ms', success: false },
      ]),
    ]);
    const events = withoutSkips(eventsIn(clineTranscripts, path)).slice(1);
    expect(events).toEqual([
      { type: 'call', sessionId: 's1', callId: 'c1', tool: 'run_commands', input: { command: 'npm ci' } },
      { type: 'call', sessionId: 's1', callId: 'c1-2', tool: 'run_commands', input: { command: 'npm test --bail' } },
      { type: 'call', sessionId: 's1', callId: 'c1-3', tool: 'run_commands', input: { command: 'sleep 99' } },
      {
        type: 'result',
        sessionId: 's1',
        callId: 'c1',
        result: { status: 'ok', exitCode: 0, output: 'added 3 packages' },
      },
      {
        type: 'result',
        sessionId: 's1',
        callId: 'c1-2',
        result: { status: 'error', exitCode: 3, output: '[stderr]\n1 failing' },
      },
      {
        type: 'result',
        sessionId: 's1',
        callId: 'c1-3',
        result: { status: 'error', output: 'Command failed: Command timed out after 30000ms' },
      },
    ]);
  });

  test('have one result for all commands of a call that was not approved', () => {
    const refusal = JSON.stringify({ error: 'Tool "run_commands" requires approval in a TTY session' });
    const path = sessionWith([
      { role: 'assistant', content: [command('ls', 'pwd')] },
      answer(refusal, { is_error: true }),
    ]);
    const results = eventsIn(clineTranscripts, path).flatMap((event) => (event.type === 'result' ? [event] : []));
    expect(results).toMatchObject([
      { callId: 'c1', result: { status: 'rejected' } },
      { callId: 'c1-2', result: { status: 'rejected' } },
    ]);
  });

  test.each([
    [
      'editor',
      JSON.stringify({ query: 'edit:a.ts', result: '', error: 'Editor operation failed: no match', success: false }),
      { status: 'error', output: 'Editor operation failed: no match' },
    ],
    [
      'read_files',
      [
        { query: 'a.ts', result: 'const a', success: true },
        { query: 'b.ts', result: '', error: 'Error reading file: ENOENT', success: false },
      ],
      { status: 'ok', output: 'const a\nError reading file: ENOENT' },
    ],
    ['read_files', [{ query: 'log.txt', result: 'Error: old news', success: true }], { status: 'ok' }],
    ['search_codebase', [{ query: 'x', result: 'No results found', success: false }], { status: 'ok' }],
  ])('have the result of %s', (name, content, expected) => {
    const call = { type: 'tool_use', id: 'c1', name, input: {} };
    const path = sessionWith([{ role: 'assistant', content: [call] }, answer(content)]);
    const results = eventsIn(clineTranscripts, path).flatMap((event) =>
      event.type === 'result' ? [event.result] : [],
    );
    expect(results).toMatchObject([expected]);
  });
});

function writeJson(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(value));
}
