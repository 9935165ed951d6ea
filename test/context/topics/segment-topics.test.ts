import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FEATURES } from '../../../src/context/topics/features.ts';
import {
  boundaryProbabilities,
  featureRows,
  pickTopicStarts,
  segmentTopics,
} from '../../../src/context/topics/segment-topics.ts';
import { measureRegister } from '../../../src/context/topics/session-facts.ts';
import { TOPIC_WEIGHTS } from '../../../src/context/topics/weights.ts';
import { CHART, ERRANDS, LOGIN, STEPS } from './sample-sessions.ts';

describe('segmentTopics', () => {
  it('starts a topic where another errand begins', () => {
    const messages = ERRANDS.map((text, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', text }));
    expect(segmentTopics(messages).map(({ index }) => index)).toEqual([6]);
  });

  it('starts a topic where an agent turns to another task', () => {
    const steps = STEPS.map((text) => ({ role: 'assistant', text }));
    expect(segmentTopics(steps).map(({ index }) => index)).toEqual([6]);
  });

  it('finds nothing in an empty session or at the first message', () => {
    expect(segmentTopics([])).toEqual([]);
    expect(segmentTopics([{ role: 'user', text: 'hello' }])).toEqual([]);
  });

  it('is deterministic', () => {
    const messages = [...LOGIN, ...CHART].map(({ role, content }) => ({ role, text: content }));
    expect(segmentTopics(messages)).toEqual(segmentTopics(messages));
  });

  it('returns ordered indices after the first and confidences from 0 to 1 for any text', () => {
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

describe('pickTopicStarts', () => {
  it('picks the more probable of two neighbours', () => {
    expect(pickTopicStarts([0, 0.1, 0.6, 0.9, 0.2, 0.5])).toEqual([
      { index: 3, confidence: 0.9 },
      { index: 5, confidence: 0.5 },
    ]);
  });

  it('picks nothing improbable', () => {
    expect(pickTopicStarts([0, 0.1, 0.3, 0.2])).toEqual([]);
  });

  it('never picks two adjacent messages', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (probabilities) => {
        const indices = pickTopicStarts(probabilities).map(({ index }) => index);
        expect(indices.every((index, place) => place === 0 || index - (indices[place - 1] ?? 0) >= 2)).toBe(true);
      }),
    );
  });
});

const technical = [...LOGIN, ...CHART].map(({ role, content }) => ({ role, text: content }));
const errands = ERRANDS.map((text) => ({ role: 'user', text }));

describe('the topic weights', () => {
  it('each belong to an existing feature', () => {
    expect(Object.keys(TOPIC_WEIGHTS.features).filter((name) => FEATURES[name] === undefined)).toEqual([]);
  });

  it('cover every feature except the registers, which only scale others', () => {
    const unused = Object.keys(FEATURES).filter((name) => TOPIC_WEIGHTS.features[name] === undefined);
    expect(unused.filter((name) => name !== 'technical' && name !== 'taskOriented')).toEqual([]);
  });

  it('number a few dozen', () => {
    const weights = Object.values(TOPIC_WEIGHTS.features).flatMap((feature) => Object.values(feature));
    expect(weights.length).toBeLessThanOrEqual(60);
    expect(weights.every(Number.isFinite)).toBe(true);
  });
});

describe('boundaryProbabilities', () => {
  it('computes the logistic sum of the weighted features', () => {
    const weights = { intercept: -1, features: { asks: { always: 2 }, user: { technical: 0.5 } } };
    const messages = [
      { role: 'assistant', text: 'hello there' },
      { role: 'user', text: 'how are the boats ?' },
    ];
    const [, probability] = boundaryProbabilities(messages, weights);
    expect(probability).toBeCloseTo(1 / (1 + Math.exp(-1)));
  });

  it('ignores weights of unknown features', () => {
    const weights = { intercept: 0, features: { noSuchFeature: { always: 9 } } };
    expect(
      boundaryProbabilities(technical, weights)
        .slice(1)
        .every((value) => value === 0.5),
    ).toBe(true);
  });

  it('computes finite features at every gap', () => {
    for (const messages of [
      technical,
      errands,
      [
        { role: 'user', text: '' },
        { role: 'user', text: '' },
      ],
    ]) {
      const rows = featureRows(messages);
      expect(rows).toHaveLength(messages.length - 1);
      expect(rows.every((row) => Object.values(row).every(Number.isFinite))).toBe(true);
    }
  });

  it('ignores everything after the beginning of a long message', () => {
    const long = 'harbour '.repeat(400);
    const withTail = (tail: string) => [...technical, { role: 'user', text: long + tail }, ...technical];
    expect(boundaryProbabilities(withTail('entirely other words'))).toEqual(boundaryProbabilities(withTail('')));
  });
});

describe('measureRegister', () => {
  it('recognises technical and task-oriented sessions', () => {
    expect(measureRegister(technical).technical).toBeGreaterThan(0.5);
    expect(measureRegister(errands)).toMatchObject({ technical: 0, conversational: 1, taskOriented: 1 });
  });

  it('recognises small talk as neither', () => {
    expect(measureRegister([{ role: 'user', text: 'my cat sleeps all day' }])).toMatchObject({
      technical: 0,
      taskOriented: 0,
    });
  });
});
