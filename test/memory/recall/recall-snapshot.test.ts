import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionDigest } from '../../../src/memory/digest/session-digest.ts';
import { recall } from '../../../src/memory/recall/recall.ts';
import { RECALL_FILE, updateRecallSnapshot, withRecallMemory } from '../../../src/memory/recall/recall-snapshot.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { digest, request } from './digests.ts';

const options = { minConfidence: 0.75, now: new Date('2025-11-14T09:00:00Z') };
const NOTHING = { changed: [], rebuilt: false };

/** A source of digests that counts how often all of them are read. */
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

function otherVersion(whole: Buffer): Buffer {
  const other = Buffer.from(whole);
  other.writeUInt32LE(2, 4);
  return other;
}

/** The session that the snapshot finds; undefined without a snapshot. */
function recalled(folder: string, source: ReturnType<typeof sourceOf>, prompt: string): string | undefined {
  return withRecallMemory(folder, source, [], (memory) => recall(prompt, memory, options)?.sessionId);
}

describe('recall snapshot', () => {
  const splice = digest('a', [request('splice the mooring line')]);
  const paint = digest('b', [request('paint the hull')]);

  it('is created when it is missing, readable by its owner only', () => {
    const folder = temporaryFolder();
    const source = sourceOf([splice, paint]);
    expect(recalled(folder, source, 'paint the hull')).toBeUndefined();
    updateRecallSnapshot(folder, source, NOTHING);
    expect(recalled(folder, source, 'paint the hull')).toBe('b');
    expect(statSync(join(folder, RECALL_FILE)).mode & 0o777).toBe(0o600);
  });

  it('is updated without reading unchanged digests', () => {
    const folder = temporaryFolder();
    updateRecallSnapshot(folder, sourceOf([splice]), NOTHING);
    const source = sourceOf([splice, paint]);
    updateRecallSnapshot(folder, source, { changed: ['b'], rebuilt: false });
    expect(source.reads).toBe(0);
    expect(recalled(folder, source, 'paint the hull')).toBe('b');
    expect(recalled(folder, source, 'splice the mooring line')).toBe('a');
  });

  it('is not written when nothing changed', () => {
    const folder = temporaryFolder();
    updateRecallSnapshot(folder, sourceOf([splice]), NOTHING);
    const before = statSync(join(folder, RECALL_FILE)).ino;
    updateRecallSnapshot(folder, sourceOf([splice]), NOTHING);
    expect(statSync(join(folder, RECALL_FILE)).ino).toBe(before);
  });

  it('drops sessions without digests', () => {
    const folder = temporaryFolder();
    updateRecallSnapshot(folder, sourceOf([splice, paint]), NOTHING);
    updateRecallSnapshot(folder, sourceOf([paint]), { changed: [], rebuilt: true });
    const source = sourceOf([splice, paint]);
    expect(recalled(folder, source, 'splice the mooring line')).toBeUndefined();
    expect(recalled(folder, source, 'paint the hull')).toBe('b');
  });

  it('is rebuilt when it is damaged or not of these digests', () => {
    const folder = temporaryFolder();
    const source = sourceOf([splice, paint]);
    updateRecallSnapshot(folder, source, NOTHING);
    const whole = readFileSync(join(folder, RECALL_FILE));
    for (const damage of [
      () => truncateSync(join(folder, RECALL_FILE), whole.length - 8),
      () => writeFileSync(join(folder, RECALL_FILE), 'garbage'),
      () => writeFileSync(join(folder, RECALL_FILE), otherVersion(whole)),
      () => updateRecallSnapshot(folder, sourceOf([splice]), { changed: [], rebuilt: true }),
    ]) {
      damage();
      updateRecallSnapshot(folder, source, { changed: ['a'], rebuilt: false });
      expect(recalled(folder, source, 'paint the hull')).toBe('b');
    }
  });

  it('finds a session by its current terms only', () => {
    const folder = temporaryFolder();
    updateRecallSnapshot(folder, sourceOf([splice, paint]), NOTHING);
    const source = sourceOf([splice, digest('b', [request('calibrate the echo sounder')])]);
    updateRecallSnapshot(folder, source, { changed: ['b'], rebuilt: false });
    expect(recalled(folder, source, 'calibrate the echo sounder')).toBe('b');
    expect(recalled(folder, source, 'paint the hull')).toBeUndefined();
    expect(recalled(folder, source, 'splice the mooring line')).toBe('a');
  });

  it('is rebuilt when the recent changes are damaged', () => {
    const folder = temporaryFolder();
    updateRecallSnapshot(folder, sourceOf([splice]), NOTHING);
    const source = sourceOf([splice, paint]);
    updateRecallSnapshot(folder, source, { changed: ['b'], rebuilt: false });
    writeFileSync(join(folder, 'recall.recent'), 'garbage!');
    updateRecallSnapshot(folder, source, { changed: ['a'], rebuilt: false });
    expect(existsSync(join(folder, 'recall.recent'))).toBe(false);
    expect(recalled(folder, source, 'paint the hull')).toBe('b');
  });

  it('merges the recent changes when they have grown', () => {
    const folder = temporaryFolder();
    updateRecallSnapshot(folder, sourceOf([splice]), NOTHING);
    const long = Array.from({ length: 12 }, (_, at) =>
      digest(`long-${at}`, [request(`inspect ${Array.from({ length: 3_000 }, (_, n) => `part${at}x${n}`).join(' ')}`)]),
    );
    const sizes = long.map(({ sessionId }, at) => {
      const source = sourceOf([splice, ...long.slice(0, at + 1)]);
      updateRecallSnapshot(folder, source, { changed: [sessionId], rebuilt: false });
      expect(source.reads).toBe(0);
      expect(recalled(folder, source, 'splice the mooring line')).toBe('a');
      return statSync(join(folder, RECALL_FILE)).size;
    });
    expect(new Set(sizes).size).toBeGreaterThan(1);
    expect(new Set(sizes).size).toBeLessThan(long.length);
  });

  it('gives the same result in whatever order sessions were added', () => {
    const texts = ['splice the mooring line', 'paint the hull', 'calibrate the echo sounder', 'varnish the tiller'];
    const change = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom(...texts));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), (changes) => {
        const [grown, made] = [temporaryFolder(), temporaryFolder()];
        const now = new Map<string, SessionDigest>();
        for (const [id, text] of changes) {
          now.set(id, digest(id, [request(text)]));
          updateRecallSnapshot(grown, sourceOf([...now.values()]), { changed: [id], rebuilt: false });
        }
        const source = sourceOf([...now.values()]);
        updateRecallSnapshot(made, source, { changed: [], rebuilt: true });
        const answers = (folder: string) => texts.map((text) => recalled(folder, source, text) !== undefined);
        expect(answers(grown)).toEqual(answers(made));
      }),
      { numRuns: 40 },
    );
  });
});
