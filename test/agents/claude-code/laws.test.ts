import { claudeCodeTranscripts } from '../../../src/agents/claude-code/transcripts.ts';
import '../../property-seed.ts';
import { joinReplies, jsonAbout, testTranscriptLaws } from '../transcript-laws.ts';
import { call, failure, line, reply, result, SESSION, shellResult, text, user } from './session-lines.ts';

/** A session with a bit of everything. */
const LINES: readonly unknown[] = [
  { type: 'permission-mode', permissionMode: 'auto', sessionId: SESSION },
  user('Boil the wäter — 水.'),
  reply('msg_1', { type: 'thinking', thinking: 'hm' }),
  reply('msg_1', text('First I look.')),
  reply('msg_1', call('toolu_1', 'Bash', { command: 'npm test' })),
  line({ type: 'progress', data: { type: 'bash_progress' } }),
  reply('msg_1', call('toolu_2', 'Bash', { command: 'npm run lint', run_in_background: true })),
  failure('toolu_1', 'Exit code 1\n1 failed'),
  shellResult('toolu_2', '', { backgroundTaskId: 'b1' }),
  reply('msg_2', text('Now I mend it.')),
  reply('msg_2', call('toolu_3', 'Edit', { file_path: 'a.ts', old_string: 'a', new_string: 'b' })),
  result('toolu_3', 'The file a.ts has been updated.'),
  user(
    '<task-notification><task-id>b1</task-id><tool-use-id>toolu_2</tool-use-id><status>completed</status><summary>completed (exit code 0)</summary></task-notification>',
  ),
  line({ type: 'system', subtype: 'compact_boundary' }),
  user('This session is being continued from a previous conversation.', { isCompactSummary: true }),
  user('Side task.', { isSidechain: true, uuid: 's1' }),
  reply('msg_3', text('Side answer.'), { isSidechain: true, uuid: 's2', parentUuid: 's1' }),
  line({ type: 'queue-operation', operation: 'enqueue', content: 'Not on this branch.' }),
  line({ type: 'queue-operation', operation: 'enqueue', content: 'On another branch.' }),
  line({ type: 'queue-operation', operation: 'remove' }),
  line({ type: 'queue-operation', operation: 'dequeue' }),
  user('On another branch.', { gitBranch: 'other' }),
  reply('msg_4', text('Done.')),
];

testTranscriptLaws(claudeCodeTranscripts, {
  lines: LINES,
  header: user('a'),
  garbage: ['{"type":"user"', { type: 'novelty' }, { type: 7 }, {}, { type: 'system' }],
  anyLine: jsonAbout(
    'type message content sessionId uuid parentUuid isSidechain timestamp toolUseResult id name input text ' +
      'tool_use_id is_error attachment prompt origin subtype usage source forkedFrom cwd task gitBranch operation',
    [
      'user',
      'queue-operation',
      'enqueue',
      'remove',
      'assistant',
      'system',
      'attachment',
      'text',
      'image',
      'tool_use',
      'tool_result',
      'compact_boundary',
      'queued_command',
      'local_command',
      '2026-03-01T10:00:00Z',
      'Exit code 99999999999999999999',
      '<persisted-output>\nFull output saved to: /x/tool-results/..',
      '<task-notification>',
    ],
  ),
  meaning: joinReplies,
});
