import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HOOK } from '../../hook/hook-process.ts';
import { createPlace, environment, yore, yoreJson } from './run-yore.ts';
import { seed } from './seed.ts';

describe('yore export', () => {
  it('writes one record per line', () => {
    const place = createPlace();
    const { redis } = seed(place);
    const { code, stdout } = yore(place, ['export', '--session', redis]);
    expect(code).toBe(0);
    const records = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records.map(({ type }) => type)).toEqual(['message', 'attempt', 'attempt', 'message']);
    for (const record of records) expect(record).toMatchObject({ v: 1, sessionId: redis });
    expect(yore(place, ['export']).stdout.trimEnd().split('\n')).toHaveLength(5);
  });

  it('includes notes made outside of sessions', () => {
    const place = createPlace();
    seed(place);
    expect(yore(place, ['remember', 'Use ioredis']).code).toBe(0);
    expect(yore(place, ['export']).stdout).toContain('Use ioredis');
    expect(yore(place, ['export', '--project', 'my-app']).stdout).toContain('Use ioredis');
  });

  it('writes one JSON document, even without sessions', () => {
    const place = createPlace();
    expect(JSON.parse(yore(place, ['export', '--format', 'json']).stdout)).toEqual({ sessions: [] });
    const { redis, login } = seed(place);
    expect(JSON.parse(yore(place, ['export', '--format', 'json', '--project', 'my-app']).stdout)).toMatchObject({
      sessions: [
        { sessionId: redis, projectName: 'my-app', entries: [{}, {}, {}, {}] },
        { sessionId: login, entries: [{ type: 'message' }] },
      ],
    });
  });

  it('writes Markdown to a file with mode 0600, and confirms on standard error', () => {
    const place = createPlace();
    seed(place);
    const file = join(place.folder, 'history.md');
    writeFileSync(file, 'old');
    const { code, stdout, stderr } = yore(place, ['export', '--format', 'markdown', '-o', file]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('Exported 2 sessions');
    expect(readFileSync(file, 'utf8')).toMatch(
      /^# Add Redis caching\n[\s\S]*\*\*Failed\*\* \(exit 1\): `npm install redis-node`/,
    );
    expect(readdirSync(place.folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('leaves no temporary file when the target cannot be written', () => {
    const place = createPlace();
    seed(place);
    const inTheWay = join(place.folder, 'file');
    writeFileSync(inTheWay, 'kept');
    const ran = yore(place, ['export', '-o', join(inTheWay, 'x.jsonl')]);
    expect(ran.code).toBe(6);
    expect(ran.stderr).toMatch(/^yore: Cannot write .*file is in the way/);
    expect(yore(place, ['export', '-o', place.cwd]).code).toBe(6);
    expect(readFileSync(inTheWay, 'utf8')).toBe('kept');
    expect(readdirSync(place.folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

describe('yore backup and restore', () => {
  it('move everything to another home', () => {
    const place = createPlace();
    const { redis } = seed(place);
    const file = join(place.folder, 'backup');
    expect(yore(place, ['backup', file])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Backed up'),
    });
    const other = { ...place, home: join(place.folder, 'other-home') };
    expect(yoreJson(other, ['restore', file])).toMatchObject({ file, home: other.home });
    expect(yore(other, ['show', redis]).stdout).toContain('npm install redis-node');
    expect(yore(other, ['export']).stdout).toBe(yore(place, ['export']).stdout);
  });

  it('restore into a home that is not empty only with --replace', () => {
    const place = createPlace();
    seed(place);
    const file = join(place.folder, 'backup');
    yore(place, ['backup', file]);
    const { redis } = seed(place);
    const refused = yore(place, ['restore', file]);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('--replace');
    expect(yore(place, ['show', redis]).code).toBe(0);
    expect(yore(place, ['restore', file, '--replace']).code).toBe(2);
    expect(yore(place, ['restore', file, '--replace', '--yes']).code).toBe(0);
    expect(yore(place, ['show', redis]).code).toBe(4);
    expect((yoreJson(place, ['sessions']) as { total: number }).total).toBe(2);
  });

  it('reject a file that is not a backup', () => {
    const place = createPlace();
    const file = join(place.folder, 'backup');
    writeFileSync(file, 'rubbish');
    expect(yore(place, ['restore', file])).toMatchObject({
      stdout: '',
      stderr: expect.stringMatching(/^yore: /),
    });
    expect(yore(place, ['restore', file]).code).toBe(2);
    expect(yore(place, ['restore', join(place.folder, 'missing')]).code).not.toBe(0);
    expect(existsSync(place.home)).toBe(false);
  });
});

describe('yore forget', () => {
  it('deletes a session permanently and reports what was deleted', () => {
    const place = createPlace();
    const { redis, login } = seed(place);
    const { code, stdout } = yore(place, ['forget', '--session', redis, '--yes']);
    expect(code).toBe(0);
    expect(stdout).toContain('1 session, 2 messages, 2 attempts, 0 images, 1 prompt');
    expect(yore(place, ['show', redis]).code).toBe(4);
    expect(yoreJson(place, ['search', 'redis'])).toMatchObject({ hits: [] });
    expect(yore(place, ['show', login]).code).toBe(0);
    for (const file of readdirSync(place.home, { recursive: true, encoding: 'utf8' })) {
      const path = join(place.home, file);
      if (statSync(path).isFile())
        expect({ file, text: readFileSync(path, 'latin1') }).toMatchObject({
          text: expect.not.stringContaining('ioredis'),
        });
    }
  });

  it('deletes a project', () => {
    const place = createPlace();
    seed(place);
    expect(yoreJson(place, ['forget', '--project', '.', '--yes'])).toMatchObject({
      sessions: 2,
      messages: 3,
      attempts: 2,
      prompts: 2,
    });
    expect(yoreJson(place, ['sessions'])).toMatchObject({ total: 0 });
  });

  it('leaves no number of sessions behind with a project', () => {
    const place = createPlace();
    seed(place);
    const event = { session_id: 'last', cwd: place.cwd, hook_event_name: 'SessionEnd', reason: 'exit' };
    spawnSync(process.execPath, [HOOK, 'claude-code'], { env: environment(place), input: JSON.stringify(event) });
    const [id = ''] = readdirSync(join(place.home, 'projects'));
    const counted = () => JSON.parse(readFileSync(join(place.home, 'projects', id, 'index.json'), 'utf8')).sessionCount;
    expect(counted()).toBe(2);
    yore(place, ['forget', '--project', '.', '--yes']);
    expect(counted()).toBe(0);
  });

  it('requires --yes without a terminal, and exactly one thing to delete', () => {
    const place = createPlace();
    const { redis } = seed(place);
    for (const args of [['--session', redis], [], ['--session', redis, '--project', '.', '--yes']]) {
      const ran = yore(place, ['forget', ...args]);
      expect({ args, code: ran.code }).toEqual({ args, code: 2 });
    }
    expect(yore(place, ['forget', '--session', redis]).stderr).toContain('--yes');
    expect(yore(place, ['show', redis]).code).toBe(0);
  });
});

describe('yore reindex and doctor', () => {
  it('rebuild the index', () => {
    const place = createPlace();
    seed(place);
    expect(yoreJson(place, ['reindex'])).toMatchObject({ documents: 5 });
    expect(yore(place, ['reindex']).stdout).toContain('5 messages and attempts');
  });

  it('have nothing to complain about in a new home', () => {
    expect(yore(createPlace(), ['reindex'])).toMatchObject({ code: 0, stderr: '' });
    expect(yore(createPlace(), ['doctor'])).toMatchObject({ code: 0, stderr: '' });
  });

  it('report that there are no problems, and no agents', () => {
    const place = createPlace();
    seed(place);
    yore(place, ['search', 'redis']);
    const { code, stdout } = yore(place, ['doctor']);
    expect(code).toBe(0);
    expect(stdout).toContain(place.home);
    expect(stdout).toMatch(/agents +No agent was found on this machine\.\s+No problems found\./);
    expect(yoreJson(place, ['doctor'])).toMatchObject({
      ok: true,
      home: place.home,
      projects: 1,
      sessions: 2,
      indexState: 'ready',
    });
  });
});
