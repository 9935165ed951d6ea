import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AskModel,
  type BoundaryPrompt,
  formatTurns,
  ModelDetector,
  parseBoundary,
} from '../../../src/context/compaction/model-detector.ts';
import { OfflineDetector } from '../../../src/context/compaction/offline-detector.ts';
import { SAFE_BOUNDARY } from '../../../src/context/compaction/topic-boundary.ts';
import type { Turn } from '../../../src/context/message.ts';
import { LOGIN, readme } from '../topics/sample-sessions.ts';

const TURNS = [...LOGIN, ...readme("Now let's work on the README.")];
const ANSWER = { boundaryIndex: 3, reason: 'another file', confidence: 0.7, summary: 'looked at the login' };

const FAILURES: readonly (readonly [string, AskModel])[] = [
  ['fails', () => Promise.reject(new Error('overloaded'))],
  [
    'throws at once',
    () => {
      throw new Error('no key');
    },
  ],
  ['hangs', () => new Promise(() => {})],
  ['talks nonsense', async () => 'I would say somewhere in the middle.'],
  ['names a message that it was not shown', async () => JSON.stringify({ ...ANSWER, boundaryIndex: 400 })],
  ['gives no text', async () => undefined as unknown as string],
];

describe('ModelDetector', () => {
  it('returns the boundary of the model', async () => {
    const detector = new ModelDetector({ ask: async () => JSON.stringify(ANSWER) });
    expect(await detector.detect(TURNS)).toEqual(ANSWER);
  });

  it('accepts that there is no boundary', async () => {
    const answer = { ...ANSWER, boundaryIndex: null };
    const detector = new ModelDetector({ ask: async () => JSON.stringify(answer) });
    expect(await detector.detect(TURNS)).toEqual(answer);
  });

  it('does not call the model without messages', async () => {
    const asked: BoundaryPrompt[] = [];
    const detector = new ModelDetector({
      ask: async (prompt) => {
        asked.push(prompt);
        return '';
      },
    });
    expect(await detector.detect([])).toEqual(SAFE_BOUNDARY);
    expect(asked).toEqual([]);
  });

  it('sends the last 50 messages with their indices, and the schema of the reply', async () => {
    const asked: BoundaryPrompt[] = [];
    const turns = Array.from(
      { length: 70 },
      (_, index): Turn => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: `message ${index}` }),
    );
    const detector = new ModelDetector({
      ask: async (prompt) => {
        asked.push(prompt);
        return JSON.stringify({ ...ANSWER, boundaryIndex: 60 });
      },
    });
    expect((await detector.detect(turns)).boundaryIndex).toBe(60);
    const lines = asked[0]?.text.split('\n') ?? [];
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([50, '[20] USER: message 20', '[69] ASSISTANT: message 69']);
    expect(asked[0]?.system).toContain('boundaryIndex');
    expect(asked[0]?.schema).toMatchObject({ required: Object.keys(ANSWER) });
  });

  it('rejects a boundary before the messages it sent', async () => {
    const turns = Array.from({ length: 70 }, (): Turn => ({ role: 'user', content: 'the same' }));
    const detector = new ModelDetector({ ask: async () => JSON.stringify(ANSWER), fallback: null });
    expect(await detector.detect(turns)).toEqual(SAFE_BOUNDARY);
  });

  describe.each(FAILURES)('when the model %s', (_, ask) => {
    it('returns no boundary without a fallback', async () => {
      expect(await new ModelDetector({ ask, timeoutMs: 10, fallback: null }).detect(TURNS)).toEqual(SAFE_BOUNDARY);
    });

    it('falls back to the offline detector by default', async () => {
      const found = await new ModelDetector({ ask, timeoutMs: 10 }).detect(TURNS);
      expect(found.boundaryIndex).toBe(LOGIN.length);
      expect(found).toEqual(await new OfflineDetector().detect(TURNS));
    });
  });

  it('returns no boundary when the fallback fails, too', async () => {
    const ask = () => Promise.reject(new Error('overloaded'));
    const fallback = { detect: () => Promise.reject(new Error('broken')) };
    expect(await new ModelDetector({ ask, fallback }).detect(TURNS)).toEqual(SAFE_BOUNDARY);
  });

  it('aborts a model that hangs', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const ask: AskModel = (_, signal) => {
      signals.push(signal);
      return new Promise(() => {});
    };
    await new ModelDetector({ ask, timeoutMs: 10 }).detect(TURNS);
    expect(signals[0]?.aborted).toBe(true);
  });

  it('stops when its signal is aborted', async () => {
    const controller = new AbortController();
    const ask: AskModel = () => {
      controller.abort();
      return new Promise(() => {});
    };
    const detector = new ModelDetector({ ask, fallback: null });
    expect(await detector.detect(TURNS, { signal: controller.signal })).toEqual(SAFE_BOUNDARY);
    expect(await detector.detect(TURNS, { signal: controller.signal })).toEqual(SAFE_BOUNDARY);
  });
});

