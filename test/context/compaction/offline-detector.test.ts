import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OfflineDetector } from '../../../src/context/compaction/offline-detector.ts';
import { SAFE_BOUNDARY } from '../../../src/context/compaction/topic-boundary.ts';
import type { Turn } from '../../../src/context/message.ts';
import { CHART, ERRANDS, exchanges, LOGIN, readme } from '../topics/sample-sessions.ts';

const detector = new OfflineDetector();

describe('OfflineDetector', () => {
  it('returns no boundary without messages', async () => {
    expect(await detector.detect([])).toEqual(SAFE_BOUNDARY);
  });

  it('finds an announced switch with high confidence', async () => {
    const found = await detector.detect([
      ...LOGIN,
      ...readme("Now let's work on the README: it needs an installation section."),
    ]);
    expect(found.boundaryIndex).toBe(LOGIN.length);
    expect(found.confidence).toBeGreaterThan(0.8);
    expect(found.reason).toContain('the user announces another task');
    expect(found.summary).toBe('');
  });

  it('finds a shift to another file and another kind of work without an announcement', async () => {
    const found = await detector.detect([...LOGIN, ...readme('The README needs an installation section.')]);
    expect(found.boundaryIndex).toBe(LOGIN.length);
    expect(found.confidence).toBeGreaterThanOrEqual(0.5);
    expect(found.reason).toContain('other files: readme.md');
    expect(found.reason).toContain('from debugging to documentation');
    expect(found.reason).toContain('new words: readme');
  });

  it('is more confident with an announcement, and most with a reset', async () => {
    const confidence = async (request: string) => (await detector.detect([...LOGIN, ...readme(request)])).confidence;
    const plain = await confidence('The README needs an installation section.');
    const announced = await confidence('Next, the README needs an installation section.');
    const givenUp = await confidence('Forget that. The README needs an installation section.');
    expect(announced).toBeGreaterThan(plain);
    expect(givenUp).toBeGreaterThan(announced);
  });

  it('is less confident for a follow-up', async () => {
    const confidence = async (request: string) => (await detector.detect([...LOGIN, ...readme(request)])).confidence;
    const own = await confidence('The README needs an installation section.');
    const leaning = await confidence('Yes, go ahead. The README needs an installation section.');
    expect(leaning).toBeLessThan(own);
    expect(leaning).toBeLessThan(0.5);
  });

  it('finds nothing where one task continues', async () => {
    expect((await detector.detect(LOGIN)).boundaryIndex).toBeNull();
    expect((await detector.detect(CHART)).boundaryIndex).toBeNull();
  });

  it('picks the last of several confident boundaries', async () => {
    const turns = [
      ...LOGIN,
      ...readme("Now let's work on the README."),
      ...exchanges(['Next, look at the chart again.', 'Which one?']),
      ...CHART,
    ];
    const found = await detector.detect(turns);
    expect(found.boundaryIndex).toBe(LOGIN.length + 6);
    expect(found.confidence).toBeGreaterThanOrEqual(0.5);
  });

  it('finds a boundary in conversation that is not about code', async () => {
    const turns = ERRANDS.map((content, index): Turn => ({ role: index % 2 === 0 ? 'user' : 'assistant', content }));
    expect((await detector.detect(turns)).boundaryIndex).toBe(6);
  });

  it('does not cut before the last message', async () => {
    const turns: Turn[] = [...LOGIN, { role: 'user', content: "Forget that, let's try something else: the README." }];
    expect((await detector.detect(turns)).boundaryIndex).toBeNull();
  });

  it('reads the last 50 messages and returns an index into the session', async () => {
    const old = Array.from({ length: 10 }, () => LOGIN).flat();
    const turns = [...old, ...readme("Now let's work on the README.")];
    expect((await detector.detect(turns)).boundaryIndex).toBe(old.length);
    const later = Array.from({ length: 20 }, () => CHART).flat();
    const forgotten = await detector.detect([...LOGIN, ...readme("Now let's work on the README."), ...later]);
    expect(forgotten.boundaryIndex ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(
      LOGIN.length + 6 + later.length - 50,
    );
  });

  it('does not cut off the summary of an earlier compaction', async () => {
    const summary = exchanges([
      '[History Summary - 40 earlier messages]\nWorked on the importer in import/csv.ts.',
      'Ok.',
    ]);
    expect((await detector.detect([...summary, ...CHART])).boundaryIndex).toBeNull();
  });

  it('never separates a request from its reply or cuts at an end, whatever is said', async () => {
    const turn = fc.record({
      role: fc.constantFrom('user' as const, 'assistant' as const),
      content: fc.oneof(
        fc.string(),
        fc.constantFrom(
          'forget that',
          "now let's work on `b.ts`",
          'edit src/a.ts',
          'thanks',
          'what is your favourite food?',
          '',
        ),
        fc.constantFrom(...LOGIN, ...CHART).map(({ content }) => content),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { maxLength: 70 }), async (turns) => {
        const { boundaryIndex, confidence } = await detector.detect(turns);
        expect(confidence >= 0 && confidence <= 1).toBe(true);
        if (boundaryIndex === null) return;
        expect(boundaryIndex).toBeGreaterThanOrEqual(Math.max(2, turns.length - 48));
        expect(boundaryIndex).toBeLessThanOrEqual(turns.length - 2);
        expect([turns[boundaryIndex - 1]?.role, turns[boundaryIndex]?.role]).not.toEqual(['user', 'assistant']);
      }),
      { numRuns: 60 },
    );
  });
});
