import { describe, expect, it, onTestFinished } from 'vitest';
import { openHome } from '../../src/project/index.ts';
import type { Attempt } from '../../src/record/index.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { ClaudeSession } from './claude-session.ts';

const NOW = Date.parse('2025-11-18T09:00:00.000Z');

/** Prompts, each followed by a command that works. */
async function work(session: ClaudeSession, prompts: readonly string[]): Promise<void> {
  await session.fire('SessionStart', { source: 'startup' });
  for (const [index, prompt] of prompts.entries()) {
    await session.fire('UserPromptSubmit', { prompt });
    await session.run(`npm install package-${index}`, { stdout: 'added 1 package' });
  }
  await session.fire('Stop');
}

function openProject(session: ClaudeSession) {
  const home = openHome({ home: session.home, now: () => session.now });
  onTestFinished(() => home.close());
  return home.openProject(session.cwd);
}

describe('a short request', () => {
  it('is kept with its text: with the attempts that served it, in recap and briefing, and in the next compaction', async () => {
    const folder = temporaryFolder();
    const session = new ClaudeSession(folder, 'one', NOW);
    const requests = ['Fix the parser', 'fix tests', 'Use ioredis', 'Refactor'];
    await work(session, requests);
    const project = openProject(session);
    const attempts = project.session('one').records.filter((record): record is Attempt => 'outcome' in record);
    expect(attempts.map(({ context }) => context)).toEqual(requests);
    const [day] = project.memory.recap().days;
    expect(day?.sessions[0]?.requests.map(({ text, steps }) => [text, steps[0]?.text])).toEqual(
      requests.map((request, index) => [request, `npm install package-${index}`]),
    );
    const { briefing } = await startNext(folder);
    for (const request of requests.slice(1)) expect(briefing).toContain(`"${request}" → installed with`);
    const compacted = await session.fire('SessionStart', { source: 'compact' });
    for (const request of requests) expect(compacted.hookSpecificOutput?.additionalContext).toContain(`- "${request}"`);
  });

  it('is not followed by a new one when the user only agrees, thanks, or asks to go on', async () => {
    const folder = temporaryFolder();
    const session = new ClaudeSession(folder, 'one', NOW);
    await work(session, ['Refactor', 'yes', 'go on', 'ok do it', 'try again', 'thanks, commit this']);
    const project = openProject(session);
    const attempts = project.session('one').records.filter((record): record is Attempt => 'outcome' in record);
    expect(new Set(attempts.map(({ context }) => context))).toEqual(new Set(['Refactor']));
    const [day] = project.memory.recap().days;
    expect(day?.sessions[0]?.requests).toMatchObject([{ text: 'Refactor', outcome: 'failed' }]);
  });

  it('is shown even if it could only follow another one, when nothing came before it', async () => {
    const session = new ClaudeSession(temporaryFolder(), 'one', NOW);
    await work(session, ['fix it', 'yes']);
    const [day] = openProject(session).memory.recap().days;
    expect(day?.sessions[0]?.requests.map(({ text, steps }) => [text, steps.length])).toEqual([['fix it', 2]]);
  });
});

async function startNext(folder: string): Promise<{ readonly briefing: string }> {
  const next = new ClaudeSession(folder, 'two', NOW + 86_400_000);
  const { hookSpecificOutput } = await next.fire('SessionStart', { source: 'startup' });
  return { briefing: hookSpecificOutput?.additionalContext ?? '' };
}
