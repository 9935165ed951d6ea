import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasPostgres, type PostgresServer } from '../postgres/postgres-server.ts';
import { usePostgres } from '../postgres/use-postgres.ts';
import { INSTALLED, Machine, NOT_FOUND } from './machine.ts';

describe.skipIf(!hasPostgres)('yore team', () => {
  let server: PostgresServer;
  usePostgres((started) => {
    server = started;
  });

  it('creates a team, invites, joins, shares, shows its state, and leaves without a trace', async () => {
    const [a, b] = [new Machine(), new Machine()];
    const created = a.yore(['team', 'init', server.ownerUrl(), '--team', 'shop']);
    expect(created, created.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Created the team shop'),
    });
    expect(statSync(join(a.homeFolder, 'team.json')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(a.homeFolder, 'team.json'), 'utf8')).not.toContain('owner-of-the-test-server');
    expect(a.yore(['team', 'init', server.ownerUrl()]).stdout).toContain('up to date');

    const invited = a.yore(['team', 'invite', '-'], {}, server.ownerUrl());
    const [, url = ''] = /^yore team join (\S+)$/m.exec(invited.stdout) ?? [];
    expect(url).toMatch(/^postgres:\/\/yore_member_/);
    // The connection string of the environment is not stored.
    const joined = b.yore(['team', 'join', '--name', 'Ben'], { YORE_TEAM_URL: url });
    expect(joined.stdout).toContain('You are a member of shop, as Ben');
    expect(readFileSync(join(b.homeFolder, 'team.json'), 'utf8')).not.toContain('postgres://');

    expect(a.yore(['team', 'share', 'attempts']).stdout).toContain('shared from the next sync on');
    const session = a.session();
    await session.run('npm install redis-node', NOT_FOUND);
    await session.run('npm install ioredis', INSTALLED);
    await session.fire('Stop');
    expect(a.yore(['sync']).stdout).toBe('shop: 2 records sent, 0 records received\n');
    b.yore(['team', 'share', 'nothing'], { YORE_TEAM_URL: url });
    expect(b.yore(['sync'], { YORE_TEAM_URL: url }).stdout).toBe('shop: not shared, 2 records received\n');
    expect(b.yore(['check', '--', 'npm install redis-node'])).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('another machine'),
    });
    expect(b.yore(['failures']).stdout).toContain('on the machine of member-');
    expect(b.yore(['search', 'ioredis']).stdout).toContain('member-');
    const { author } = JSON.parse(a.yore(['team', 'status', '--json']).stdout).membership;
    for (const command of [['search', 'ioredis'], ['sessions']]) {
      expect(b.yore([...command, '--author', author]).stdout).toContain(author);
      expect(b.yore([...command, '--author', 'me']).stdout).toMatch(/^No /);
    }

    const status = a.yore(['team', 'status']);
    expect(status.stdout).toMatch(/^shop, as member-[0-9a-f]{6}\n127\.0\.0\.1:\d+\/yore, 2 members\n/);
    expect(status.stdout).toMatch(/\nmember-[0-9a-f]{6} +you +joined .*\nBen +joined /);
    expect(status.stdout).toMatch(/shop +attempts +synced/);
    const { members } = JSON.parse(a.yore(['team', 'status', '--json']).stdout);
    expect(members).toMatchObject([{ author: expect.stringMatching(/^member-/) }, { name: 'Ben' }]);
    expect(a.yore(['team', 'leave', '--forget', '--yes']).stdout).toContain('2 records deleted from the server');
    expect(existsSync(join(a.homeFolder, 'team.json'))).toBe(false);
    b.yore(['sync'], { YORE_TEAM_URL: url });
    expect(b.yore(['check', '--', 'npm install redis-node']).code).toBe(0);
  });

  it('refuses a file with a password that others can read', async () => {
    const machine = new Machine();
    expect(machine.yore(['team', 'join', (await server.invite('open')).url]).code).toBe(0);
    chmodSync(join(machine.homeFolder, 'team.json'), 0o644);
    expect(machine.yore(['sync'])).toMatchObject({ code: 9, stderr: expect.stringContaining('chmod 600') });
  });

  it('is not set up by a repository', async () => {
    const machine = new Machine();
    const { url } = await server.invite('elsewhere');
    mkdirSync(join(machine.cwd, '.yore'));
    for (const name of ['team.json', '.yore/team.json', '.env', '.yore/config.json']) {
      writeFileSync(join(machine.cwd, name), JSON.stringify({ v: 1, team: 't', author: 'a', machine: 'm', url }));
    }
    expect(machine.yore(['sync'])).toMatchObject({ code: 9, stderr: expect.stringContaining('belongs to no team') });
  });
});
