// Sends the events of a small session to a built hook and saves the code that V8 compiled:
//   node make-hook-cache.cjs HOOK_FOLDER EMPTY_FOLDER
'use strict';
const { mkdirSync, readdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const [, , folder, temporary] = process.argv;
const { load, loaded } = require(join(folder, 'main.cjs'));
const { handleHook } = load('./handle-hook.cjs');

const cwd = join(temporary, 'project');
const machine = {
  home: join(temporary, 'home'),
  env: { PATH: process.env.PATH },
  userHome: temporary,
  now: Date.now,
  elapsed: () => 0,
};
const missing = { tool_name: 'Bash', tool_input: { command: 'npm install redis-node' } };
const error = 'Exit code 1\nnpm error code E404\nnpm error 404 Not Found - GET https://registry.example/redis-node';
const SESSION = [
  { session_id: 'one', hook_event_name: 'SessionStart', source: 'startup' },
  { session_id: 'one', hook_event_name: 'UserPromptSubmit', prompt: 'Add a redis cache to the server' },
  { session_id: 'one', hook_event_name: 'PreToolUse', tool_use_id: 'a', ...missing },
  { session_id: 'one', hook_event_name: 'PostToolUseFailure', tool_use_id: 'a', ...missing, error },
  {
    session_id: 'one',
    hook_event_name: 'PostToolUse',
    tool_use_id: 'b',
    tool_name: 'Bash',
    tool_input: { command: 'cd server && npm install ioredis' },
    tool_response: { stdout: 'added 9 packages', stderr: '' },
  },
  {
    session_id: 'one',
    hook_event_name: 'PostToolUse',
    tool_use_id: 'c',
    tool_name: 'Write',
    tool_input: { file_path: join(cwd, 'cache.ts'), content: 'export const cache = new Redis();' },
    tool_response: { type: 'create' },
  },
  { session_id: 'one', hook_event_name: 'UserPromptSubmit', prompt: 'Use it in the worker too' },
  {
    session_id: 'one',
    hook_event_name: 'PostToolUse',
    tool_use_id: 'c2',
    tool_name: 'Bash',
    tool_input: { command: 'npm test | tail' },
    tool_response: { stdout: '12 passing', stderr: '' },
  },
  { session_id: 'one', hook_event_name: 'Stop' },
  { session_id: 'two', hook_event_name: 'SessionStart', source: 'startup' },
  { session_id: 'two', hook_event_name: 'SessionStart', source: 'clear' },
  { session_id: 'two', hook_event_name: 'UserPromptSubmit', prompt: 'Add a redis cache to the worker' },
  { session_id: 'two', hook_event_name: 'PreToolUse', tool_use_id: 'd', ...missing },
  {
    session_id: 'two',
    hook_event_name: 'PreToolUse',
    tool_use_id: 'e',
    tool_name: 'Read',
    tool_input: { file_path: join(cwd, 'cache.ts') },
  },
];

void replay();

async function replay() {
  mkdirSync(cwd, { recursive: true });
  for (const event of SESSION) {
    const payload = JSON.stringify({ cwd, transcript_path: join(temporary, 'none.jsonl'), ...event });
    await handleHook({ agent: 'claude-code', payload }, machine);
  }
  for (const name of readdirSync(folder)) if (/-transcripts\.cjs$/.test(name)) load(`./${name}`);
  for (const [name, { script }] of loaded) {
    writeFileSync(`${join(folder, name)}.cache`, script.createCachedData());
  }
}
