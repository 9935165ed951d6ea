import { describe, expect, it } from 'vitest';
import { FEATURES } from '../../../src/context/topics/features.ts';
import { boundaryProbabilities, featureRows } from '../../../src/context/topics/segment-topics.ts';
import { measureRegister } from '../../../src/context/topics/session-facts.ts';
import { TOPIC_WEIGHTS } from '../../../src/context/topics/weights.ts';
import { CHART, ERRANDS, LOGIN } from './sample-sessions.ts';

const technical = [...LOGIN, ...CHART].map(({ role, content }) => ({ role, text: content }));
const errands = ERRANDS.map((text) => ({ role: 'user', text }));

describe('the weights', () => {
  it('are each of a feature that there is', () => {
    expect(Object.keys(TOPIC_WEIGHTS.features).filter((name) => FEATURES[name] === undefined)).toEqual([]);
  });

  it('are of every feature but the registers, which only scale the others', () => {
    const unused = Object.keys(FEATURES).filter((name) => TOPIC_WEIGHTS.features[name] === undefined);
    expect(unused.filter((name) => name !== 'technical' && name !== 'taskOriented')).toEqual([]);
  });

  it('are some dozens', () => {
    const weights = Object.values(TOPIC_WEIGHTS.features).flatMap((feature) => Object.values(feature));
    expect(weights.length).toBeLessThanOrEqual(60);
    expect(weights.every(Number.isFinite)).toBe(true);
  });
});

describe('the probabilities of a change of topic', () => {
  it('are the logistic sum of the weighted features', () => {
    const weights = { intercept: -1, features: { asks: { always: 2 }, user: { technical: 0.5 } } };
    const messages = [
      { role: 'assistant', text: 'hello there' },
      { role: 'user', text: 'how are the boats ?' },
    ];
    const [, probability] = boundaryProbabilities(messages, weights);
    expect(probability).toBeCloseTo(1 / (1 + Math.exp(-1)));
  });

  it('leave out weights of features that are not known', () => {
    const weights = { intercept: 0, features: { noSuchFeature: { always: 9 } } };
    expect(
      boundaryProbabilities(technical, weights)
        .slice(1)
        .every((value) => value === 0.5),
    ).toBe(true);
  });

  it('come from features that are finite numbers at every gap', () => {
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

  it('do not depend on what a long message has after its first screens', () => {
    const long = 'harbour '.repeat(400);
    const withTail = (tail: string) => [...technical, { role: 'user', text: long + tail }, ...technical];
    expect(boundaryProbabilities(withTail('entirely other words'))).toEqual(
      boundaryProbabilities(withTail('')),
    );
  });
});

describe('the register of a session', () => {
  it('is technical among code and an errand at a counter', () => {
    expect(measureRegister(technical).technical).toBeGreaterThan(0.5);
    expect(measureRegister(errands)).toMatchObject({ technical: 0, conversational: 1, taskOriented: 1 });
  });

  it('is neither in small talk', () => {
    expect(measureRegister([{ role: 'user', text: 'my cat sleeps all day' }])).toMatchObject({
      technical: 0,
      taskOriented: 0,
    });
  });
});
