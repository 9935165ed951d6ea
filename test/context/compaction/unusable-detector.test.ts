import { describe, expect, it } from 'vitest';
import { Compactor } from '../../../src/context/compaction/compactor.ts';
import { checkBoundary, type TopicDetector } from '../../../src/context/compaction/topic-boundary.ts';
import { counter, exchanges } from './turn-makers.ts';

const turns = exchanges(30);
const settings = { triggerTokens: 1_000, verbatimWindowTokens: 300 };

function compact(detect: () => unknown) {
  const detector = { detect } as unknown as TopicDetector;
  return new Compactor({ counter, settings, detector, detectTimeoutMs: 20 }).compact(turns);
}

describe('a detector that cannot be used', () => {
  it.each([
    [
      'throws',
      () => {
        throw new Error('out of order');
      },
    ],
    ['rejects', () => Promise.reject(new Error('out of order'))],
    ['throws something that is no error', () => Promise.reject('out of order')],
  ])('is done without when it %s, and the reason is told', async (_, detect) => {
    const result = await compact(detect);
    expect(result).toMatchObject({ case: 'summarise', boundary: { boundaryIndex: null, confidence: 0 } });
    if (result.case !== 'none') expect(result.boundary.reason).toContain('out of order');
  });

  it('is not waited for when it hangs, and is told that nobody waits', async () => {
    let told: AbortSignal | undefined;
    const detector: TopicDetector = {
      detect: (_, options) => {
        told = options?.signal;
        return new Promise(() => {});
      },
    };
    const result = await new Compactor({ counter, settings, detector, detectTimeoutMs: 20 }).compact(turns);
    expect(result.case).toBe('summarise');
    if (result.case !== 'none') expect(result.boundary.reason).toContain('no answer within 20 ms');
    expect(told?.aborted).toBe(true);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a word', 'soon'],
    ['an index out of range', { boundaryIndex: 60, confidence: 1 }],
    ['a negative index', { boundaryIndex: -1, confidence: 1 }],
    ['the very first message', { boundaryIndex: 0, confidence: 1 }],
    ['no number', { boundaryIndex: Number.NaN, confidence: 1 }],
    ['half a message', { boundaryIndex: 56.5, confidence: 1 }],
    ['an endless index', { boundaryIndex: Number.POSITIVE_INFINITY, confidence: 1 }],
    ['an index that is a text', { boundaryIndex: '56', confidence: 1 }],
    ['a confidence that is no number', { boundaryIndex: 56, confidence: Number.NaN }],
    ['a confidence that is a text', { boundaryIndex: 56, confidence: 'high' }],
    ['other fields', { boundary: 56 }],
  ])('finds no boundary when it answers %s', async (_, answer) => {
    const result = await compact(() => Promise.resolve(answer));
    expect(result.case).toBe('summarise');
  });

  it('may be too sure of itself, and say things that are no text', () => {
    const answer = { boundaryIndex: 3, confidence: 7, reason: { a: 1 }, summary: 12 };
    expect(checkBoundary(answer, 10)).toEqual({ boundaryIndex: 3, confidence: 1, reason: '', summary: '' });
  });
});
