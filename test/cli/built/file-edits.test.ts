import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ClaudeSession } from '../../hook/claude-session.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { yore, yoreJson } from './run-yore.ts';

const ID = 'e0e0aaaa-0000-4000-8000-000000000001';

/** A session of Claude Code with hooks in which a reply edits one file and creates another. */
async function playEdits(folder: string): Promise<ClaudeSession> {
  const session = new ClaudeSession(folder, ID, Date.now() - 3_600_000);
  const edit = { file_path: join(session.cwd, 'src/oven.ts'), old_string: 'heat = 900', new_string: 'heat = 1200' };
  const write = { file_path: join(session.cwd, 'docs/oven.md'), content: 'Hotter ovens\n' };
  const base = { sessionId: ID, cwd: session.cwd, isSidechain: false };
  let count = 0;
  const line = (type: string, content: unknown, id?: string): object => ({
    ...base,
    type,
    uuid: `l${count}`,
    timestamp: new Date(session.now + count++ * 1_000).toISOString(),
    message: { role: type, content, ...(id === undefined ? {} : { id, model: 'large-1' }) },
  });
  const calls = [
    { type: 'tool_use', id: 'c1', name: 'Edit', input: edit },
    { type: 'tool_use', id: 'c2', name: 'Write', input: write },
  ];
  const results = calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'done', is_error: false }));
  const lines = [
    line('user', 'Make the oven hotter'),
    line('assistant', [{ type: 'text', text: 'I raise the limit.' }, ...calls], 'msg_1'),
    ...results.map((result) => line('user', [result])),
    line('assistant', [{ type: 'text', text: 'The oven is hotter now.' }], 'msg_2'),
  ];
  writeFileSync(join(folder, `${ID}.jsonl`), lines.map((one) => `${JSON.stringify(one)}\n`).join(''));
  await session.fire('SessionStart', { source: 'startup' });
  await session.fire('UserPromptSubmit', { prompt: 'Make the oven hotter' });
  for (const { id, name, input } of calls) {
    await session.fire('PostToolUse', { tool_name: name, tool_input: input, tool_use_id: id, tool_response: {} });
  }
  await session.fire('Stop');
  await session.fire('SessionEnd', { reason: 'other' });
  return session;
}

it('shows, finds and exports which files a reply changed, recorded by hooks', async () => {
  const folder = temporaryFolder();
  const { home, cwd } = await playEdits(folder);
  const place = { folder, home, cwd };

  const shown = yore(place, ['show', ID]).stdout;
  expect(shown).toMatch(
    /I raise the limit\.\n[\s\S]*\n {2}\+ Edit src\/oven\.ts\n {6}-heat = 900\n {6}\+heat = 1200\n/,
  );
  expect(shown).toMatch(/\+ Write docs\/oven\.md\n {6}\+Hotter ovens\n/);
  const { entries } = yoreJson(place, ['show', ID]) as { entries: { content?: string; filesModified?: string[] }[] };
  expect(entries.find(({ content }) => content === 'I raise the limit.')?.filesModified).toEqual([
    'src/oven.ts',
    'docs/oven.md',
  ]);
  expect(entries.filter(({ filesModified }) => filesModified !== undefined)).toHaveLength(1);

  const found = yore(place, ['search', 'docs/oven.md', '--role', 'assistant']).stdout;
  expect(found).toContain('I raise the limit.');
  const exported = yore(place, ['export', '--session', ID, '--format', 'markdown']).stdout;
  expect(exported).toMatch(/src\/oven\.ts[\s\S]*```diff\n-heat = 900\n\+heat = 1200\n```/);
});
