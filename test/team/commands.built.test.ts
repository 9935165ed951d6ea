import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPostgres, PostgresServer } from '../postgres/postgres-server.ts';
import { INSTALLED, Machine, NOT_FOUND } from './machine.ts';

const YORE = fileURLToPath(new URL('../../dist/cli/main.cjs', import.meta.url));

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command line in a machine's clone. */
function yore(machine: Machine, args: readonly string[], env: NodeJS.ProcessEnv = {}, input = ''): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [YORE, ...args], {
    cwd: machine.cwd,
    env: { PATH: process.env.PATH, HOME: machine.folder, YORE_HOME: machine.homeFolder, ...env },
    input,
    encoding: 'utf8',
  });
  return { code: status, stdout, stderr };
}

describe.skipIf(!hasPostgres)('yore team', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
    await server.createDatabase();
  });
  afterAll(() => server.stop());

  it('creates a team, invites, joins, shares, shows its state, and leaves without a trace', async () => {
    const [a, b] = [new Machine(), new Machine()];
    const created = yore(a, ['team', 'init', server.ownerUrl(), '--team', 'shop']);
    expect(created, created.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Created the team shop'),
    });
    expect(statSync(join(a.homeFolder, 'team.json')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(a.homeFolder, 'team.json'), 'utf8')).not.toContain('owner-of-the-test-server');
    expect(yore(a, ['team', 'init', server.ownerUrl()]).stdout).toContain('up to date');

    const invited = yore(a, ['team', 'invite', '-'], {}, server.ownerUrl());
    const [, url = ''] = /^yore team join (\S+)$/m.exec(invited.stdout) ?? [];
    expect(url).toMatch(/^postgres:\/\/yore_member_/);
    // The connection string of the environment is not stored.
    const joined = yore(b, ['team', 'join', '--name', 'Ben'], { YORE_TEAM_URL: url });
    expect(joined.stdout).toContain('You are a member of shop, as Ben');
    expect(readFileSync(join(b.homeFolder, 'team.json'), 'utf8')).not.toContain('postgres://');

    expect(yore(a, ['team', 'share', 'attempts']).stdout).toContain('shared from the next sync on');
    const session = a.session();
    await session.run('npm install redis-node', NOT_FOUND);
    await session.run('npm install ioredis', INSTALLED);
    await session.fire('Stop');
    expect(yore(a, ['sync']).stdout).toBe('shop: 2 records sent, 0 records received\n');
    yore(b, ['team', 'share', 'nothing'], { YORE_TEAM_URL: url });
    expect(yore(b, ['sync'], { YORE_TEAM_URL: url }).stdout).toBe('shop: not shared, 2 records received\n');
    expect(yore(b, ['check', '--', 'npm install redis-node'])).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('another machine'),
    });
    expect(yore(b, ['failures']).stdout).toContain('on the machine of member-');
    expect(yore(b, ['search', 'ioredis']).stdout).toContain('member-');

    const status = yore(a, ['team', 'status']);
    expect(status.stdout).toMatch(/^shop, as member-[0-9a-f]{6}\n127\.0\.0\.1:\d+\/yore, 2 members\n/);
    expect(status.stdout).toMatch(/\nmember-[0-9a-f]{6} +you +joined .*\nBen +joined /);
    expect(status.stdout).toMatch(/shop +attempts +synced/);
    const { members } = JSON.parse(yore(a, ['team', 'status', '--json']).stdout);
    expect(members).toMatchObject([{ author: expect.stringMatching(/^member-/) }, { name: 'Ben' }]);
    expect(yore(a, ['team', 'leave', '--forget', '--yes']).stdout).toContain('2 records deleted from the server');
    expect(existsSync(join(a.homeFolder, 'team.json'))).toBe(false);
    yore(b, ['sync'], { YORE_TEAM_URL: url });
    expect(yore(b, ['check', '--', 'npm install redis-node']).code).toBe(0);
  });

  it('says what is wrong without the connection string, and local work goes on', async () => {
    const machine = new Machine();
    const { url, author } = await server.invite('problems');
    expect(yore(machine, ['sync'])).toMatchObject({ code: 9, stderr: expect.stringContaining('belongs to no team') });
    expect(yore(machine, ['team', 'join', url]).code).toBe(0);
    expect(yore(machine, ['team', 'share', 'messages']).code).toBe(0);
    const secret = decodeURIComponent(new URL(url).password);
    const problems = [
      yore(machine, ['sync'], { YORE_TEAM_URL: url.replace(/:\d+\/yore/, ':1/yore') }),
      yore(machine, ['sync'], { YORE_TEAM_URL: url.replace(/:\d+\/yore$/, '/yore') }),
      yore(machine, ['sync', '--debug'], { YORE_TEAM_URL: url.replace(/\/yore$/, '/other') }),
      yore(machine, ['team', 'join', url.replace('postgres:', 'mysql:')]),
      yore(machine, ['team', 'remove', author, url]),
    ];
    for (const { code, stdout, stderr } of problems) {
      expect(code, stderr).not.toBe(0);
      expect(code, stderr).not.toBe(1);
      expect(stdout + stderr).not.toContain(secret);
    }
    expect(yore(machine, ['team', 'remove', author, server.ownerUrl(), '--team', 'problems']).code).toBe(0);
    expect(yore(machine, ['sync'])).toMatchObject({ code: 9, stderr: expect.stringContaining('yore team join') });
    expect(yore(machine, ['team', 'status']).stdout).toContain('does not accept this login');
    expect(yore(machine, ['check', '--', 'npm test']).code).toBe(0);
    chmodSync(join(machine.homeFolder, 'team.json'), 0o644);
    expect(yore(machine, ['sync']).stderr).toContain('chmod 600');
  });

  it('is not set up by a repository', async () => {
    const machine = new Machine();
    const { url } = await server.invite('elsewhere');
    const { writeFileSync, mkdirSync } = await import('node:fs');
    mkdirSync(join(machine.cwd, '.yore'));
    for (const name of ['team.json', '.yore/team.json', '.env', '.yore/config.json']) {
      writeFileSync(join(machine.cwd, name), JSON.stringify({ v: 1, team: 't', author: 'a', machine: 'm', url }));
    }
    expect(yore(machine, ['sync'])).toMatchObject({ code: 9, stderr: expect.stringContaining('belongs to no team') });
  });
});
