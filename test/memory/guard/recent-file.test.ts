import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NOT_FOUND_404, Story } from './story.ts';

const OPTIONS = { failureLookbackDays: 3650 };

/** A project of which one failure is folded and two are kept on top of it. */
function kept(): { readonly story: Story; readonly path: string } {
  const story = new Story();
  story.fails('npm i redis-node', NOT_FOUND_404('redis-node'));
  const first = story.guard(OPTIONS);
  first.store.writeSnapshot(story.now);
  first.close();
  story.fails('cat nope.txt', 'cat: nope.txt: No such file or directory');
  keep(story);
  story.fails('gh pr diff --stat', 'unknown flag: --stat');
  keep(story);
  return { story, path: join(story.folder, 'guard.recent') };
}

function keep(story: Story): void {
  const guard = story.guard(OPTIONS);
  guard.store.saveChanges(story.now);
  guard.close();
}

/** What a process that starts now knows. */
function known(story: Story): readonly string[] {
  const guard = story.guard(OPTIONS);
  try {
    return guard.store
      .failures(story.now)
      .map(({ key, count }) => `${key} ${count}`)
      .sort();
  } finally {
    guard.close();
  }
}

describe('what a short process keeps for the next', () => {
  test('is told without reading the same records again', () => {
    const { story, path } = kept();
    const all = known(story);
    expect(all.length).toBeGreaterThanOrEqual(3);
    // The logs as they are, but for the text of what was read: only who reads it again would miss it.
    const log = join(story.folder, 'failures.jsonl');
    const text = readFileSync(log, 'utf8');
    const changed = text.replace('cat nope.txt', 'cat some.txt');
    expect(changed).not.toBe(text);
    writeFileSync(log, changed);
    expect(known(story)).toEqual(all);
    rmSync(path);
    expect(known(story)).not.toEqual(all);
  });

  test('is gone when all is folded', () => {
    const { story, path } = kept();
    const all = known(story);
    const guard = story.guard(OPTIONS);
    guard.store.writeSnapshot(story.now);
    guard.close();
    expect(existsSync(path)).toBe(false);
    expect(known(story)).toEqual(all);
  });

  test('is kept in a project whose failures were never folded', () => {
    const story = new Story();
    story.fails('cat nope.txt', 'cat: nope.txt: No such file or directory');
    keep(story);
    expect(existsSync(join(story.folder, 'guard.recent'))).toBe(true);
    expect(known(story)).toContain('path:nope.txt 1');
  });

  test('of another version is made anew', () => {
    const { story, path } = kept();
    const all = known(story);
    const bytes = readFileSync(path);
    const text = bytes.toString('utf8', 0, bytes.length / 2);
    const other = JSON.stringify({ ...JSON.parse(text), version: 0, entries: [] });
    writeFileSync(path, other + other);
    expect(known(story)).toEqual(all);
    story.works('ls');
    keep(story);
    expect(readFileSync(path, 'utf8')).not.toContain('"version":0');
    expect(known(story)).toEqual(all);
  });

  test('counts only on top of the file it was made for', () => {
    const { story, path } = kept();
    const before = readFileSync(path);
    const guard = story.guard(OPTIONS);
    guard.store.writeSnapshot(story.now);
    guard.close();
    story.works('cat nope.txt');
    const all = known(story);
    writeFileSync(path, before);
    expect(known(story)).toEqual(all);
  });

  test('is left alone when the logs are no longer what it was made of', () => {
    const { story } = kept();
    const log = join(story.folder, 'failures.jsonl');
    const lines = readFileSync(log, 'utf8').trim().split('\n');
    truncateSync(log, Buffer.byteLength(`${lines[0]}\n`));
    expect(known(story).every((name) => name.includes('redis-node') || name.includes('npm'))).toBe(true);
    expect(known(story)).not.toEqual([]);
  });

  test('makes no difference, whatever bytes of it were changed', () => {
    const { story, path } = kept();
    const all = known(story);
    const bytes = readFileSync(path);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), fc.boolean(), (at, byte, isCut) => {
        const damaged = Buffer.from(isCut ? bytes.subarray(0, at) : bytes);
        if (!isCut) damaged[at] = byte;
        writeFileSync(path, damaged);
        expect(known(story)).toEqual(all);
      }),
      { numRuns: 60 },
    );
  });

  test('of two processes at once the one that ends last loses nothing', () => {
    const { story, path } = kept();
    const older = readFileSync(path);
    story.fails('deploytool push', 'usage: deploytool TARGET');
    keep(story);
    const all = known(story);
    writeFileSync(path, older);
    expect(known(story)).toEqual(all);
  });

  test('cannot be written: then the logs are read again', () => {
    const { story, path } = kept();
    const all = known(story);
    rmSync(path);
    mkdirSync(path);
    keep(story);
    expect(known(story)).toEqual(all);
  });
});
