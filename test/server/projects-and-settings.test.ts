import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentStatus } from '../../src/server/index.ts';
import { AUTHENTICATION, playSessions, REDIS } from '../cli/built/agent.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { call, newPlace, rawCall, type Serving, serve } from './serving.ts';

/** A server over a home with two sessions of an agent in one project, and one of another agent in a second project. */
async function serveProjects(): Promise<{
  readonly server: Serving;
  readonly project: string;
  readonly other: string;
}> {
  const place = newPlace();
  playSessions({ folder: place.home, home: place.home, cwd: place.cwd }, [AUTHENTICATION, REDIS]);
  const server = await serve({ place });
  const second = server.openedHome.openProject(temporaryFolder());
  second.history.append({ sessionId: 'other-1', role: 'user', content: 'Paint the shed', agent: 'codex' });
  const { current = '' } = await call(server, 'project.list', {});
  return { server, project: current, other: second.info.projectHash };
}

describe('projects over RPC', () => {
  it('counts sessions, failures, agents and days of every project from the index', async () => {
    const { server, project, other } = await serveProjects();
    await call(server, 'history.listSessions', {});
    const { projects } = await call(server, 'project.activity', {});
    const mine = projects.find(({ id }) => id === project);
    expect(mine).toMatchObject({ sessions: 2, agents: [{ agent: 'claude-code', sessions: 2 }] });
    expect(mine?.failures).toBeGreaterThan(0);
    expect(mine?.days).toHaveLength(30);
    expect(mine?.days.reduce((sum, sessions) => sum + sessions, 0)).toBe(2);
    expect(projects.find(({ id }) => id === other)).toMatchObject({
      sessions: 1,
      failures: 0,
      agents: [{ agent: 'codex', sessions: 1 }],
    });
    expect(projects.find(({ id }) => id === other)?.days.at(-1)).toBe(1);
  });

  it('counts the same active warnings as the memory of the project', async () => {
    const { server, project } = await serveProjects();
    const { projects } = await call(server, 'project.warnings', {});
    const { antiPatterns } = await call(server, 'memory.get', { project });
    const active = antiPatterns.filter(({ kind, state }) => kind === 'failure' && state === 'active');
    expect(active.length).toBeGreaterThan(0);
    expect(projects).toEqual([{ id: project, warnings: active.length }]);
    for (const { id } of active) await call(server, 'memory.dismiss', { project, id });
    expect((await call(server, 'project.warnings', {})).projects).toEqual([]);
  });

  it('says how yore is started here', async () => {
    expect(await call(await serve(), 'project.list', {})).toMatchObject({ command: 'yore' });
    const command = 'node dist/cli/main.cjs';
    expect(await call(await serve({ command }), 'project.list', {})).toMatchObject({ command });
  });

  it('says whether it serves the demo', async () => {
    expect(await call(await serve(), 'project.list', {})).not.toHaveProperty('isDemo');
    expect(await call(await serve({ isDemo: true }), 'project.list', {})).toMatchObject({ isDemo: true });
  });

  it('counts sessions by agent, project and outcome, each regardless of its own filter', async () => {
    const { server, project, other } = await serveProjects();
    await call(server, 'history.listSessions', {});
    const all = await call(server, 'history.facets', {});
    expect(all.agents).toEqual([
      { value: 'claude-code', sessions: 2 },
      { value: 'codex', sessions: 1 },
    ]);
    expect(all.projects).toEqual([
      { value: project, sessions: 2 },
      { value: other, sessions: 1 },
    ]);
    expect(all.outcomes).toContainEqual({ value: 'failure', sessions: 2 });
    expect(all.outcomes.map(({ value }) => value)).not.toContain('interrupted');
    const codex = await call(server, 'history.facets', { agent: 'codex' });
    expect(codex.agents).toEqual(all.agents);
    expect(codex.projects).toEqual([{ value: other, sessions: 1 }]);
    expect(codex.outcomes).toEqual([]);
  });

  it('finds sessions by words of their title, those that start with them first', async () => {
    const { server, project, other } = await serveProjects();
    const { history } = server.openedHome.openProject(server.place.cwd);
    history.append({ sessionId: 's1', role: 'user', content: 'Shed: 100% done?' });
    history.append({ sessionId: 's2', role: 'user', content: 'Look at the shed again' });
    await call(server, 'history.listSessions', {});
    const ids = async (query: string, extra = {}) =>
      (await call(server, 'history.findSessions', { query, ...extra })).sessions.map(({ sessionId }) => sessionId);
    expect(await ids('shed')).toEqual(['s1', 's2', 'other-1']);
    expect(await ids('shed paint')).toEqual(['other-1']);
    expect(await ids('shed', { limit: 1 })).toEqual(['s1']);
    expect(await ids('shed', { project: other })).toEqual(['other-1']);
    expect(await ids('100%')).toEqual(['s1']);
    expect(await ids('%', { project })).toEqual(['s1']);
    expect(await ids('nothing like it')).toEqual([]);
  });
});

