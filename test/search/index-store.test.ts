import { existsSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SearchIndex } from '../../src/search/index.ts';
import { type Database, openDatabase } from '../../src/sqlite/database.ts';
import { sqliteFailure } from '../../src/store/index-store.ts';
import { storePath } from '../../src/store/store-files.ts';
import { dumpStore } from '../store/dump-store.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { testHome } from './home.ts';

const databaseOf = storePath;

describe('the index file', () => {
  it('is not created before there is anything to index', () => {
    const home = temporaryFolder();
    const directory = join(home, 'projects', 'empty');
    mkdirSync(directory, { recursive: true });
    const index = SearchIndex.open(home);
    index.catchUp([{ id: 'empty', directory }]);
    expect(index.search({ text: 'anything' })).toEqual({
      hits: [],
      sessions: [],
      isQuestion: false,
      source: 'index',
      missing: [],
      terms: [],
      warnings: [],
    });
    expect(index.listSessions()).toEqual({ sessions: [], total: 0 });
    expect(index.state([])).toEqual({ state: 'missing', bytes: 0 });
    expect(existsSync(databaseOf(home))).toBe(false);
  });

  it.skipIf(process.platform === 'win32')('is readable by its owner only, and so are the files beside it', () => {
    const { home, say, catchUp } = testHome();
    say('hello');
    catchUp();
    for (const suffix of ['', '-wal', '-shm']) {
      expect(statSync(databaseOf(home) + suffix).mode & 0o777).toBe(0o600);
    }
  });

  it('has words, but no text', () => {
    const { home, say, catchUp, index } = testHome();
    say('Zebras never Gallop at noon');
    catchUp();
    index.close();
    const bytes = readFileSync(databaseOf(home)).toString('latin1');
    expect(bytes).not.toContain('never Gallop');
    expect(bytes.toLowerCase()).not.toContain('never gallop at noon');
  });

  it('can be deleted at any time', () => {
    const { home, say, find, index } = testHome();
    say('hello world');
    expect(find('hello')).toHaveLength(1);
    index.close();
    for (const suffix of ['', '-wal', '-shm']) rmSync(databaseOf(home) + suffix, { force: true });
    expect(find('hello')).toHaveLength(1);
  });

  it('is rebuilt when it is not a database, with a warning', () => {
    const { home, say, find, index } = testHome();
    say('hello world');
    writeFileSync(databaseOf(home), 'this is not a database, however long it may be '.repeat(100));
    expect(index.state([]).state).toBe('corrupt');
    expect(find('hello')).toEqual(['hello world']);
    expect(index.search({ text: 'hello' })).toMatchObject({
      source: 'index',
      warnings: [{ code: 'rebuilt' }],
    });
  });

  it('is rebuilt when it turns out to be damaged during a search', () => {
    const { home, say, find, index, sources } = testHome();
    say(...Array.from({ length: 300 }, (_, n) => `hello number${n} ${'word '.repeat(n % 50)}`));
    expect(find('number77')).toHaveLength(1);
    index.close();
    const { size } = statSync(databaseOf(home));
    const descriptor = openSync(databaseOf(home), 'r+');
    for (let at = 4096 * 3; at < size; at += 4096) writeSync(descriptor, Buffer.alloc(4096, 0x5a), 0, 4096, at);
    index.catchUp(sources);
    expect(index.search({ text: 'number77' }).hits).toHaveLength(1);
    expect(index.search({ text: 'hello', limit: 1000 }).hits).toHaveLength(300);
  });

  it('is rebuilt when bytes are missing, wherever they are missing', () => {
    for (let from = 4100; from < 60_000; from += 1500) {
      const { home, say, find, index, sources } = testHome();
      say(...Array.from({ length: 300 }, (_, n) => `hello number${n}`));
      expect(find('number77')).toHaveLength(1);
      index.close();
      const whole = readFileSync(databaseOf(home));
      writeFileSync(databaseOf(home), Buffer.concat([whole.subarray(0, from), whole.subarray(from + 37)]));
      index.catchUp(sources);
      expect(index.search({ text: 'number77' }).hits).toHaveLength(1);
      expect(index.listSessions().total).toBe(1);
    }
  });

  it('is searched as it is while another process writes, and the rest of the logs is scanned', () => {
    const { home, say, catchUp, index, sources } = testHome();
    say('indexed redis');
    catchUp();
    say('late redis');
    const other = openDatabase(databaseOf(home));
    other.exec('BEGIN IMMEDIATE');
    try {
      expect(index.catchUp(sources).complete).toBe(false);
      const { hits, source } = index.search({ text: 'redis' });
      expect(source).toBe('index');
      expect(hits.map((hit) => hit.snippet.text)).toEqual(['late redis', 'indexed redis']);
    } finally {
      other.exec('ROLLBACK');
      other.close();
    }
    expect(index.catchUp(sources)).toMatchObject({ documents: 1, complete: true });
    expect(index.search({ text: 'redis' }).hits).toHaveLength(2);
  }, 20_000);

  it('reports whether it is up to date without changing anything', () => {
    const { home, say, catchUp, index, sources } = testHome();
    say('hello');
    expect(index.state(sources).state).toBe('missing');
    catchUp();
    expect(index.state(sources)).toMatchObject({ state: 'ready', bytes: expect.any(Number) });
    say('more');
    expect(index.state(sources).state).toBe('behind');
    expect(statSync(databaseOf(home)).size).toBeGreaterThan(0);
    expect(index.search({ text: 'more' }).hits).toEqual([]);
  });

  it('is the same after a rebuild', () => {
    const { home, say, write, catchUp, index, sources } = testHome();
    say('one', 'two');
    write({ outcome: 'success', command: 'npm test' }, 'successes');
    catchUp();
    const before = dumpStore(home);
    expect(index.rebuild(sources)).toMatchObject({ documents: 3, complete: true });
    expect(dumpStore(home)).toEqual(before);
    expect(index.search({ text: 'one' }).warnings).toEqual([]);
  });
});

