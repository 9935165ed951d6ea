import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FailureWarning } from '../../../src/ask/guard/warning.ts';
import type { PastFailure } from '../../../src/ask/past-failures.ts';
import type { TimelineDay } from '../../../src/ask/timeline.ts';
import { recapDayLines } from '../../../src/cli/commands/history/recap.ts';
import { timelinePlot } from '../../../src/cli/commands/history/timeline.ts';
import { failureLines, pastFailureLines } from '../../../src/cli/commands/memory/failures.ts';
import { formatConfidence, warningLines } from '../../../src/cli/output/memory-lines.ts';
import { Output, type Sink } from '../../../src/cli/output/output.ts';
import { displayWidth } from '../../../src/cli/output/width.ts';
import type { FailureSummary } from '../../../src/project/index.ts';

function createOutput(columns: number, { colour = false, unicode = true } = {}): Output {
  const sink: Sink = {
    write: () => true,
    drained: async () => undefined,
    terminal: { isTerminal: colour, rows: 24, columns, colour, unicode },
  };
  return new Output(sink, sink, () => 0);
}

const NOW = Date.UTC(2025, 10, 20, 12);

const FAILURE: FailureSummary = {
  id: 'f-1kq03zd',
  at: '2025-11-18T12:00:00.000Z',
  what: 'npm install redis-node',
  error: 'Package not found: redis-node',
  class: 'missing',
  count: 2,
  sessions: ['s1'],
  fix: 'bun add ioredis',
  choice: 'none',
};

const WARNING: FailureWarning = {
  failureId: 'f-1kq03zd',
  key: 'package:redis-node',
  signature: 'x',
  attemptId: 'a',
  failedAt: '2025-11-18T12:00:00.000Z',
  failed: 'npm install redis-node',
  reason: 'Package not found: redis-node',
  class: 'missing',
  count: 2,
  sessions: 1,
  sessionId: 's1',
  fix: 'bun add ioredis',
  confidence: 0.9,
  text: '',
};

const HOSTILE = 'evil \x1b[2J\x1b]0;owned\x07\u202etxt\r\nnext line';
const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.constant(HOSTILE));
const columns = fc.integer({ min: 20, max: 220 });

