import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clineTranscripts, rooTranscripts } from '../../../src/agents/cline/transcripts.ts';
import type { ReadPosition, TranscriptLocations } from '../../../src/agents/transcript/transcript.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { eventsIn, eventsOneByOne, openFile, skipped, withoutSkips } from '../read-transcript.ts';
import { jsonAbout } from '../transcript-laws.ts';

const text = (content: string) => ({ type: 'text', text: content });
const ENVIRONMENT = text(
  '<environment_details>\n# VSCode Visible Files\nsrc/app.ts\n\n# Current Working Directory (/home/mara/shop) Files\nsrc/\n</environment_details>',
);
const OLD_TASK = [
  { role: 'user', content: [text('<task>\nFix the tests\n</task>'), ENVIRONMENT] },
  {
    role: 'assistant',
    content: [
      text(
        '<thinking>First the tests.</thinking>\n\nI run them.\n\n<execute_command>\n<command>npm test && echo "<done>"</command>\n<requires_approval>false</requires_approval>\n</execute_command>',
      ),
    ],
  },
  {
    role: 'user',
    content: [
      text('[execute_command for \'npm test && echo "<done>"\'] Result:'),
      text(
        "Command executed in terminal within working directory '/home/mara/shop'. Exit code: 1\nOutput:\n1 failed <task>not words</task>",
      ),
      ENVIRONMENT,
    ],
  },
  {
    role: 'assistant',
    content:
      '<replace_in_file>\n<path>src/app.ts</path>\n<diff>\n<<<<<<< SEARCH\n</diff>\n=======\n>>>>>>> REPLACE\n</diff>\n</replace_in_file>',
  },
  {
    role: 'user',
    content: [
      text("[replace_in_file for 'src/app.ts'] Result:"),
      text(
        'The user denied this operation and provided the following feedback:\n<feedback>\nNot like this\n</feedback>',
      ),
      ENVIRONMENT,
    ],
  },
  {
    role: 'assistant',
    content: [text('<attempt_completion>\n<result>\nThe tests pass.\n</result>\n</attempt_completion>')],
  },
  {
    role: 'user',
    content: [
      text('[attempt_completion] Result:'),
      text('The user has provided feedback on the results.\n<feedback>\nThey do not\n</feedback>'),
    ],
  },
];
const NEW_TASK = [
  {
    role: 'user',
    ts: 1_790_000_000_000,
    content: [
      text('<task>\nWhat is on this picture?\n</task>'),
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGVsbG8=' } },
      ENVIRONMENT,
    ],
  },
  {
    role: 'assistant',
    ts: 1_790_000_001_000,
    modelInfo: { modelId: 'kimi-k3', providerId: 'x' },
    metrics: { tokens: { prompt: 50, completion: 7, cached: 3 } },
    content: [
      { type: 'thinking', thinking: 'hm' },
      text('I look around.'),
      { type: 'tool_use', id: 'toolu_1', name: 'execute_command', input: { command: 'ls' } },
      { type: 'tool_use', id: 'toolu_2', name: 'read_file', input: { path: 'a.ts' } },
      { type: 'tool_use', id: 'toolu_3', name: 'ask_followup_question', input: { question: 'Which one?' } },
    ],
  },
  {
    role: 'user',
    ts: 1_790_000_002_000,
    content: [
      { type: 'tool_result', tool_use_id: 'toolu_1', content: 'Command executed.\nOutput:\na.ts' },
      {
        type: 'tool_result',
        tool_use_id: 'toolu_2',
        content: [text('The tool execution failed with the following error:\n<error>\nFile not found\n</error>')],
      },
      { type: 'tool_result', tool_use_id: 'toolu_3', content: '<answer>\nThe second\n</answer>' },
      ENVIRONMENT,
    ],
  },
];

