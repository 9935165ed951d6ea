import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type TestHome, testHome, timeOf } from './home.ts';

const SECRET = ['zyx', 'wvut', 'srq'].join('');

/** Whether a word is anywhere in the files of the index. */
function isOnDisk({ home }: TestHome, word: string): boolean {
  return readdirSync(home)
    .filter((name) => name.startsWith('search.db'))
    .some((name) => existsSync(join(home, name)) && readFileSync(join(home, name)).includes(word));
}

function homeWithSecret(): TestHome {
  const home = testHome();
  for (let n = 0; n < 50; n++) {
    home.write({ role: 'user', content: `kept words number${n} of the other session`, sessionId: 'kept' });
    home.write({ role: 'user', content: `${SECRET} getUser${SECRET} ${SECRET}${n}`, sessionId: 'doomed' });
  }
  home.catchUp();
  expect(isOnDisk(home, SECRET)).toBe(true);
  return home;
}

describe('what was removed is nowhere in the files of the index', () => {
  it('after a session was removed', () => {
    const home = homeWithSecret();
    home.index.removeSession('p1', 'doomed');
    expect(isOnDisk(home, SECRET)).toBe(false);
    expect(isOnDisk(home, 'doomed')).toBe(false);
    expect(home.index.search({ text: 'number7' }).hits).toHaveLength(1);
    expect(home.index.search({ text: 'umber7' }).hits).toHaveLength(1);
    expect(home.index.search({ text: SECRET.slice(2) }).hits).toEqual([]);
  });

  it('after a session was forgotten in the log', () => {
    const home = homeWithSecret();
    home.write({ kind: 'tombstone', sessionId: 'doomed', timestamp: timeOf(1_000_000) });
    home.catchUp();
    home.index.purge();
    expect(isOnDisk(home, SECRET)).toBe(false);
    expect(home.index.search({ text: 'kept', limit: 100 }).hits).toHaveLength(50);
  });

  it('after a project was removed', () => {
    const home = homeWithSecret();
    home.index.removeProject('p1');
    expect(isOnDisk(home, SECRET)).toBe(false);
    expect(isOnDisk(home, 'kept')).toBe(false);
    expect(home.index.counts()).toEqual({ sessions: 0, messages: 0, failures: 0, successes: 0 });
  });
});
