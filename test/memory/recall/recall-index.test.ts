import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMatches, matchSession, parseQuery } from '../../../src/memory/recall/query.ts';
import { recall } from '../../../src/memory/recall/recall.ts';
import { encodeRecallIndex, openRecallIndex, updateRecallIndex } from '../../../src/memory/recall/recall-index.ts';
import { createRecallMemory } from '../../../src/memory/recall/recall-snapshot.ts';
import { RelevanceScorer } from '../../../src/memory/recall/relevance.ts';
import { blockHashes } from '../../../src/memory/recall/session-block.ts';
import { digest, request } from './digests.ts';

const options = { minConfidence: 0.75, now: new Date('2025-11-14T09:00:00Z') };
const words = fc.array(fc.constantFrom('tide', 'berth', 'crane', 'mast', 'sail', 'anchor'), {
  minLength: 1,
  maxLength: 4,
});
const sessions = fc.uniqueArray(
  fc
    .tuple(fc.constantFrom('a', 'bb', 'ccc', 'dddd', 'eeeee'), words)
    .map(([id, asked]) => digest(id, [request(asked.join(' '))])),
  { selector: ({ sessionId }) => sessionId },
);

/** What an index finds, independent of the order of its sessions. */
function contents(bytes: Uint8Array): readonly string[] {
  const index = openRecallIndex(bytes);
  if (index === undefined) throw new Error('the index cannot be read');
  const blocks = Array.from({ length: index.sessionCount }, (_, session) => index.block(session));
  const terms = blocks.map((block) => new Set(blockHashes(block)));
  for (const term of new Set(terms.flatMap((each) => [...each]))) {
    const having = terms.flatMap((each, session) => (each.has(term) ? [session] : []));
    const found = index.sessionsWith(term);
    expect(found.toArray().toSorted((one, other) => one - other)).toEqual(having);
    expect(found.length).toBe(having.length);
    expect(blocks.flatMap((_, session) => (found.has(session) ? [session] : []))).toEqual(having);
  }
  return blocks.map((block) => block.join(',')).sort();
}

describe('recall index', () => {
  it('is the same when it is built session by session or at once', () => {
    fc.assert(
      fc.property(sessions, sessions, (before, changed) => {
        const grown = updateRecallIndex(encodeRecallIndex(before), changed);
        const kept = before.filter(({ sessionId }) => !changed.some((each) => each.sessionId === sessionId));
        expect(contents(grown)).toEqual(contents(encodeRecallIndex([...kept, ...changed])));
      }),
    );
  });

  it('misses no session that is confident enough', () => {
    fc.assert(
      fc.property(sessions, words, fc.double({ min: 0.05, max: 0.95, noNaN: true }), (digests, prompt, confidence) => {
        const index = openRecallIndex(encodeRecallIndex(digests));
        if (index === undefined) throw new Error('the index cannot be read');
        const query = parseQuery(prompt.join(' '));
        const scorer = new RelevanceScorer(findMatches(index, query));
        const candidates = scorer.candidates(confidence);
        for (let session = 0; session < index.sessionCount; session++) {
          const relevance = scorer.score(matchSession(query, index.block(session)));
          if (relevance.confidence >= confidence && relevance.rank > 0) expect(candidates).toContain(session);
        }
      }),
    );
  });

  it('is read from unaligned bytes', () => {
    const bytes = encodeRecallIndex([digest('straße-日本', [request('splice the mooring line')])]);
    const shifted = new Uint8Array(bytes.length + 1).subarray(1);
    shifted.set(bytes);
    expect(openRecallIndex(shifted)?.sessionCount).toBe(1);
  });

  it('is ignored when it is damaged or of another version', () => {
    const bytes = encodeRecallIndex([digest('a', [request('splice the mooring line')])]);
    expect(openRecallIndex(new Uint8Array(0))).toBeUndefined();
    expect(openRecallIndex(bytes.subarray(0, bytes.length - 4))).toBeUndefined();
    expect(openRecallIndex(bytes.subarray(0, bytes.length - 1))).toBeUndefined();
    const other = Uint8Array.from(bytes);
    other[4] = 99;
    expect(openRecallIndex(other)).toBeUndefined();
    expect(contents(updateRecallIndex(other, []))).toEqual([]);
  });

  it('never makes recall throw, whatever its bytes are', () => {
    const good = encodeRecallIndex([digest('a', [request('splice the mooring line')])]);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255))), (changes) => {
        const bytes = Uint8Array.from(good);
        for (const [at, value] of changes) bytes[at] = value;
        const index = openRecallIndex(bytes);
        if (index === undefined) return;
        recall('splice the mooring line', { index, digest: () => undefined }, options);
      }),
    );
  });

  it('uses the current digest when it has changed since', () => {
    const old = createRecallMemory([digest('a', [request('splice the mooring line')])]);
    const grown = digest('a', [
      request('paint the hull'),
      request('splice the mooring line', { decision: 'feat: eye splice' }),
    ]);
    const recollection = recall('splice a mooring line', { index: old.index, digest: () => grown }, options);
    expect(recollection?.lines[1]?.text).toBe('Outcome: "feat: eye splice"');
  });
});
