import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openHome } from '../../src/project/index.ts';
import { openDatabase } from '../../src/sqlite/database.ts';
import { storePath } from '../../src/store/store-files.ts';
import { testHome } from '../search/home.ts';
import { temporaryFolder } from '../temp-folder.ts';

const DAY_SECONDS = 86_400;

/** A database of another version that was last written to some days ago. */
function otherStore(home: string, name: string, daysAgo: number): string {
  const path = join(home, name);
  const database = openDatabase(path);
  database.exec('CREATE TABLE ofAnotherVersion (x); PRAGMA user_version = 3');
  database.close();
  const time = Date.now() / 1000 - daysAgo * DAY_SECONDS;
  utimesSync(path, time, time);
  return path;
}

it('leaves the stores of an older and a newer yore alone that use the same home', () => {
  const { home, say, find } = testHome();
  say('hello world');
  const others = ['search.db', 'store-3.db', 'store-9999.db'].map((name) => otherStore(home, name, 13));
  expect(find('hello')).toEqual(['hello world']);
  expect(others.filter((path) => existsSync(path))).toEqual(others);
  expect(existsSync(storePath(home))).toBe(true);
});

it('deletes the stores of older versions that nothing was written to for two weeks, and no newer ones', () => {
  const { home, say, find } = testHome();
  say('hello world');
  const older = ['search.db', 'store-3.db'].map((name) => otherStore(home, name, 15));
  const newer = otherStore(home, 'store-9999.db', 15);
  const inUse = otherStore(home, 'store-4.db', 15);
  writeFileSync(`${inUse}-wal`, 'written to a moment ago');
  find('hello');
  expect(older.filter((path) => existsSync(path))).toEqual([]);
  expect([newer, inUse].map((path) => existsSync(path))).toEqual([true, true]);
});

it('opens a home of yore 0.1, and builds the store from its logs', () => {
  const checkout = temporaryFolder();
  const folder = temporaryFolder();
  const before = openHome({ home: folder });
  const project = before.openProject(checkout);
  project.history.append({ role: 'user', content: 'Why does the lighthouse blink?' });
  project.history.append({ role: 'assistant', content: 'Fixed the timer of the lighthouse in src/timer.ts.' });
  before.close();
  const database = openDatabase(join(folder, 'search.db'));
  database.exec('CREATE TABLE document (id INTEGER PRIMARY KEY, text TEXT); PRAGMA user_version = 12');
  database.close();
  const home = openHome({ home: folder });
  onTestFinished(() => home.close());
  expect(home.check().filter(({ ok }) => !ok)).toEqual([]);
  expect(home.search({ text: 'lighthouse' })).toMatchObject({ hits: [{}, {}], warnings: [] });
  expect(home.listSessions().sessions).toMatchObject([{ messageCount: 2 }]);
  expect(home.status()).toMatchObject({ indexState: 'ready', messages: 2 });
});
