import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SessionDigest } from '../../../src/memory/digest/session-digest.ts';
import { openRecallMemory, RECALL_FILE, recall, updateRecallFile } from '../../../src/memory/recall/index.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { digest, request } from './digests.ts';

const options = { minConfidence: 0.75, now: new Date('2025-11-14T09:00:00Z') };
const NOTHING = { changed: [], rebuilt: false };

/** Digests that count how often all of them were read. */
function sourceOf(digests: readonly SessionDigest[]) {
  const source = {
    reads: 0,
    sessionCount: digests.length,
    digest: (id: string) => digests.find(({ sessionId }) => sessionId === id),
    all: () => {
      source.reads++;
      return digests;
    },
  };
  return source;
}

describe('the kept index of recall', () => {
  const splice = digest('a', [request('splice the mooring line')]);
  const paint = digest('b', [request('paint the hull')]);

  it('is made when it is missing, readable by its owner only, and found again', () => {
    const folder = temporaryFolder();
    const source = sourceOf([splice, paint]);
    expect(openRecallMemory(folder, source)).toBeUndefined();
    updateRecallFile(folder, source, NOTHING);
    const memory = openRecallMemory(folder, source);
    expect(memory && recall('paint the hull', memory, options)?.sessionId).toBe('b');
    expect(statSync(join(folder, RECALL_FILE)).mode & 0o777).toBe(0o600);
  });

  it('takes in what changed without reading the other digests', () => {
    const folder = temporaryFolder();
    updateRecallFile(folder, sourceOf([splice]), NOTHING);
    const source = sourceOf([splice, paint]);
    updateRecallFile(folder, source, { changed: ['b'], rebuilt: false });
    expect(source.reads).toBe(0);
    const memory = openRecallMemory(folder, source);
    expect(memory && recall('paint the hull', memory, options)?.sessionId).toBe('b');
    expect(memory && recall('splice the mooring line', memory, options)?.sessionId).toBe('a');
  });

  it('is left alone when nothing changed', () => {
    const folder = temporaryFolder();
    updateRecallFile(folder, sourceOf([splice]), NOTHING);
    const before = statSync(join(folder, RECALL_FILE)).ino;
    updateRecallFile(folder, sourceOf([splice]), NOTHING);
    expect(statSync(join(folder, RECALL_FILE)).ino).toBe(before);
  });

  it('loses the sessions that the digests lost', () => {
    const folder = temporaryFolder();
    updateRecallFile(folder, sourceOf([splice, paint]), NOTHING);
    updateRecallFile(folder, sourceOf([paint]), { changed: [], rebuilt: true });
    const memory = openRecallMemory(folder, sourceOf([splice, paint]));
    expect(memory && recall('splice the mooring line', memory, options)).toBeUndefined();
    expect(memory && recall('paint the hull', memory, options)?.sessionId).toBe('b');
  });

  it('is made anew when it is damaged or not of these digests', () => {
    const folder = temporaryFolder();
    const source = sourceOf([splice, paint]);
    updateRecallFile(folder, source, NOTHING);
    const whole = readFileSync(join(folder, RECALL_FILE));
    for (const damage of [
      () => truncateSync(join(folder, RECALL_FILE), whole.length - 8),
      () => writeFileSync(join(folder, RECALL_FILE), 'garbage'),
      () => updateRecallFile(folder, sourceOf([splice]), { changed: [], rebuilt: true }),
    ]) {
      damage();
      updateRecallFile(folder, source, { changed: ['a'], rebuilt: false });
      const memory = openRecallMemory(folder, source);
      expect(memory && recall('paint the hull', memory, options)?.sessionId).toBe('b');
    }
  });
});
