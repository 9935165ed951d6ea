import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NOT_FOUND_404, Story } from './story.ts';

const OPTIONS = { failureLookbackDays: 3650 };

/** A project with one failure in its snapshot and two in the saved changes. */
function withChanges(): { readonly story: Story; readonly path: string } {
  const story = new Story();
  story.fails('npm i redis-node', NOT_FOUND_404('redis-node'));
  const first = story.guard(OPTIONS);
  first.store.writeSnapshot(story.now);
  first.close();
  story.fails('cat nope.txt', 'cat: nope.txt: No such file or directory');
  save(story);
  story.fails('gh pr diff --stat', 'unknown flag: --stat');
  save(story);
  return { story, path: join(story.folder, 'guard.recent') };
}

function save(story: Story): void {
  const guard = story.guard(OPTIONS);
  guard.store.saveChanges(story.now);
  guard.close();
}

/** The failures that a new process knows. */
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

describe('the saved changes since a snapshot', () => {
  test('spare the next process reading the same records', () => {
    const { story, path } = withChanges();
    const all = known(story);
    expect(all.length).toBeGreaterThanOrEqual(3);
    // Changes a record that was read before: only a process that reads it again would notice.
    const log = join(story.folder, 'failures.jsonl');
    const text = readFileSync(log, 'utf8');
    const changed = text.replace('cat nope.txt', 'cat some.txt');
    expect(changed).not.toBe(text);
    writeFileSync(log, changed);
    expect(known(story)).toEqual(all);
    rmSync(path);
    expect(known(story)).not.toEqual(all);
  });

  test('are removed when a new snapshot is written', () => {
    const { story, path } = withChanges();
    const all = known(story);
    const guard = story.guard(OPTIONS);
    guard.store.writeSnapshot(story.now);
    guard.close();
    expect(existsSync(path)).toBe(false);
    expect(known(story)).toEqual(all);
  });

  test('need no snapshot', () => {
    const story = new Story();
    story.fails('cat nope.txt', 'cat: nope.txt: No such file or directory');
    save(story);
    expect(existsSync(join(story.folder, 'guard.recent'))).toBe(true);
    expect(known(story)).toContain('path:nope.txt 1');
  });

  test('of another version are replaced', () => {
    const { story, path } = withChanges();
    const all = known(story);
    const bytes = readFileSync(path);
    const text = bytes.toString('utf8', 0, bytes.length / 2);
    const other = JSON.stringify({ ...JSON.parse(text), version: 0, entries: [] });
    writeFileSync(path, other + other);
    expect(known(story)).toEqual(all);
    story.works('ls');
    save(story);
    expect(readFileSync(path, 'utf8')).not.toContain('"version":0');
    expect(known(story)).toEqual(all);
  });

  test('count only for the snapshot they are based on', () => {
    const { story, path } = withChanges();
    const before = readFileSync(path);
    const guard = story.guard(OPTIONS);
    guard.store.writeSnapshot(story.now);
    guard.close();
    story.works('cat nope.txt');
    const all = known(story);
    writeFileSync(path, before);
    expect(known(story)).toEqual(all);
  });

  test('are ignored when the logs were rewritten', () => {
    const { story } = withChanges();
    const log = join(story.folder, 'failures.jsonl');
    const lines = readFileSync(log, 'utf8').trim().split('\n');
    truncateSync(log, Buffer.byteLength(`${lines[0]}\n`));
    expect(known(story).every((name) => name.includes('redis-node') || name.includes('npm'))).toBe(true);
    expect(known(story)).not.toEqual([]);
  });

  test('are ignored when they are damaged, whichever bytes were changed', () => {
    const { story, path } = withChanges();
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

  test('of two processes may overwrite each other without loss', () => {
    const { story, path } = withChanges();
    const older = readFileSync(path);
    story.fails('deploytool push', 'usage: deploytool TARGET');
    save(story);
    const all = known(story);
    writeFileSync(path, older);
    expect(known(story)).toEqual(all);
  });

  test('are optional: the logs are read instead', () => {
    const { story, path } = withChanges();
    const all = known(story);
    rmSync(path);
    mkdirSync(path);
    save(story);
    expect(known(story)).toEqual(all);
  });
});
