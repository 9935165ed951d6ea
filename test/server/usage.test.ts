import { expect, it } from 'vitest';
import { call, serve } from './serving.ts';

it('usage over RPC is what the home reports, and each session has its part', async () => {
  const server = await serve();
  const home = server.openedHome;
  const project = home.openProject(server.place.cwd);
  const usage = { inputTokens: 12, outputTokens: 300, cacheReadTokens: 4000, cacheWriteTokens: 50 };
  const reply = { role: 'assistant', content: 'Done.', model: 'claude-opus-4-5', usage } as const;
  for (const sessionId of ['s1', 's2', 's2']) project.history.append({ ...reply, sessionId, agent: 'claude-code' });
  const report = await call(server, 'usage.get', {});
  expect(report).toEqual(home.usage());
  expect(report.topSessions.map(({ sessionId }) => sessionId)).toEqual(['s2', 's1']);
  const { projectHash } = project.info;
  for (const { sessionId, cost, replies } of report.topSessions) {
    const page = await call(server, 'history.getSession', { id: sessionId, project: projectHash });
    expect(page.usage).toMatchObject({ cost, replies });
  }
  const before = await call(server, 'usage.get', { project: projectHash, until: '2020-01-01T00:00:00.000Z' });
  expect(before.total).toMatchObject({ replies: 0, sessions: 0 });
});