test('reports tools in the text of a reply as calls with the results of the next turn', () => {
  const events = eventsIn(clineTranscripts, taskWith(OLD_TASK));
  expect(withoutSkips(events)).toMatchObject([
    { type: 'session', sessionId: '1790000000000', cwd: '/home/mara/shop' },
    { type: 'message', role: 'user', text: 'Fix the tests', timestamp: '2026-09-21T14:13:20.000Z' },
    { type: 'message', role: 'assistant', text: 'I run them.' },
    { type: 'call', tool: 'execute_command', input: { command: 'npm test && echo "<done>"' } },
    {
      type: 'result',
      result: { status: 'error', exitCode: 1, output: '1 failed <task>not words</task>' },
    },
    {
      type: 'call',
      tool: 'replace_in_file',
      input: { path: 'src/app.ts', diff: '<<<<<<< SEARCH\n</diff>\n=======\n>>>>>>> REPLACE' },
    },
    { type: 'result', result: { status: 'rejected' } },
    { type: 'message', role: 'user', text: 'Not like this' },
    { type: 'message', role: 'assistant', text: 'The tests pass.' },
    { type: 'message', role: 'user', text: 'They do not' },
  ]);
  const ids = events.flatMap((event) => (event.type === 'call' || event.type === 'result' ? event.callId : []));
  expect(ids[0]).toBe(ids[1]);
  expect(ids[2]).toBe(ids[3]);
  expect(ids[0]).not.toBe(ids[2]);
  expect(skipped(events)).toEqual(['injected text', 'thinking', 'injected text', 'injected text']);
});

test('keeps call ids, times, models, usage and images', () => {
  const events = withoutSkips(eventsIn(clineTranscripts, taskWith(NEW_TASK)));
  expect(events.slice(1)).toMatchObject([
    { text: 'What is on this picture?', images: [{ mediaType: 'image/png', base64: 'aGVsbG8=' }] },
    {
      text: 'I look around.\n\nWhich one?',
      model: 'kimi-k3',
      timestamp: '2026-09-21T14:13:21.000Z',
      usage: { inputTokens: 50, outputTokens: 7, cacheReadTokens: 3 },
    },
    { type: 'call', callId: 'toolu_1' },
    { type: 'call', callId: 'toolu_2', tool: 'read_file' },
    // Nobody wrote down how the command ended.
    { type: 'result', callId: 'toolu_1', result: { status: 'unknown', output: 'a.ts' } },
    { type: 'result', callId: 'toolu_2', result: { status: 'error', output: 'File not found' } },
    { role: 'user', text: 'The second' },
  ]);
});

test('takes times, models and usage from other files where the messages have none', () => {
  const path = taskWith(OLD_TASK, {
    'ui_messages.json': [
      {
        ts: 1_790_000_000_001,
        type: 'say',
        say: 'task',
        text: 'Fix the tests',
        conversationHistoryIndex: -1,
      },
      {
        ts: 1_790_000_000_002,
        type: 'say',
        say: 'api_req_started',
        text: JSON.stringify({ request: 'x', tokensIn: 11, tokensOut: 5, cacheWrites: 2, cacheReads: 1 }),
        conversationHistoryIndex: -1,
      },
      { ts: 1_790_000_007_000, type: 'say', say: 'text', text: 'I run them.', conversationHistoryIndex: 1 },
      {
        ts: 1_790_000_008_000,
        type: 'say',
        say: 'api_req_started',
        text: '{"tokensIn":22,"tokensOut":6}',
        conversationHistoryIndex: 1,
      },
    ],
    'task_metadata.json': {
      model_usage: [
        { ts: 1, model_id: 'older' },
        { ts: 1_790_000_007_000, model_id: 'newer' },
      ],
    },
    'history_item.json': { parentTaskId: '1780000000000', workspace: '/home/mara/other' },
  });
  const events = withoutSkips(eventsIn(clineTranscripts, path));
  expect(events[0]).toEqual({
    type: 'session',
    sessionId: '1790000000000',
    parentSessionId: '1780000000000',
    cwd: '/home/mara/other',
    model: 'older',
  });
  const replies = events.filter((event) => event.type === 'message' && event.role === 'assistant');
  expect(replies).toMatchObject([
    {
      timestamp: '2026-09-21T14:13:27.000Z',
      model: 'newer',
      usage: { inputTokens: 11, outputTokens: 5, cacheReadTokens: 1, cacheWriteTokens: 2 },
    },
    { text: '', usage: { inputTokens: 22, outputTokens: 6 } },
    { text: 'The tests pass.' },
  ]);
});

