import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBoundary } from '../../../src/context/compaction/model-detector.ts';
import { SAFE_BOUNDARY } from '../../../src/context/compaction/topic-boundary.ts';

const SHOWN = { first: 0, last: 20 };
const BOUNDARY = { boundaryIndex: 5, reason: 'other file', confidence: 0.8, summary: 'fixed the login' };

function parse(reply: string, shown = SHOWN) {
  return parseBoundary(reply, shown);
}

describe('the reply of a model', () => {
  it('is read as clean JSON', () => {
    expect(parse(JSON.stringify(BOUNDARY))).toEqual(BOUNDARY);
  });

  it('is read with the names of fields in snake case', () => {
    const reply =
      '{"boundary_index": 5, "boundary_reason": "other file", "confidence": 0.8, "summary": "fixed the login"}';
    expect(parse(reply)).toEqual(BOUNDARY);
  });

  it('may say that there is no boundary', () => {
    expect(parse('{"boundaryIndex": null, "reason": "one task", "confidence": 0.9, "summary": "s"}')).toEqual(
      {
        boundaryIndex: null,
        reason: 'one task',
        confidence: 0.9,
        summary: 's',
      },
    );
  });

  it.each(['```json\n', '```\n', 'Here is my answer:\n```json\n'])('is read in a fence: %j', (opening) => {
    expect(parse(`${opening}${JSON.stringify(BOUNDARY, null, 2)}\n\`\`\`\nI hope this helps.`)).toEqual(
      BOUNDARY,
    );
  });

  it('is read field by field when it is no JSON', () => {
    expect(parse('boundaryIndex: 5, confidence: 0.8')).toEqual({
      ...SAFE_BOUNDARY,
      boundaryIndex: 5,
      confidence: 0.8,
    });
  });

  it('is read as far as it came when it breaks off', () => {
    const broken =
      '{"boundaryIndex": 5, "confidence": 0.8, "reason": "a \\"new\\" file", "summary": "fixed the lo';
    expect(parse(broken)).toEqual({
      boundaryIndex: 5,
      reason: 'a "new" file',
      confidence: 0.8,
      summary: 'fixed the lo',
    });
  });

  it('is read inside of another object', () => {
    expect(parse('{"result": {"boundaryIndex": 5, "confidence": 0.8}}')).toMatchObject({
      boundaryIndex: 5,
      confidence: 0.8,
    });
  });

  it.each([
    ['7', 1],
    ['-3', 0],
    ['"0.7"', 0.7],
    ['"high"', 0],
    ['null', 0],
  ])('has confidence %s brought to %d', (written, confidence) => {
    expect(parse(`{"boundaryIndex": 5, "confidence": ${written}}`).confidence).toBe(confidence);
  });

  it.each([
    '',
    'no idea',
    '[]',
    '{}',
    '{"confidence": 0.9}',
    '{"boundaryIndex": "somewhere", "confidence": 0.9}',
    '{"boundaryIndex": 2.5, "confidence": 0.9}',
    '{"boundaryIndex": true, "confidence": 0.9}',
    '{"boundaryIndex": {"toString": 1}, "confidence": 0.9}',
  ])('gives no boundary and no confidence when it is unusable: %s', (reply) => {
    expect(parse(reply)).toEqual(SAFE_BOUNDARY);
  });

  it.each([-1, 0, 21, 1e12])(
    'is unusable when message %d was not shown or has nothing before it',
    (boundaryIndex) => {
      expect(parse(JSON.stringify({ ...BOUNDARY, boundaryIndex }))).toEqual(SAFE_BOUNDARY);
    },
  );

  it('is unusable when it names a message before the ones that were shown', () => {
    expect(parse(JSON.stringify(BOUNDARY), { first: 10, last: 20 })).toEqual(SAFE_BOUNDARY);
    expect(
      parse(JSON.stringify({ ...BOUNDARY, boundaryIndex: 10 }), { first: 10, last: 20 }).boundaryIndex,
    ).toBe(10);
  });

  it('is never the reason for an error, nor for a boundary that was not shown', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '{',
        '}',
        '"boundaryIndex":',
        '"confidence":',
        '"summary": "',
        '```',
        'null',
        '\\',
        '7',
        '99',
      ),
      fc.json(),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const { boundaryIndex, confidence, reason, summary } = parse(pieces.join(' '));
        expect(boundaryIndex === null || (boundaryIndex > 0 && boundaryIndex <= 20)).toBe(true);
        expect(confidence >= 0 && confidence <= 1).toBe(true);
        expect([typeof reason, typeof summary]).toEqual(['string', 'string']);
      }),
    );
  });
});
