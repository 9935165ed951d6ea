import type {
  Conclusion,
  MemoryResult,
  OverviewResult,
  ProjectTimeline,
  UsageReport,
} from '../../src/server/rpc/api.ts';
import { PROJECT } from './fake-history.ts';

const DAYS = Array.from({ length: 40 }, (_, index) => ({
  day: new Date(Date.parse('2026-10-06') + index * 86_400_000).toISOString().slice(0, 10),
  sessions: (index * 7) % 5,
  failures: (index * 3) % 8,
  successes: (index * 5) % 13,
  commits: index % 3,
}));

/** The usage of a home without replies. */
export const NO_USAGE: UsageReport = {
  pricesAsOf: '2026-01-01',
  total: {
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    cacheHourTokens: 0,
    incompleteReplies: 0,
    unpricedTokens: 0,
    pricedShare: 1,
    activeMs: 0,
    replies: 0,
    sessions: 0,
  },
  by: { day: [], model: [], agent: [], project: [] },
  topSessions: [],
};

export const OVERVIEW: OverviewResult = {
  project: {
    id: PROJECT,
    name: 'shop',
    label: 'shop',
    path: '~/shop',
    lastActiveAt: '2026-11-15T11:00:00.000Z',
  },
  summary: 'A web shop with a TypeScript backend. Work is mostly about lists, exports and uploads.',
  stack: { languages: ['TypeScript', 'SQL'], frameworks: ['Fastify'], tools: ['vitest', 'docker'] },
  commands: { testCommand: 'npm test', buildCommand: 'npm run build', packageManager: 'npm' },
  practices: [{ pattern: 'npm run lint before a commit', reason: 'done in 18 of 20 cases' }],
  antiPatterns: [{ pattern: 'npm install ioredis', reason: 'Package not found', fix: 'bun add ioredis' }],
  totals: { sessions: 80, messages: 1240, failures: 96, successes: 310 },
  days: DAYS,
  failing: {
    total: 2,
    calls: 31,
    failures: [
      {
        what: 'npm test',
        count: 25,
        firstAt: '2026-10-06T09:00:00.000Z',
        lastAt: '2026-11-12T09:00:00.000Z',
        hasWorkedSince: true,
        causes: [
          {
            error: 'AssertionError: expected 3 to be 4',
            class: 'test',
            count: 25,
            sessions: 9,
            firstAt: '2026-10-06T09:00:00.000Z',
            lastAt: '2026-11-12T09:00:00.000Z',
            sessionId: 'sess-2',
          },
        ],
      },
    ],
  },
  latest: [
    {
      sessionId: 'sess-3',
      project: PROJECT,
      timestamp: '2026-11-15T10:00:00.000Z',
      lastActivity: '2026-11-15T11:00:00.000Z',
      messageCount: 8,
      title: 'Load the list in pages',
      preview: 'Load the list in pages',
      firstRole: 'user',
      agent: 'codex',
      failures: 2,
      successes: 5,
    },
  ],
  warnings: {
    total: 4,
    first: [
      {
        id: 'f-1',
        kind: 'failure',
        pattern: 'docker-compose up',
        reason: 'docker-compose: command not found',
        count: 3,
        occurredAt: '2026-11-14T10:00:00.000Z',
        confidence: 1,
        fix: 'docker compose up',
        state: 'active',
        sessions: ['sess-3'],
      },
    ],
  },
  decisions: { total: 0, first: [] },
  notRecorded: [{ agent: 'codex', reason: 'transcript without a message or call', path: '/t/rollout.jsonl' }],
};

/** A decision and a correction, as the server lists them. */
const DECISIONS: readonly Conclusion[] = [
  {
    id: 'd-1',
    kind: 'decision',
    source: 'answer',
    text: 'Which list loads in pages? All of them',
    quote: 'Which list loads in pages? All of them',
    life: 'durable',
    at: '2026-11-14T10:00:00.000Z',
    count: 1,
    sessionId: 'sess-2',
    recordId: 'attempt-2-2',
    state: 'current',
    isPinned: false,
    isEdited: false,
    replaced: [{ id: 'd-0', text: 'Only the list of orders', at: '2026-11-02T10:00:00.000Z' }],
  },
  {
    id: 'c-1',
    kind: 'correction',
    source: 'words',
    text: "don't use git add -A",
    quote: "No, don't use git add -A, it takes the exports with it.",
    life: 'durable',
    at: '2026-11-12T09:00:00.000Z',
    count: 2,
    sessionId: 'sess-1',
    recordId: 'message-1-0',
    state: 'current',
    isPinned: false,
    isEdited: false,
    replaced: [],
  },
];