test('derives the result of a call from the text for the model', () => {
  const answers: [string, string][] = [
    ['execute_command', 'Command executed successfully (exit code 0).\nOutput:\nok'],
    ['execute_command', 'Command failed with exit code 127.\nOutput:\nnot found'],
    ['execute_command', "Command is still running in the user's terminal.\nHere's the output so far:\nexit code 3"],
    ['execute_command', '{"status":"denied","message":"The user denied this operation."}'],
    ['read_file', '{"status":"error","message":"The tool execution failed","error":"ENOENT"}'],
    [
      'write_to_file',
      "The tool execution failed with the following error:\n<error>\nMissing value for required parameter 'path'.\n</error>",
    ],
    ['read_file', 'Skipping tool [read_file] due to user rejecting a previous tool.'],
    ['read_file', 'export const x = 1; // The user denied this operation'],
  ];
  const messages = [
    {
      role: 'assistant',
      content: answers.map(([name], at) => ({ type: 'tool_use', id: `t${at}`, name, input: {} })),
    },
    {
      role: 'user',
      content: answers.map(([, content], at) => ({ type: 'tool_result', tool_use_id: `t${at}`, content })),
    },
  ];
  const results = eventsIn(clineTranscripts, taskWith(messages)).flatMap((event) =>
    event.type === 'result' ? [event.result] : [],
  );
  expect(results).toMatchObject([
    { status: 'ok', exitCode: 0, output: 'ok' },
    { status: 'error', exitCode: 127, output: 'not found' },
    { status: 'unknown', output: 'exit code 3' },
    { status: 'rejected' },
    { status: 'error', output: 'ENOENT' },
    { status: 'invalid', output: "Missing value for required parameter 'path'." },
    { status: 'cancelled' },
    { status: 'ok' },
  ]);
});

test('separates what the user typed from injected text', () => {
  const events = eventsIn(
    clineTranscripts,
    taskWith([
      { role: 'user', content: 'just words' },
      {
        role: 'user',
        content: [text('[ERROR] You did not use a tool in your previous response!'), ENVIRONMENT],
      },
      { role: 'user', content: [text('[TASK RESUMPTION] This task was interrupted.'), ENVIRONMENT] },
      { role: 'user', content: [text('more words'), ENVIRONMENT] },
      { role: 'assistant', content: 'A summary', isSummary: true, ts: 1_790_000_000_000 },
    ]),
  );
  expect(withoutSkips(events).slice(1)).toMatchObject([
    { text: 'just words' },
    { text: 'more words' },
    { text: 'A summary', kind: 'checkpoint', isSystem: true },
  ]);
});

test('returns only what is new in a document that grew, including results of earlier calls', () => {
  fc.assert(
    fc.property(fc.nat(OLD_TASK.length), (cut) => {
      const path = taskWith(OLD_TASK.slice(0, cut));
      const first = openFile(clineTranscripts, path);
      const events = [...first.events];
      writeFileSync(path, JSON.stringify(OLD_TASK));
      const second = openFile(clineTranscripts, path, JSON.parse(JSON.stringify(first.position())) as ReadPosition);
      expect(second.isResumed).toBe(cut > 0);
      expect([...events, ...second.events]).toEqual(eventsIn(clineTranscripts, path));
    }),
    { numRuns: 20 },
  );
});

test('keeps ids when a document was rewound and continued differently', () => {
  const path = taskWith(OLD_TASK);
  const first = openFile(clineTranscripts, path);
  const before = withoutSkips([...first.events]);
  writeFileSync(path, JSON.stringify([...OLD_TASK.slice(0, 3), { role: 'assistant', content: 'Otherwise' }]));
  const second = openFile(clineTranscripts, path, first.position());
  expect(second.isResumed).toBe(false);
  const after = withoutSkips([...second.events]);
  expect(after.slice(0, 5)).toEqual(before.slice(0, 5));
  expect(after).toHaveLength(6);
});

test('resumes at the next event wherever it stopped', () => {
  const path = taskWith(OLD_TASK);
  expect(eventsOneByOne(clineTranscripts, path)).toEqual(eventsIn(clineTranscripts, path));
});