function expectToFit(lines: readonly string[], width: number): void {
  for (const line of lines) {
    expect({ line, fits: displayWidth(line) <= width }).toEqual({ line, fits: true });
    expect(line.replace(/\x1b\[[0-9;]*m/g, '')).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
  }
}

describe('a list of failures', () => {
  it('shows id, age, count, class, what, why and what worked instead', () => {
    expect(failureLines([FAILURE], { output: createOutput(100), now: NOW })).toEqual([
      'f-1kq03zd  2 days ago  2x  missing  npm install redis-node',
      '                                    Package not found: redis-node',
      '                                    ✓ worked instead: bun add ioredis',
    ]);
  });

  it('shows the facts below on a narrow terminal', () => {
    expect(failureLines([FAILURE], { output: createOutput(40), now: NOW })).toEqual([
      'npm install redis-node',
      '  Package not found: redis-node',
      '  ✓ worked instead: bun add ioredis',
      '  f-1kq03zd 2 days ago 2x missing',
    ]);
  });

  it('shows whether a failure is pinned, dismissed or solved', () => {
    const failures: FailureSummary[] = [
      { ...FAILURE, choice: 'pin' },
      { ...FAILURE, endedAt: '2025-11-19T12:00:00.000Z', choice: 'dismiss' },
    ];
    const lines = failureLines(failures, { output: createOutput(100), now: NOW }).map((line) => line.trim());
    expect(lines).toContain('pinned');
    expect(lines).toContain('dismissed, worked again yesterday');
  });

  it('never exceeds the width, whatever was recorded', () => {
    fc.assert(
      fc.property(text, text, text, columns, fc.boolean(), (what, error, fix, width, colour) => {
        const failures = [{ ...FAILURE, what, error, fix }, FAILURE];
        expectToFit(failureLines(failures, { output: createOutput(width, { colour }), now: NOW }), width);
      }),
    );
  });
});

describe('a list of past failures', () => {
  const cause = { class: 'state', sessions: 1, firstAt: FAILURE.at, lastAt: FAILURE.at, sessionId: 's1' };
  const past: PastFailure = {
    what: 'npm test',
    count: 12,
    firstAt: '2025-09-01T12:00:00.000Z',
    lastAt: '2025-11-18T12:00:00.000Z',
    hasWorkedSince: true,
    causes: [{ ...cause, error: 'expected 3 to be 4', count: 12 }],
  };

  it('shows count, command, cause, what worked, and the first and last day', () => {
    const several = [
      past,
      {
        ...past,
        what: 'npm install redis-node',
        count: 2,
        firstAt: past.lastAt,
        fix: 'bun add ioredis',
        causes: [
          { ...cause, error: 'Package not found', count: 1 },
          { ...cause, error: '', count: 1 },
        ],
      },
    ];
    expect(pastFailureLines(several, createOutput(80))).toEqual([
      '12x  npm test',
      '     expected 3 to be 4',
      '     ✓ worked again',
      '     2025-09-01 to 2025-11-18',
      ' 2x  npm install redis-node',
      '     1x Package not found',
      '     1x (no error message)',
      '     ✓ worked instead: bun add ioredis',
      '     2025-11-18',
    ]);
  });

  it('never exceeds the width, whatever was recorded', () => {
    fc.assert(
      fc.property(text, text, text, columns, (what, error, fix, width) => {
        const failure = { ...past, what, fix, causes: [{ ...cause, error, count: 1 }] };
        expectToFit(pastFailureLines([failure], createOutput(width, { colour: true })), width);
      }),
    );
  });
});

describe('a warning', () => {
  it('shows when and what failed, why, and what worked instead', () => {
    const said = warningLines(WARNING, createOutput(80)).join('\n');
    expect(said).toContain('This was attempted on 2025-11-18 and failed (2 times in 1 session):');
    expect(said).toMatch(/✗ npm install redis-node\n +Package not found: redis-node/);
    expect(said).toMatch(/Worked instead:\n +✓ bun add ioredis/);
  });

  it('names another project, and the cause if it is not the call itself', () => {
    const warning = { ...WARNING, project: 'shop', cause: 'there is no package redis-node', count: 1 };
    const said = warningLines(warning, createOutput(80)).join('\n');
    expect(said).toContain('attempted on 2025-11-18 in shop and failed:');
    expect(said).toContain('Same cause here: there is no package redis-node');
  });

  it('shows at most 99% confidence', () => {
    expect(formatConfidence(1)).toBe('99% confidence');
    expect(formatConfidence(0.875)).toBe('88% confidence');
  });

  it('never exceeds the width, whatever was recorded', () => {
    fc.assert(
      fc.property(text, text, text, columns, (failed, reason, fix, width) => {
        const warning = { ...WARNING, failed, reason, fix, cause: reason, project: fix };
        expectToFit(warningLines(warning, createOutput(width, { colour: true })), width);
      }),
    );
  });
});

describe('a timeline', () => {
  const day = (date: string, successes: number, failures: number, commits = 0): TimelineDay => ({
    date,
    sessions: 1,
    successes,
    failures,
    commits,
  });

  it('draws a bar for each day to scale, and mentions quiet days', () => {
    const plot = timelinePlot([day('2025-11-03', 10, 0), day('2025-11-18', 20, 5, 2)], createOutput(50));
    const [first = '', gap, second = '', ...rest] = plot;
    const cells = (row: string, sign: string): number => row.split(sign).length - 1;
    expect(first).toMatch(/^11-03 {2}█+ +✓10$/);
    expect(second).toMatch(/^11-18 {2}█+▒+ +✓20 {2}✗5 {2}●2$/);
    expect(Math.abs(cells(second, '█') - 2 * cells(first, '█'))).toBeLessThanOrEqual(1);
    expect(Math.abs(cells(second, '█') - 4 * cells(second, '▒'))).toBeLessThanOrEqual(4);
    expect([gap, ...rest]).toEqual(['… 14 quiet days', '', '█ worked  ▒ failed  ● commits']);
  });

  it('shows a single failure on a busy day', () => {
    const [row = ''] = timelinePlot([day('2025-11-18', 5000, 1)], createOutput(40));
    expect(row).toMatch(/█▒ /);
  });

  it('uses only ASCII if the terminal has nothing else', () => {
    const plot = timelinePlot([day('2025-11-18', 3, 3, 1)], createOutput(60, { unicode: false }));
    expect(plot.join('\n')).toMatch(/^[\x20-\x7e\n]*$/);
    expect(plot[0]).toMatch(/#+x+ /);
  });

  it('never exceeds the width, however much happened', () => {
    const days = fc.array(
      fc.record({
        date: fc.integer({ min: 1, max: 20_000 }).map((at) => new Date(at * 86_400_000).toISOString().slice(0, 10)),
        sessions: fc.nat(),
        successes: fc.nat(),
        failures: fc.nat(),
        commits: fc.nat({ max: 100_000 }),
      }),
      { minLength: 1, maxLength: 10 },
    );
    fc.assert(
      fc.property(days, columns, (drawn, width) => {
        expectToFit(timelinePlot(drawn, createOutput(width, { colour: true })), width);
      }),
    );
  });
});

describe('a recap', () => {
  const request = { at: '', tags: [], steps: [] };
  const session = {
    sessionId: 's1',
    agent: 'codex',
    startedAt: '2025-11-18T09:00:00.000Z',
    endedAt: '2025-11-18T10:00:00.000Z',
    files: [],
    commits: [],
    failures: [],
    requests: [],
  };

  it('shows a limited number of requests with their outcomes, commits, failures and files', () => {
    const requests = Array.from({ length: 10 }, (_, index) => ({ ...request, text: `ask ${index}` }));
    const said = recapDayLines(
      {
        date: '2025-11-18',
        sessions: [
          {
            ...session,
            requests: [{ ...request, text: 'Add a cache', outcome: 'worked', decision: 'ioredis' }, ...requests],
            commits: [{ at: '', message: 'Cache' }],
            failures: [
              { at: '', what: 'a', error: 'b', count: 1, class: 'usage' as const, open: true, isLeftOpen: true },
              { at: '', what: 'c', error: '', count: 1, class: 'usage', open: false, isLeftOpen: false },
              { at: '', what: 'd', error: '', count: 1, class: 'usage', open: false, isLeftOpen: false, fix: 'e' },
            ],
            files: Array.from({ length: 12 }, (_, index) => `f${index}`),
          },
        ],
      },
      { output: createOutput(80), shortId: (id) => id },
    ).join('\n');
    expect(said).toMatch(/^2025-11-18 · 1 session\n {2}\d\d:\d\d · codex · s1\n/);
    expect(said).toContain('✓ Add a cache\n     → ioredis');
    expect(said).toContain('… 3 more requests');
    expect(said).toContain('● Cache');
    for (const failure of ['✗ a: b\n', '✗ c (worked later)', '✗ d → e']) expect(said).toContain(failure);
    expect(said).toContain('and 4 more');
  });

  it('never exceeds the width, whatever was recorded', () => {
    fc.assert(
      fc.property(text, text, columns, (one, other, width) => {
        const day = {
          date: '2025-11-18',
          sessions: [
            {
              ...session,
              agent: one,
              branch: other,
              requests: [{ ...request, text: one, decision: other }],
              commits: [{ at: '', message: other }],
              failures: [
                { at: '', what: one, error: other, count: 1, class: 'usage' as const, open: true, isLeftOpen: true },
              ],
              files: [one, other],
            },
          ],
        };
        expectToFit(recapDayLines(day, { output: createOutput(width, { colour: true }), shortId: (id) => id }), width);
      }),
    );
  });
});
