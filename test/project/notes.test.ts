import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HistoryStore } from '../../src/history/index.ts';
import { type Home, openHome, type Project } from '../../src/project/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

const AT = Date.parse('2026-03-02T09:00:00.000Z');

function place(): { readonly home: Home; readonly project: Project } {
  const folder = temporaryFolder();
  const checkout = join(folder, 'app');
  mkdirSync(checkout);
  const home = openHome({ home: join(folder, 'home'), now: () => AT });
  return { home, project: home.openProject(checkout) };
}

function ask(project: Project, sessionId: string, text: string): void {
  const recorder = project.recorder();
  recorder.recordPrompt({ sessionId, text, timestamp: new Date(AT).toISOString(), agent: 'claude-code' });
}

describe('a note', () => {
  test('is not a session: not listed, not counted, not in recaps or days', () => {
    const { home, project } = place();
    ask(project, 'one', 'Add a Redis cache to the API');
    project.memory.remember('Use ioredis for caching');
    project.memory.remember('Do not use redis-node', { avoid: true });
    expect(home.status().sessions).toBe(1);
    const { sessions, total } = home.listSessions();
    expect([sessions.map(({ sessionId }) => sessionId), total]).toEqual([['one'], 1]);
    expect(home.status()).toMatchObject({ indexState: 'ready', sessions: 1 });
    const plain = new HistoryStore(project.directory, { project: 'p' });
    expect(plain.listSessions().map(({ sessionId }) => sessionId)).toEqual(['one']);

    project.maintain();
    expect(project.memory.briefing().line).toContain('1 previous session ·');
    expect(JSON.stringify(project.memory.recap())).not.toContain('"notes"');
    expect(project.memory.timeline().map(({ sessions: count }) => count)).toEqual([1]);
    home.close();
  });

  test('is found by search and part of the knowledge, even in a project without sessions', () => {
    const { home, project } = place();
    project.memory.remember('Use ioredis for caching');
    expect(home.search({ text: 'ioredis' }).hits).toHaveLength(1);
    expect(JSON.stringify(project.memory.knowledge().knowledge)).toContain('Use ioredis for caching');
    expect(project.memory.briefing().text).toContain('Use ioredis for caching');
    expect(project.memory.briefing().line).toBe('');
    home.close();
  });

  test('is quoted as written, not as a failure', () => {
    const { home, project } = place();
    project.memory.remember('Use ioredis for caching');
    project.memory.remember('Do not deploy on Fridays', { avoid: true });
    project.maintain();
    const lines = project.memory.briefing().text.split('\n');
    expect(lines).toContain('- "Do not deploy on Fridays" (noted on 2026-03-02)');
    expect(lines.find((line) => line.includes('ioredis'))).toMatch(/^- "Use ioredis for caching" \(/);
    home.close();
  });

  test('does not hide a session that has the same id as notes', () => {
    const { home, project } = place();
    project.memory.remember('Use ioredis for caching');
    ask(project, 'notes', 'Add a Redis cache to the API');
    expect(home.listSessions().sessions.map(({ sessionId }) => sessionId)).toEqual(['notes']);
    expect(project.memory.countWork()).toBe(1);
    home.close();
  });

  test('is removed from the knowledge when it is forgotten', () => {
    const { home, project } = place();
    ask(project, 'one', 'Add a Redis cache to the API');
    const { id } = project.memory.remember('Use ioredis for caching');
    project.maintain();
    home.forgetPattern(project, id);
    expect(JSON.stringify(project.memory.knowledge().knowledge)).not.toContain('ioredis for caching');
    home.close();
  });
});
