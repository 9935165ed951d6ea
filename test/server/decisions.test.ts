import { expect, it } from 'vitest';
import { playSessions, RELAY } from '../cli/built/agent.ts';
import { call, rawCall, serve } from './serving.ts';

it('lists decisions in memory and overview, and changes them', async () => {
  const server = await serve();
  playSessions({ folder: '', home: server.place.home, cwd: server.place.cwd }, RELAY);
  const { projectHash: project } = server.openedHome.openProject(server.place.cwd).info;
  const { decisions } = await call(server, 'memory.get', { project });
  expect(decisions).toMatchObject([
    { text: 'Which port does the relay use? 9000', sessionId: 'relay-2', replaced: [{}] },
    { kind: 'decision', sessionId: 'relay-1' },
  ]);
  expect((await call(server, 'project.overview', { project })).decisions).toMatchObject({ total: 2, first: [{}, {}] });
  const id = decisions[1]?.id ?? '';
  const edit = { project, id, choice: 'edit', text: 'Traces are in SQLite' } as const;
  await call(server, 'memory.chooseDecision', edit);
  await call(server, 'memory.chooseDecision', { project, id, choice: 'dismiss' });
  expect((await call(server, 'memory.get', { project })).decisions).toHaveLength(1);
  await call(server, 'memory.chooseDecision', { project, id, choice: 'undo' });
  expect((await call(server, 'memory.get', { project })).decisions[1]).toMatchObject({
    text: 'Traces are in SQLite',
    isEdited: true,
  });
  await expect(call(server, 'memory.chooseDecision', { project, id: 'd-none', choice: 'pin' })).rejects.toThrow();
  expect(await rawCall(server, 'memory.chooseDecision', { project, id, choice: 'burn' })).toMatchObject({ error: {} });
});