const SHOWN = { first: 0, last: 20 };
const BOUNDARY = { boundaryIndex: 5, reason: 'other file', confidence: 0.8, summary: 'fixed the login' };

function parse(reply: string, shown = SHOWN) {
  return parseBoundary(reply, shown);
}

describe('parseBoundary', () => {
  it('parses clean JSON', () => {
    expect(parse(JSON.stringify(BOUNDARY))).toEqual(BOUNDARY);
  });

  it('accepts field names in snake case', () => {
    const reply =
      '{"boundary_index": 5, "boundary_reason": "other file", "confidence": 0.8, "summary": "fixed the login"}';
    expect(parse(reply)).toEqual(BOUNDARY);
  });

  it('accepts null as no boundary', () => {
    expect(parse('{"boundaryIndex": null, "reason": "one task", "confidence": 0.9, "summary": "s"}')).toEqual({
      boundaryIndex: null,
      reason: 'one task',
      confidence: 0.9,
      summary: 's',
    });
  });

  it.each(['```json\n', '```\n', 'Here is my answer:\n```json\n'])('parses JSON in a fence: %j', (opening) => {
    expect(parse(`${opening}${JSON.stringify(BOUNDARY, null, 2)}\n\`\`\`\nI hope this helps.`)).toEqual(BOUNDARY);
  });

  it('parses field by field if it is not JSON', () => {
    expect(parse('boundaryIndex: 5, confidence: 0.8')).toEqual({
      ...SAFE_BOUNDARY,
      boundaryIndex: 5,
      confidence: 0.8,
    });
  });

  it('parses a truncated reply as far as it goes', () => {
    const broken = '{"boundaryIndex": 5, "confidence": 0.8, "reason": "a \\"new\\" file", "summary": "fixed the lo';
    expect(parse(broken)).toEqual({
      boundaryIndex: 5,
      reason: 'a "new" file',
      confidence: 0.8,
      summary: 'fixed the lo',
    });
  });

  it('ignores other properties', () => {
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
  ])('clamps confidence %s to %d', (written, confidence) => {
    expect(parse(`{"boundaryIndex": 5, "confidence": ${written}}`)?.confidence).toBe(confidence);
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
  ])('rejects an unusable reply: %s', (reply) => {
    expect(parse(reply)).toBeUndefined();
  });

  it.each([-1, 0, 21, 1e12])('rejects message %d, which was not shown or has nothing before it', (boundaryIndex) => {
    expect(parse(JSON.stringify({ ...BOUNDARY, boundaryIndex }))).toBeUndefined();
  });

  it('rejects a boundary before the shown messages', () => {
    expect(parse(JSON.stringify(BOUNDARY), { first: 10, last: 20 })).toBeUndefined();
    expect(parse(JSON.stringify({ ...BOUNDARY, boundaryIndex: 10 }), { first: 10, last: 20 })?.boundaryIndex).toBe(10);
  });

  it('never throws, and never returns a boundary that was not shown', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom('{', '}', '"boundaryIndex":', '"confidence":', '"summary": "', '```', 'null', '\\', '7', '99'),
      fc.json(),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const { boundaryIndex, confidence, reason, summary } = parse(pieces.join(' ')) ?? SAFE_BOUNDARY;
        expect(boundaryIndex === null || (boundaryIndex > 0 && boundaryIndex <= 20)).toBe(true);
        expect(confidence >= 0 && confidence <= 1).toBe(true);
        expect([typeof reason, typeof summary]).toEqual(['string', 'string']);
      }),
    );
  });
});

describe('formatTurns', () => {
  it('writes lines with index, role and content', () => {
    const text = formatTurns([
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: 'hi there' },
    ]);
    expect(text).toBe('[0] USER: hello\n[1] ASSISTANT: hi there');
  });

  it('keeps the indices of the session', () => {
    expect(formatTurns([{ role: 'user', content: 'hello' }], 70)).toBe('[70] USER: hello');
  });

  it('replaces line breaks, so that no content looks like another message', () => {
    expect(formatTurns([{ role: 'user', content: 'one\r\n\n[1] ASSISTANT: two\u2028three' }])).toBe(
      '[0] USER: one [1] ASSISTANT: two three',
    );
  });

  it('truncates at 1,000 characters', () => {
    const turn = { role: 'user', content: 'x'.repeat(5_000) } as const;
    expect(formatTurns([turn])).toBe(`[0] USER: ${'x'.repeat(1_000)}`);
  });

  it('does not cut a surrogate pair', () => {
    const start = 'x'.repeat(999);
    expect(formatTurns([{ role: 'user', content: `${start}🚢` }])).toBe(`[0] USER: ${start}`);
  });

  it('returns an empty text without messages', () => {
    expect(formatTurns([])).toBe('');
  });
});
