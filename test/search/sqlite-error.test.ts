import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sqliteFailure } from '../../src/search/index/index-store.ts';
import { type Database, openDatabase } from '../../src/sqlite/database.ts';
import { temporaryFolder } from '../temp-folder.ts';

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

it('damage is known for what it is, whichever way it is met', () => {
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

it('a database that another writes to is busy, and other errors are not of SQLite', () => {
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
