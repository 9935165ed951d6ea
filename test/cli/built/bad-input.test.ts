import {
  appendFileSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHome } from '../../../src/project/index.ts';
import { createPlace, type Place, yore, yoreJson } from './run-yore.ts';
import { seed } from './seed.ts';

/** Every file below a folder with its content. */
function contents(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
  return Object.fromEntries(files.map((path) => [path, readFileSync(path, 'latin1')]));
}

/** The same without the search index: a cache, which may note at any time that a folder has come to rest. */
function kept(folder: string): Record<string, string> {
  return Object.fromEntries(Object.entries(contents(folder)).filter(([path]) => !path.includes('store-')));
}

function historyFile(place: Place): string {
  const home = openHome({ home: place.home });
  const file = join(home.findProjectByName('my-app').directory, 'history.jsonl');
  home.close();
  return file;
}

describe('bad input', () => {
  let shared: Place;
  let before: Record<string, string>;
  beforeAll(() => {
    shared = createPlace(realpathSync(mkdtempSync(join(tmpdir(), 'yore-test-'))));
    seed(shared);
    yore(shared, ['search', 'warm up']);
    before = kept(shared.home);
  });
  afterAll(() => rmSync(shared.folder, { recursive: true, force: true }));

  it.each([
    [['show', 'nonsense'], 4, /no session "nonsense".*yore sessions/],
    [['show', ''], 4, /no session ""/],
    [['show', 'sess_'], 2, /Several sessions start with "sess_"/],
    [['search', ''], 2, /empty/],
    [['search', '   '], 2, /empty/],
    [['search'], 2, /missing required argument 'query'/],
    [['search', 'x', '--project', 'nope'], 4, /no project "nope"/],
    [['search', 'x', '--session', 'nope'], 4, /no session "nope"/],
    [['search', 'x', '--since', 'soon'], 2, /--since "soon" is not a time/],
    [['search', 'x', '--limit', '0'], 2, /--limit "0"/],
    [['search', 'x', '--limit', '1e3'], 2, /--limit "1e3"/],
    [['sessions', '--until', '2025-02-30'], 2, /--until/],
    [['export', '--session', 'nope'], 4, /no session "nope"/],
    [['export', '--format', 'pdf'], 2, /jsonl, json, /],
    [['forget', '--session', 'nope', '--yes'], 4, /no session "nope"/],
    [['forget', '--project', 'nope', '--yes'], 4, /no project "nope"/],
    [['config', 'get', 'retrieval.minConfidenc'], 5, /Did you mean "retrieval.minConfidence"/],
    [['config', 'set', 'nonsense', '1'], 5, /"nonsense"/],
    [['config', 'set', 'prompts.size', 'many'], 5, /prompts\.size/],
    [['config', 'unset', 'nonsense'], 5, /"nonsense"/],
    [['completion'], 2, /bash, zsh or fish/],
    [['prompts', '--pick'], 2, /no terminal/],
    [['nonsense'], 2, /unknown command "nonsense"/],
    [['--home'], 2, /argument missing/],
    [['sessions', '--home', ''], 2, /--home is empty/],
  ])('rejects %j', (args, code, message) => {
    const ran = yore(shared, args);
    expect(ran.code).toBe(code);
    expect(ran.stdout).toBe('');
    expect(ran.stderr).toMatch(/^yore: /);
    expect(ran.stderr).toMatch(message);
    expect(ran.stderr).not.toMatch(/^ {4}at /m);
    expect(kept(shared.home)).toEqual(before);
  });

  it('reports a file in place of the home and keeps it', () => {
    const place = createPlace();
    writeFileSync(place.home, 'kept');
    for (const args of [[], ['search', 'x'], ['sessions'], ['doctor'], ['pause'], ['reindex']]) {
      const ran = yore(place, args);
      expect({ args, code: ran.code }).toEqual({ args, code: 6 });
      expect(ran.stderr + ran.stdout).toContain(place.home);
      expect(ran.stderr + ran.stdout).toContain('is a file');
    }
    expect(readFileSync(place.home, 'utf8')).toBe('kept');
  });

  it('rejects a home that belongs to another user', () => {
    const place = createPlace();
    const isRoot = process.getuid?.() === 0;
    const home = isRoot ? place.home : '/usr';
    if (isRoot) {
      mkdirSync(home);
      chownSync(home, 65534, 65534);
    }
    for (const args of [['search', 'x'], [], ['doctor'], ['pause']]) {
      const ran = yore({ ...place, home }, args);
      expect({ args, code: ran.code }).toEqual({ args, code: 6 });
      expect(ran.stderr + ran.stdout).toMatch(/belongs to another user/);
      expect(ran.stderr + ran.stdout).toContain('YORE_HOME');
    }
    if (isRoot) expect(readdirSync(home)).toEqual([]);
  });

  it('reports a corrupt index in doctor and rebuilds it in search', () => {
    const place = createPlace();
    const { redis } = seed(place);
    yore(place, ['search', 'redis']);
    for (const name of readdirSync(place.home).filter((file) => file.startsWith('store-')))
      writeFileSync(join(place.home, name), 'rubbish '.repeat(2000));
    const before = contents(place.home);
    const doctor = yore(place, ['doctor']);
    expect(doctor.code).toBe(6);
    expect(doctor.stdout).toContain('yore reindex');
    expect(contents(place.home)).toEqual(before);
    const search = yore(place, ['search', 'ioredis']);
    expect(search.code).toBe(0);
    expect(search.stdout).toContain(redis.slice(0, 8));
    expect(search.stderr).toMatch(/^yore: .*index/);
    expect(yore(place, ['search', 'ioredis'])).toMatchObject({ code: 0, stderr: '' });
    expect(yore(place, ['doctor']).code).toBe(0);
  });

  it('warns about records of a newer version after printing the others, and keeps them', () => {
    const place = createPlace();
    const { redis } = seed(place);
    const file = historyFile(place);
    const newer = JSON.stringify({
      v: 99,
      id: 'n1',
      sessionId: redis,
      timestamp: new Date().toISOString(),
      shape: 'new',
    });
    appendFileSync(file, `${newer}\n`);
    for (const args of [
      ['search', 'redis'],
      ['sessions'],
      ['show', redis],
      [],
      ['export'],
      ['search', 'redis', '--json'],
    ]) {
      const ran = yore(place, args);
      expect({ args, code: ran.code }).toEqual({ args, code: 7 });
      expect(ran.stdout).toContain(redis.slice(0, 8));
      expect(ran.stderr).toMatch(/^yore: .*newer yore/);
    }
    expect(yore(place, ['doctor']).code).toBe(7);
    expect(readFileSync(file, 'utf8')).toContain(newer);
  });

  it('rejects an invalid settings file, names it, and can repair it', () => {
    const place = createPlace();
    mkdirSync(place.home, { mode: 0o700 });
    const file = join(place.home, 'config.json');
    writeFileSync(file, JSON.stringify({ retrieval: { minConfidense: 0.5 } }));
    const before = readFileSync(file, 'utf8');
    for (const args of [['search', 'x'], [], ['config', 'list'], ['doctor']]) {
      const ran = yore(place, args);
      expect({ args, code: ran.code }).toEqual({ args, code: 5 });
      expect(ran.stderr + ran.stdout).toContain('minConfidense');
      expect((ran.stderr + ran.stdout).replace(/\s+/g, '')).toContain(file);
    }
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(yore(place, ['config', 'unset', 'retrieval.minConfidense']).code).toBe(0);
    expect(yore(place, ['sessions']).code).toBe(0);
  });

  it('prints a stack trace with --debug', () => {
    const place = createPlace();
    expect(yore(place, ['show', 'nope', '--debug']).stderr).toMatch(/^ {4}at /m);
    expect(yore(place, ['--debug', 'show', 'nope']).stderr).toMatch(/^ {4}at /m);
  });

  it('prefers --home over YORE_HOME', () => {
    const place = createPlace();
    seed(place);
    const other = join(place.folder, 'other');
    expect(yoreJson(place, ['sessions', '--home', other])).toMatchObject({ total: 0 });
    expect(yoreJson({ ...place, home: other }, ['--home', place.home, 'sessions'])).toMatchObject({
      total: 2,
    });
  });
});
