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

  it('cuts before the last message only if the user announces it', async () => {
    const end = async (content: string) => (await detector.detect([...LOGIN, { role: 'user', content }])).boundaryIndex;
    expect(await end('The README needs an installation section.')).toBeNull();
    expect(await end("Forget that, let's try something else: the README.")).toBe(LOGIN.length);
  });

  describe('in a chat of few words', () => {
    const detect = (...texts: readonly string[]) =>
      detector.detect(texts.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content })));

    it.each([
      ['Can you fix the bug in parser...', 'I see the issue, the regex...', "Now let's work on the API endpoint..."],
      ['Write a haiku about the login form', 'Here is one.', 'Forget that, what does the cron job do at night?'],
      ['The legend overlaps the axis', 'I moved it below.', "Let's try something else: rename the config loader"],
      ['Why does the upload time out?', 'The proxy cuts it.', 'Great. Moving on to the billing page: totals are off'],
      ['Paint the door', 'Which colour?', 'Scrap that. Where is the invoice of March?', 'In the drawer.'],
      ['Sort the photos by date', 'Sorted.', 'Thanks! Next task: translate the menu', 'To which language?'],
      ['Explain closures', 'A function with its scope.', 'On a different note, the printer is out of paper'],
    ])('finds an announced switch: %s / %s / %s', async (...texts) => {
      const found = await detect(...texts);
      expect(found.boundaryIndex).toBe(2);
      expect(found.confidence).toBeGreaterThanOrEqual(0.5);
    });

    it.each([
      ['Add a retry to the uploader', 'Added, three times.', 'Now can you add a test for the retry?'],
      ['Add a retry to the uploader', 'Added.', 'now make the retry wait longer between uploads', 'It waits.'],
      ['Fix the parser bug', 'Fixed the parser.', "Now let's run the parser tests", 'They pass.', 'thanks, commit it'],
      ['Fix the parser', 'The parser is fixed.', "Let's work on the parser a bit more", 'Gladly.'],
      ['Add dark mode', 'Which colours?', 'Never mind the colours, use the defaults'],
      ['How do I sort a list in Python?', 'Use sorted().', 'and descending?'],
      ['Can you fix the bug in the parser?', 'The regex is greedy.', 'ok do it'],
    ])('finds nothing while the task goes on: %s / %s / %s', async (...texts) => {
      expect((await detect(...texts)).boundaryIndex).toBeNull();
    });
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

  it('never separates a request from its reply or cuts at the start, whatever is said', async () => {
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
        expect(boundaryIndex).toBeLessThanOrEqual(turns.length - 1);
        expect([turns[boundaryIndex - 1]?.role, turns[boundaryIndex]?.role]).not.toEqual(['user', 'assistant']);
      }),
      { numRuns: 60 },
    );
  });
});
