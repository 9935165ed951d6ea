import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pickTopicStarts, segmentTopics } from '../../../src/context/topics/segment-topics.ts';
import { CHART, ERRANDS, LOGIN, STEPS } from './sample-sessions.ts';

describe('the topics of a session', () => {
  it('change where another errand begins', () => {
    const messages = ERRANDS.map((text, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', text }));
    expect(segmentTopics(messages).map(({ index }) => index)).toEqual([6]);
  });

  it('change where the steps of an agent turn to another task', () => {
    const steps = STEPS.map((text) => ({ role: 'assistant', text }));
    expect(segmentTopics(steps).map(({ index }) => index)).toEqual([6]);
  });

  it('do not change in an empty session or with the first message', () => {
    expect(segmentTopics([])).toEqual([]);
    expect(segmentTopics([{ role: 'user', text: 'hello' }])).toEqual([]);
  });

  it('are found in the same way each time', () => {
    const messages = [...LOGIN, ...CHART].map(({ role, content }) => ({ role, text: content }));
    expect(segmentTopics(messages)).toEqual(segmentTopics(messages));
  });

  it('are found in any text: indices after the first in order, confidence from 0 to 1', () => {
    const message = fc.record({
      role: fc.constantFrom('user', 'assistant', 'system', ''),
      text: fc.oneof(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.constantFrom(
          '',
          '? '.repeat(3_000),
          'do you '.repeat(1_000),
          '__proto__ constructor',
          '日本語の文章',
          'a_'.repeat(5_000),
        ),
      ),
    });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 30 }), (messages) => {
        const starts = segmentTopics(messages);
        let last = 0;
        for (const { index, confidence } of starts) {
          expect(index).toBeGreaterThan(last);
          expect(index).toBeLessThan(messages.length);
          expect(confidence).toBeGreaterThan(0);
          expect(confidence).toBeLessThanOrEqual(1);
          last = index;
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('picking starts from probabilities', () => {
  it('takes the more probable of two neighbours', () => {
    expect(pickTopicStarts([0, 0.1, 0.6, 0.9, 0.2, 0.5])).toEqual([
      { index: 3, confidence: 0.9 },
      { index: 5, confidence: 0.5 },
    ]);
  });

  it('takes nothing improbable', () => {
    expect(pickTopicStarts([0, 0.1, 0.3, 0.2])).toEqual([]);
  });

  it('never takes two that are next to each other', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (probabilities) => {
        const indices = pickTopicStarts(probabilities).map(({ index }) => index);
        expect(indices.every((index, place) => place === 0 || index - (indices[place - 1] ?? 0) >= 2)).toBe(
          true,
        );
      }),
    );
  });
});