test('finds tasks in the storage of VS Code and its relatives', () => {
  const home = temporaryFolder();
  const cline = 'User/globalStorage/saoudrizwan.claude-dev/tasks/1';
  const roo = 'User/globalStorage/rooveterinaryinc.roo-cline/tasks/2';
  const file = 'api_conversation_history.json';
  for (const [folder, task] of [
    ['.config/Code', cline],
    ['.config/VSCodium', roo],
    ['Library/Application Support/Cursor', cline],
    ['AppData/Roaming/Windsurf', roo],
    ['.vscode-server/data', cline],
  ] as const) {
    writeJson(join(home, folder, task, file), OLD_TASK);
  }
  writeJson(join(home, '.cline/data/sessions/s1/s1.messages.json'), {
    version: 1,
    sessionId: 's1',
    messages: NEW_TASK,
  });
  const found = (platform: NodeJS.Platform) => {
    const places: TranscriptLocations = { home, env: {}, platform, projects: [] };
    return [clineTranscripts, rooTranscripts].map((agent) =>
      agent.find(places).map(({ path, agent: name }) => `${name} ${path.slice(home.length + 1)}`),
    );
  };
  const everywhere = [`cline .vscode-server/data/${cline}/${file}`, 'cline .cline/data/sessions/s1/s1.messages.json'];
  expect(found('linux')).toEqual([
    [`cline .config/Code/${cline}/${file}`, ...everywhere],
    [`roo .config/VSCodium/${roo}/${file}`],
  ]);
  expect(found('darwin')).toEqual([[`cline Library/Application Support/Cursor/${cline}/${file}`, ...everywhere], []]);
  expect(found('win32')).toEqual([everywhere, [`roo AppData/Roaming/Windsurf/${roo}/${file}`]]);
});

test('reads a version 4 session like a task', () => {
  const path = join(temporaryFolder(), 's1.messages.json');
  writeJson(path, { version: 1, sessionId: 's1', system_prompt: 'x', messages: NEW_TASK });
  expect(clineTranscripts.recognises(path)).toBe(true);
  expect(withoutSkips(eventsIn(clineTranscripts, path))).toHaveLength(8);
});

test('attributes a named file to the agent whose folder it is in', () => {
  const folder = temporaryFolder();
  const cline = join(folder, 'tasks', '1', 'api_conversation_history.json');
  const roo = join(folder, 'rooveterinaryinc.roo-cline', 'tasks', '1', 'api_conversation_history.json');
  for (const path of [cline, roo]) writeJson(path, OLD_TASK);
  expect([clineTranscripts.recognises(cline), rooTranscripts.recognises(cline)]).toEqual([true, false]);
  expect([clineTranscripts.recognises(roo), rooTranscripts.recognises(roo)]).toEqual([false, true]);
});

test('reads any document to its end', () => {
  const names = 'role content type text tool_use_id id name input source ts isSummary';
  const words = [
    'user',
    'assistant',
    'tool_use',
    'tool_result',
    'text',
    'image',
    '<task>',
    '[execute_command] Result:',
  ];
  fc.assert(
    fc.property(fc.array(jsonAbout(names, words), { maxLength: 8 }), (messages) => {
      const events = eventsIn(clineTranscripts, taskWith([...messages, { role: 'user', content: 'last' }]));
      expect(skipped(events)).not.toContain('!not of the expected form');
      expect(events.at(-1)).toMatchObject({ text: 'last' });
    }),
    { numRuns: 100 },
  );
  const path = taskWith([]);
  writeFileSync(path, '[{"role":"user"');
  expect(skipped(eventsIn(clineTranscripts, path))).toEqual(['!broken JSON']);
});

function taskWith(messages: readonly unknown[], others: Readonly<Record<string, unknown>> = {}): string {
  const folder = join(temporaryFolder(), '1790000000000');
  for (const [name, document] of Object.entries(others)) writeJson(join(folder, name), document);
  const path = join(folder, 'api_conversation_history.json');
  writeJson(path, messages);
  return path;
}

function writeJson(path: string, document: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(document));
}