/** A database whose first page is whole and whose others are not. */
function damagedDatabase(): Database {
  const path = join(temporaryFolder(), 'damaged.db');
  const whole = openDatabase(path);
  whole.exec('CREATE TABLE word (text TEXT); BEGIN');
  const insert = whole.prepare('INSERT INTO word VALUES (?)');
  for (let n = 0; n < 500; n++) insert.run(`word number ${n} of many`);
  whole.exec('COMMIT');
  whole.close();
  const file = openSync(path, 'r+');
  for (let page = 1; page < 4; page++) writeSync(file, Buffer.alloc(4096, 0x5a), 0, 4096, page * 4096);
  return openDatabase(path);
}

function failureOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return sqliteFailure(error);
  }
}

it('recognises damage, however SQLite reports it', () => {
  const database = damagedDatabase();
  try {
    const select = database.prepare('SELECT text FROM word');
    expect(failureOf(() => select.all())).toBe('corrupt');
    expect(failureOf(() => select.get())).toBe('corrupt');
    expect(failureOf(() => [...select.iterate()])).toBe('corrupt');
    expect(failureOf(() => database.exec("INSERT INTO word VALUES ('x')"))).toBe('corrupt');
  } finally {
    database.close();
  }
});

it('recognises a busy database, and errors that are not from SQLite', () => {
  const path = join(temporaryFolder(), 'busy.db');
  const one = openDatabase(path);
  const other = openDatabase(path);
  try {
    one.exec('CREATE TABLE word (text TEXT); BEGIN IMMEDIATE');
    other.exec('PRAGMA busy_timeout = 1');
    expect(failureOf(() => other.exec('BEGIN IMMEDIATE'))).toBe('busy');
    expect(failureOf(() => other.prepare("INSERT INTO word VALUES ('x')").run())).toBe('busy');
    expect(failureOf(() => other.exec('no SQL'))).toBe('failed');
    expect(sqliteFailure(new Error('database disk image is malformed'))).toBeUndefined();
  } finally {
    one.close();
    other.close();
  }
});
