import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome, type Project } from '../../src/project/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

const SESSION = 'aaaa1111-0000-4000-8000-000000000001';
const KEY = `sk-ant-api03-${'k4Ze9'.repeat(19)}`;

/** A project with a session of an agent and one more. */
function openedProject(home = join(temporaryFolder(), 'home')): { readonly home: string; readonly project: Project } {
  const project = openHome({ home }).openProject(temporaryFolder());
  const say = (sessionId: string, timestamp: string) =>
    project.history.append({ sessionId, timestamp, role: 'user', content: 'Raise the heat', agent: 'codex' });
  say(SESSION, '2026-05-20T10:00:00.000Z');
  say('other', '2026-05-21T10:00:00.000Z');
  return { home, project };
}

describe('labels of a session', () => {
  it('are shown in lists and filtered by, and are no activity', () => {
    const { home, project } = openedProject();
    project.labelSession(SESSION, { title: 'Hotter kiln' });
    project.labelSession(SESSION, { starred: true });
    project.labelSession(SESSION, { tags: ['kiln', '#heat'] });
    const opened = openHome({ home });
    const { sessions } = opened.listSessions();
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual(['other', SESSION]);
    const labels = { title: 'Hotter kiln', starred: true, tags: ['kiln', 'heat'], agent: 'codex', messageCount: 1 };
    expect(sessions[1]).toMatchObject({ ...labels, lastActivity: '2026-05-20T10:00:00.000Z' });
    expect(opened.listSessions({ starred: true })).toMatchObject({ total: 1, sessions: [{ sessionId: SESSION }] });
    expect(opened.listSessions({ tag: 'heat' })).toMatchObject({ total: 1, sessions: [{ sessionId: SESSION }] });
    expect(opened.listSessions({ tag: 'cold' })).toMatchObject({ total: 0 });
    expect(project.session(SESSION)).toMatchObject({ summary: labels, records: [{ content: 'Raise the heat' }] });
  });

  it('stay when the index is rebuilt, can be taken back, and go with the session', () => {
    const { home, project } = openedProject();
    project.labelSession(SESSION, { starred: true, tags: ['kiln'] });
    project.labelSession(SESSION, { starred: false });
    const opened = openHome({ home });
    opened.reindex();
    const [session] = opened.listSessions({ tag: 'kiln' }).sessions;
    expect(session).toMatchObject({ tags: ['kiln'] });
    expect(session).not.toHaveProperty('starred');
    const same = opened.findProjectByName(project.info.projectHash);
    expect(opened.planForget(same, SESSION)).toEqual({ messages: 1, attempts: 0, subAgents: 0, replies: 0 });
    opened.forgetSession(same, SESSION);
    expect(opened.listSessions().sessions.map(({ sessionId }) => sessionId)).toEqual(['other']);
  });

  it('are redacted, and refused when they are too long', () => {
    const { project } = openedProject();
    project.labelSession(SESSION, { title: `with ${KEY}` });
    expect(project.session(SESSION).summary.title).not.toContain(KEY);
    expect(() => project.labelSession(SESSION, { title: 'x'.repeat(201) })).toThrow('at most 200');
    expect(() => project.labelSession(SESSION, { tags: ['a,b'] })).toThrow('without commas');
  });
});
