import { describe, expect, test } from 'vitest';
import { MIN_SIMILARITY, rateSimilarity } from '../../../src/ask/guard/match-failure.ts';
import { Story } from './story.ts';

const FAILED = {
  signature: 'sh deploytool push staging --region east',
  context: 'deploy the new version to staging',
  tags: ['deployment'],
};
const similarity = (call: Partial<typeof FAILED>, failed = FAILED) => rateSimilarity({ ...FAILED, ...call })(failed);

describe('similarity', () => {
  test('is 1 for the same call with the same request', () => {
    expect(similarity({})).toBeCloseTo(1);
  });

  test('depends on the signature, and on the request or the tags', () => {
    expect(similarity({ context: 'write docs', tags: [] })).toBeCloseTo(0.7);
    expect(similarity({ context: '' })).toBeCloseTo(1);
    expect(similarity({ signature: 'zz' })).toBeLessThan(MIN_SIMILARITY);
  });

  test('falls with every different character', () => {
    const near = similarity({ signature: FAILED.signature.replace('east', 'west') });
    const far = similarity({ signature: FAILED.signature.replace('staging', 'the-moon') });
    expect(near).toBeLessThan(1);
    expect(far).toBeLessThan(near);
    expect(near).toBeGreaterThan(MIN_SIMILARITY);
  });

  test('of texts of megabytes is computed quickly', () => {
    const long = 'x'.repeat(5_000_000);
    expect(similarity({ signature: long }, { ...FAILED, signature: long })).toBeCloseTo(1);
  });
});

describe('a call similar to one that failed', () => {
  const usage = 'usage: deploytool push TARGET';

  test('is warned of once different calls failed the same, with less confidence than the same call', () => {
    const story = new Story();
    for (const sessionId of ['one', 'two', 'three'])
      story.fails('deploytool push staging --region east', usage, { sessionId });
    expect(story.check('deploytool push staging --region west')).toBeUndefined();
    story.fails('deploytool push staging --region north', usage, { sessionId: 'four' });
    const same = story.confidence('deploytool push staging --region north');
    expect(story.confidence('deploytool push staging --region west')).toBeLessThanOrEqual(same);
    expect(story.check('deploytool push staging --region west')).toBeDefined();
  });

  test('is not warned of for another program', () => {
    const story = new Story();
    for (const sessionId of ['one', 'two']) story.fails('deploytool push staging', usage, { sessionId });
    expect(story.confidence('deploytoll push staging')).toBe(0);
  });

  test('is not warned of for an MCP tool with another argument', () => {
    const story = new Story();
    const ask = (id: string) => ({ tool: 'mcp__tracker__get', input: { id } });
    for (const sessionId of ['one', 'two'])
      story.fails('', 'HTTP 404: there is no such issue', { ...ask('APP-108'), sessionId });
    expect(story.check('', ask('APP-108'))).toBeDefined();
    expect(story.check('', ask('APP-109'))).toBeUndefined();
  });
});
