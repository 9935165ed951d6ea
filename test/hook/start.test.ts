import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temp-folder.ts';
import { ClaudeSession } from './claude-session.ts';

const NOW = Date.parse('2025-11-18T09:00:00.000Z');

/** What an agent is told when a session starts. */
async function start(session: ClaudeSession, source = 'startup'): Promise<string> {
  const { hookSpecificOutput } = await session.fire('SessionStart', { source });
  return hookSpecificOutput?.additionalContext ?? '';
}

describe('the tech stack in the briefing', () => {
  const STACK = 'Tech stack: "TypeScript | Express | Vitest';

  /** A folder in which a first session has ended. */
  async function workedIn(): Promise<{ readonly folder: string; readonly first: ClaudeSession }> {
    const folder = temporaryFolder();
    const first = new ClaudeSession(folder, 'first', NOW);
    const manifest = { dependencies: { express: '5' }, devDependencies: { vitest: '3', typescript: '5' } };
    writeFileSync(join(first.cwd, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(first.cwd, 'package-lock.json'), '{}');
    expect(await start(first)).toBe('');
    await first.fire('UserPromptSubmit', { prompt: 'Add rate limits to the public endpoints' });
    await first.run('npx vitest run', { stdout: '12 passed' });
    await first.fire('Stop');
    return { folder, first };
  }

  it('is told at the start of the next session, after a clear and after a compaction', async () => {
    const { folder, first } = await workedIn();
    const compacted = await start(first, 'compact');
    expect(compacted).toContain('This session so far');
    expect(compacted).toContain(STACK);
    await first.fire('SessionEnd');
    const second = new ClaudeSession(folder, 'second', NOW + 3_600_000);
    for (const source of ['startup', 'clear', 'compact']) expect(await start(second, source)).toContain(STACK);
  });

  it('follows the files of the project', async () => {
    const { folder, first } = await workedIn();
    writeFileSync(join(first.cwd, 'Dockerfile'), 'FROM node:20');
    await first.fire('Stop');
    expect(await start(new ClaudeSession(folder, 'second', NOW + 3_600_000))).toContain(`${STACK}, Docker`);
  });
});
