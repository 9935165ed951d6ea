import { describe, expect, it } from 'vitest';
import {
  type AskModel,
  type BoundaryPrompt,
  ModelDetector,
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

describe('the detector with a model', () => {
  it('answers with what the model says', async () => {
    const detector = new ModelDetector({ ask: async () => JSON.stringify(ANSWER) });
    expect(await detector.detect(TURNS)).toEqual(ANSWER);
  });

  it('takes the word of the model that there is no boundary', async () => {
    const answer = { ...ANSWER, boundaryIndex: null };
    const detector = new ModelDetector({ ask: async () => JSON.stringify(answer) });
    expect(await detector.detect(TURNS)).toEqual(answer);
  });

  it('does not ask about no messages', async () => {
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

  it('shows the last 50 messages with their indices, and the form of the reply', async () => {
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
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([
      50,
      '[20] USER: message 20',
      '[69] ASSISTANT: message 69',
    ]);
    expect(asked[0]?.system).toContain('boundaryIndex');
    expect(asked[0]?.schema).toMatchObject({ required: Object.keys(ANSWER) });
  });

  it('does not accept a message before the ones it showed', async () => {
    const turns = Array.from({ length: 70 }, (): Turn => ({ role: 'user', content: 'the same' }));
    const detector = new ModelDetector({ ask: async () => JSON.stringify(ANSWER), fallback: null });
    expect(await detector.detect(turns)).toEqual(SAFE_BOUNDARY);
  });

  describe.each(FAILURES)('when the model %s', (_, ask) => {
    it('gives no boundary when it has no fallback', async () => {
      expect(await new ModelDetector({ ask, timeoutMs: 10, fallback: null }).detect(TURNS)).toEqual(
        SAFE_BOUNDARY,
      );
    });

    it('answers without a model by default', async () => {
      const found = await new ModelDetector({ ask, timeoutMs: 10 }).detect(TURNS);
      expect(found.boundaryIndex).toBe(LOGIN.length);
      expect(found).toEqual(await new OfflineDetector().detect(TURNS));
    });
  });

  it('gives no boundary when its fallback fails too', async () => {
    const ask = () => Promise.reject(new Error('overloaded'));
    const fallback = { detect: () => Promise.reject(new Error('broken')) };
    expect(await new ModelDetector({ ask, fallback }).detect(TURNS)).toEqual(SAFE_BOUNDARY);
  });

  it('tells a model that hangs to stop', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const ask: AskModel = (_, signal) => {
      signals.push(signal);
      return new Promise(() => {});
    };
    await new ModelDetector({ ask, timeoutMs: 10 }).detect(TURNS);
    expect(signals[0]?.aborted).toBe(true);
  });

  it('stops when its answer is no longer waited for', async () => {
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