describe('settings over RPC', () => {
  const setting = async (server: Serving, key: string) =>
    (await call(server, 'settings.get', {})).settings.find((each) => each.key === key);

  it('changes a setting through the same code as the command line', async () => {
    const server = await serve();
    expect(await setting(server, 'retrieval.failureLookbackDays')).toMatchObject({
      value: 7,
      origin: 'default',
      min: 1,
    });
    await call(server, 'settings.set', { key: 'retrieval.failureLookbackDays', value: '30' });
    const file = join(server.place.home, 'config.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ retrieval: { failureLookbackDays: 30 } });
    expect(await setting(server, 'retrieval.failureLookbackDays')).toMatchObject({ value: 30, origin: file });
    await call(server, 'settings.set', { key: 'retrieval.failureLookbackDays' });
    expect(await setting(server, 'retrieval.failureLookbackDays')).toMatchObject({ value: 7, origin: 'default' });
  });

  it('refuses wrong values, unknown settings, and where keys are sent', async () => {
    const server = await serve();
    for (const [key, value] of [
      ['retrieval.failureLookbackDays', 'many'],
      ['no.such', '1'],
      ['model.baseUrl', 'https://example.com'],
      ['storage', 'repo'],
    ])
      expect(await rawCall(server, 'settings.set', { key, value })).toHaveProperty('error.message');
    expect(existsSync(join(server.place.home, 'config.json'))).toBe(false);
  });

  it('pauses and resumes recording', async () => {
    const { server, project } = await serveProjects();
    const isRecording = () => server.openedHome.findProjectByName(project).isRecording();
    await call(server, 'settings.record', { on: false });
    expect(isRecording()).toBe(false);
    expect(await call(server, 'settings.get', {})).toMatchObject({ recording: { everywhere: false, exceptions: [] } });
    await call(server, 'settings.record', { on: true, project });
    expect(isRecording()).toBe(true);
    expect(await call(server, 'settings.get', {})).toMatchObject({
      recording: { everywhere: false, exceptions: [project] },
    });
    await call(server, 'settings.record', { on: true });
    expect(await call(server, 'settings.get', {})).toMatchObject({ recording: { everywhere: true, exceptions: [] } });
  });

  it('are read-only for other machines, even where they may change other things', async () => {
    const server = await serve({ host: '0.0.0.0', allowRemoteWrites: true });
    expect(await call(server, 'settings.get', {})).toMatchObject({ readOnly: true });
    for (const [method, params] of [
      ['settings.set', { key: 'retrieval.enabled', value: 'false' }],
      ['settings.record', { on: false }],
    ] as const)
      expect(await rawCall(server, method, params)).toMatchObject({ error: { data: { code: 'READ_ONLY' } } });
  });

  it('masks a text as it would be recorded, and keeps nothing of it', async () => {
    const server = await serve();
    const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
    const { text, masks } = await call(server, 'settings.redact', { text: `git push https://${secret}@example.com` });
    expect(text).not.toContain(secret);
    expect(text).toContain('[redacted:');
    expect(masks).toMatchObject([{ count: 1 }]);
    expect(await call(server, 'settings.redact', { text: 'npm test [redacted:x]' })).toEqual({
      text: 'npm test [redacted:x]',
      masks: [],
    });
    const files = readdirSync(server.place.home, { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    );
    for (const { parentPath, name } of files)
      expect(readFileSync(join(parentPath, name)).includes(secret), name).toBe(false);
  });

  it('names the agents as the caller of the server has found them', async () => {
    const agents: readonly AgentStatus[] = [
      { agent: 'codex', title: 'Codex', state: 'needsAction', message: 'Trust its hooks.' },
    ];
    expect(await call(await serve({ checkAgents: async () => agents }), 'settings.agents', {})).toEqual({ agents });
    expect(await call(await serve(), 'settings.agents', {})).toEqual({});
  });
});
