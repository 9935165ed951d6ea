import { cpSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { listSegments, readLogLines, teamFolder } from '../../src/log/index.ts';
import { readMembership } from '../../src/team/index.ts';
import { hasPostgres, type PostgresServer } from '../postgres/postgres-server.ts';
import { usePostgres } from '../postgres/use-postgres.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { Machine } from './machine.ts';

/** The requests in the logs of a machine: its own, and those that it has received. */
async function readRequests(machine: Machine): Promise<{ readonly own: string[]; readonly received: string[] }> {
  return machine.use((_, { directory }) => {
    const read = (folder: string): string[] =>
      listSegments(folder, 'history')
        .flatMap(({ path }) => Array.from(readLogLines(path), ({ text }) => JSON.parse(text)))
        .flatMap(({ role, content }) => (role === 'user' ? [String(content)] : []))
        .sort();
    return { own: read(directory), received: read(teamFolder(directory)) };
  });
}

async function request(machine: Machine, text: string): Promise<void> {
  const session = machine.session();
  await session.fire('UserPromptSubmit', { prompt: text });
  await session.fire('Stop');
}

/** A copy of a machine's whole folder, home included. */
function copyOf(machine: Machine): Machine {
  const folder = temporaryFolder();
  cpSync(machine.folder, folder, { recursive: true });
  return new Machine(machine.now, folder);
}

describe.skipIf(!hasPostgres)('a home that was copied to another machine', () => {
  let server: PostgresServer;
  usePostgres((started) => {
    server = started;
  });

  it.each(['the original', 'the copy'])('exchanges every record once when %s syncs first', async (first) => {
    const { url, team } = await server.invite(first);
    const original = new Machine();
    await original.join(url, 'messages');
    await request(original, 'Sent before the copy');
    await original.sync();
    await request(original, 'Recorded before the copy');
    const copy = copyOf(original);
    await request(original, 'Only on the original');
    await request(copy, 'Only on the copy');
    const order = first === 'the original' ? [original, copy] : [copy, original];
    for (const machine of [...order, ...order]) await machine.sync();

    const before = ['Recorded before the copy', 'Sent before the copy'];
    expect(await readRequests(original)).toEqual({
      own: ['Only on the original', ...before],
      received: ['Only on the copy'],
    });
    expect(await readRequests(copy)).toEqual({
      own: ['Only on the copy', ...before],
      received: ['Only on the original'],
    });
    const stored = await server.ownerQuery<{ body: string }>('SELECT body FROM yore.record WHERE team = $1', [team]);
    const contents = stored.map(({ body }) => JSON.parse(body)).filter(({ role }) => role === 'user');
    expect(contents.map(({ content }) => content).sort()).toEqual([
      ...['Only on the copy', 'Only on the original'],
      ...before,
    ]);
    const machines = [original, copy].map(({ homeFolder }) => readMembership(homeFolder)?.machine);
    expect(new Set(machines).size).toBe(2);
  });

  it('keeps its name while there is no copy', async () => {
    const machine = new Machine();
    await machine.join((await server.invite('alone')).url, 'messages');
    const { machine: name } = readMembership(machine.homeFolder) ?? {};
    await machine.sync();
    await machine.sync();
    expect(readMembership(machine.homeFolder)?.machine).toBe(name);
  });
});