/** A timeline of sessions that start `apart` milliseconds after each other, each with a failure and its resolution. */
export function createTimeline(count: number, apart: number): ProjectTimeline {
  const sessions = Array.from({ length: count }, (_, index) => {
    const from = Date.parse('2026-10-10T08:00:00.000Z') + index * apart;
    const at = (minutes: number) => new Date(from + minutes * 60_000).toISOString();
    return {
      sessionId: `sess-${index}`,
      from: at(0),
      to: at(180),
      preview: `Session ${index}`,
      failures: 1,
      marks: [
        { type: 'request' as const, id: `request-0`, at: at(1), text: 'Make the list load in pages' },
        { type: 'failure' as const, id: 'failure-0', at: at(30), text: 'npm test: expected 3' },
        {
          type: 'resolution' as const,
          id: 'resolution-0',
          at: at(60),
          text: 'npm test',
          resolves: 'failure-0',
        },
        { type: 'commit' as const, id: 'commit-0', at: at(90), text: 'Load the list in pages' },
      ],
    };
  });
  return { days: daysOf(sessions.map(({ from }) => from)), total: count, sessions };
}

function daysOf(starts: readonly string[]): ProjectTimeline['days'] {
  const counts = new Map<string, number>();
  for (const start of starts) counts.set(start.slice(0, 10), (counts.get(start.slice(0, 10)) ?? 0) + 1);
  return [...counts].map(([day, sessions]) => ({
    day,
    sessions,
    failures: sessions,
    successes: sessions,
    commits: sessions,
  }));
}

/** A memory that the fake server can change. */
export function createMemory(): {
  get(): MemoryResult;
  choose(id: string, choice: string, text?: string): void;
  set(id: string, state: 'active' | 'pinned' | 'dismissed'): void;
  forget(id: string): void;
} {
  const patterns = new Map(
    ['npm install ioredis', 'docker compose up --wait', 'git push origin main'].map((pattern, index) => [
      `failure-${index}`,
      { pattern, state: 'active' as 'active' | 'pinned' | 'dismissed' },
    ]),
  );
  // Each choice adds what holds then; undo takes the latest away.
  const versions = new Map(DECISIONS.map((decision) => [decision.id, [decision]]));
  const latest = (list: readonly Conclusion[]): readonly Conclusion[] => list.slice(-1);
  return {
    choose(id, choice, text) {
      const list = versions.get(id) ?? [];
      const [now] = latest(list);
      if (now === undefined) throw new Error(`There is no decision ${id}.`);
      if (choice === 'undo') list.pop();
      else if (choice === 'edit') list.push({ ...now, text: text ?? '', isEdited: true });
      else list.push({ ...now, ...(choice === 'pin' ? { isPinned: true } : { state: 'dismissed' }) });
    },
    set(id, state) {
      const pattern = patterns.get(id);
      if (pattern !== undefined) pattern.state = state;
    },
    forget: (id) => void patterns.delete(id),
    get: () => ({
      decisions: [...versions.values()].flatMap(latest).filter(({ state }) => state === 'current'),
      antiPatterns: [...patterns].map(([id, { pattern, state }]) => ({
        id,
        kind: 'failure' as const,
        pattern,
        reason: 'Package not found',
        count: 3,
        occurredAt: '2026-11-12T09:00:00.000Z',
        confidence: 1,
        fix: 'bun add ioredis',
        state,
        sessions: ['sess-1'],
      })),
      past: {
        total: 12,
        calls: 90,
        failures: Array.from({ length: 12 }, (_, index) => ({
          what: `npm run step-${index}`,
          count: 13 - index,
          firstAt: '2026-08-01T09:00:00.000Z',
          lastAt: `2026-09-${String(10 + index)}T09:00:00.000Z`,
          causes: [
            {
              error: `error TS${2300 + index}: not assignable`,
              class: 'state',
              count: 13 - index,
              sessions: 2,
              firstAt: '2026-08-01T09:00:00.000Z',
              lastAt: `2026-09-${String(10 + index)}T09:00:00.000Z`,
              sessionId: 'sess-2',
            },
          ],
          ...(index % 2 === 0 ? { fix: 'npm run build' } : {}),
          hasWorkedSince: index % 2 === 1,
        })),
      },
      bestPractices: [
        {
          pattern: 'npm run lint',
          reason: 'before each commit',
          confidence: 0.9,
          evidence: '18 times, last on Nov 12',
        },
      ],
      warningTotals: { heeded: 1, overriddenFailed: 1, overriddenSucceeded: 1, open: 1 },
      warnings: (['heeded', 'overridden-failed', 'overridden-succeeded', 'open'] as const).map((ended, index) => ({
        id: `warning-${index}`,
        failureId: 'failure-0',
        at: '2026-11-13T09:00:00.000Z',
        command: 'npm install ioredis',
        reason: 'This failed on Nov 12: Package not found.',
        ended,
        sessionId: 'sess-2',
      })),
    }),
  };
}
