import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCachedBriefing, writeCachedBriefing } from '../../src/hook/start.ts';
import { openHome } from '../../src/project/index.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { ClaudeSession } from './claude-session.ts';

const BRIEFING = { text: '## Project context', line: 'yore: 3 previous sessions' };
const KEY = { maxSize: 2000, techStack: { languages: ['Go'], frameworks: [], tools: [] } };
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
    const [project] = openHome({ home: second.home }).projects();
    rmSync(join(second.home, 'projects', project?.projectHash ?? '', 'briefing.json'));
    expect(await start(second)).toContain(STACK);
  });

  it('follows the files of the project', async () => {
    const { folder, first } = await workedIn();
    writeFileSync(join(first.cwd, 'Dockerfile'), 'FROM node:20');
    await first.fire('Stop');
    expect(await start(new ClaudeSession(folder, 'second', NOW + 3_600_000))).toContain(`${STACK}, Docker`);
  });

  it('is left out where the project description is damaged', async () => {
    const { folder, first } = await workedIn();
    const home = openHome({ home: first.home });
    const file = join(first.home, 'projects', home.projects()[0]?.projectHash ?? '', 'index.json');
    home.close();
    const info = JSON.parse(readFileSync(file, 'utf8'));
    for (const techStack of [['x'], { languages: 'C' }, { tools: [1, null] }, 'C']) {
      writeFileSync(file, JSON.stringify({ ...info, techStack }));
      const briefing = await start(new ClaudeSession(folder, 'second', NOW + 3_600_000));
      expect(briefing).toContain('from 1 previous session');
      expect(briefing).not.toContain('Tech stack');
    }
  });
});

describe('the cached briefing', () => {
  it('is used until its sources change', () => {
    const directory = temporaryFolder();
    writeFileSync(join(directory, 'digest.json'), 'one');
    writeCachedBriefing(directory, KEY, BRIEFING);
    expect(readCachedBriefing(directory, KEY)).toEqual(BRIEFING);
    expect(readCachedBriefing(directory, { ...KEY, maxSize: 500 })).toBeUndefined();
    expect(readCachedBriefing(directory, { ...KEY, techStack: undefined })).toBeUndefined();
    expect(statSync(join(directory, 'briefing.json')).mode & 0o777).toBe(0o600);
    writeFileSync(join(directory, 'knowledge.json'), 'more is known');
    expect(readCachedBriefing(directory, KEY)).toBeUndefined();
    writeCachedBriefing(directory, KEY, BRIEFING);
    writeFileSync(join(directory, 'digest.json'), 'another one');
    expect(readCachedBriefing(directory, KEY)).toBeUndefined();
  });

  it('is not used when it is damaged', () => {
    const directory = temporaryFolder();
    expect(readCachedBriefing(directory, KEY)).toBeUndefined();
    for (const text of ['', '{', '[]', 'null', '{"v":1,"made":"2000  ","text":7,"line":""}', '{"v":2}']) {
      writeFileSync(join(directory, 'briefing.json'), text);
      expect(readCachedBriefing(directory, KEY)).toBeUndefined();
    }
  });
});
