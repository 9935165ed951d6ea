import { codexTranscripts } from '../../../src/agents/codex/transcripts.ts';
import '../../property-seed.ts';
import { joinReplies, jsonAbout, testTranscriptLaws } from '../transcript-laws.ts';
import { CWD, call, command, event, head, item, line, output, reply, tokens, user } from './rollout-lines.ts';

/** A rollout with a bit of everything. */
const LINES: readonly unknown[] = [
  head(),
  line('turn_context', { turn_id: '1', cwd: CWD, model: 'gpt-9' }),
  ...user('Boil the wäter — 水.'),
  item('reasoning', { summary: [] }),
  ...reply('First I look.'),
  ...command('c1', 'npm test', 1, '1 failed'),
  tokens(100),
  call('c2', 'exec_command', { cmd: 'npm run watch' }),
  output('c2', 'Wall time: 10.0 seconds\nProcess running with session ID 5\nOutput:\nwatching'),
  call('c3', 'write_stdin', { session_id: 5, chars: '' }),
  output('c3', 'Wall time: 1.0 seconds\nProcess exited with code 0\nOutput:\nbye'),
  line('compacted', { message: 'Done: A.' }),
  event('context_compacted'),
  call('c4', 'mcp__t__x', {}),
  event('mcp_tool_call_end', { call_id: 'c4', result: { Err: 'down' } }),
  output('c4', 'down'),
  item('custom_tool_call', { name: 'exec', input: 'await tools.exec_command({ cmd: "make" });', call_id: 's1' }),
  event('item_completed', { item: { type: 'CommandExecution', id: 'exec-1', command: ['make'], exit_code: 2 } }),
  item('custom_tool_call_output', { call_id: 's1', output: 'Script completed\nWall time 1.0 seconds\nOutput:\n' }),
  item('custom_tool_call', { name: 'exec', input: 'await tools.view_image({ path: "a.png" });', call_id: 's2' }),
  item('custom_tool_call_output', { call_id: 's2', output: 'Script failed\nWall time 1.0 seconds\nOutput:\nno' }),
  call('c5', 'exec_command', { cmd: 'sleep 100' }),
  event('turn_aborted', { reason: 'interrupted' }),
  line('turn_context', { cwd: `${CWD}/web`, model: 'gpt-10' }),
  ...user('Go on.'),
  ...reply('Done.'),
  tokens(200),
];

testTranscriptLaws(codexTranscripts, {
  lines: LINES,
  header: head(),
  garbage: [
    '{"timestamp":',
    { type: 'novelty', payload: {} },
    { type: 'event_msg', payload: { type: 'x' } },
    { type: 'event_msg', payload: 3 },
  ],
  anyLine: jsonAbout(
    'type payload timestamp role content text call_id id name arguments output input action command item info ' +
      'exit_code duration result message images cwd model git forked_from_id turn_id source',
    [
      'session_meta',
      'response_item',
      'event_msg',
      'turn_context',
      'compacted',
      'message',
      'function_call',
      'function_call_output',
      'local_shell_call',
      'web_search_call',
      'user_message',
      'agent_message',
      'token_count',
      'turn_aborted',
      'exec_command_end',
      'item_completed',
      'CommandExecution',
      'user',
      'assistant',
      'exec_command',
      'write_stdin',
      '2026-03-01T10:00:00Z',
      'Exit code: 99999999999999999999\nOutput:\n',
      'Process running with session ID 1\nOutput:\n',
    ],
  ),
  meaning: joinReplies,
});
