import type { ProjectMemory, ProjectOverview, ProjectTimeline } from '../../src/server/rpc/api.ts';
import { PROJECT } from './invented-history.ts';

const DAYS = Array.from({ length: 40 }, (_, index) => ({
  day: new Date(Date.parse('2026-10-06') + index * 86_400_000).toISOString().slice(0, 10),
  sessions: (index * 7) % 5,
  failures: (index * 3) % 8,
  successes: (index * 5) % 13,
  commits: index % 3,
}));

export const OVERVIEW: ProjectOverview = {
  project: {
    id: PROJECT,
    name: 'shop',
    path: '~/shop',
    lastActiveAt: '2026-11-15T11:00:00.000Z',
    sessions: 80,
  },
  summary: 'A web shop with a TypeScript backend. Work is mostly about lists, exports and uploads.',
  stack: { languages: ['TypeScript', 'SQL'], frameworks: ['Fastify'], tools: ['vitest', 'docker'] },
  commands: { testCommand: 'npm test', buildCommand: 'npm run build', packageManager: 'npm' },
  practices: [{ pattern: 'npm run lint before a commit', reason: 'done in 18 of 20 cases' }],
  antiPatterns: [
    { pattern: 'npm install ioredis', reason: 'Package not found', alternative: 'bun add ioredis' },
  ],
  totals: { sessions: 80, messages: 1240, failures: 96, successes: 310 },
  days: DAYS,
};

export const TIMELINE: ProjectTimeline = {
  days: DAYS,
  total: 30,
  sessions: Array.from({ length: 30 }, (_, index) => {
    const from = Date.parse('2026-10-10T08:00:00.000Z') + index * 100_000_000;
    const at = (minutes: number) => new Date(from + minutes * 60_000).toISOString();
    return {
      sessionId: `sess-${index}`,
      from: at(0),
      to: at(180),
      preview: `Session ${index}`,
      marks: [
        { type: 'request' as const, id: `r${index}`, at: at(1), text: 'Make the list load in pages' },
        { type: 'failure' as const, id: `f${index}`, at: at(30), text: 'npm test: expected 3' },
        { type: 'resolution' as const, id: `s${index}`, at: at(60), text: 'npm test', resolves: `f${index}` },
        { type: 'commit' as const, id: `c${index}`, at: at(90), text: 'Load the list in pages' },
      ],
    };
  }),
};

/** A memory that changes as it is told. */
export function inventMemory(): {
  get(): ProjectMemory;
  set(id: string, state: 'active' | 'pinned' | 'dismissed'): void;
  forget(id: string): void;
} {
  const patterns = new Map(
    ['npm install ioredis', 'docker compose up --wait', 'git push origin main'].map((pattern, index) => [
      `failure-${index}`,
      { pattern, state: 'active' as 'active' | 'pinned' | 'dismissed' },
    ]),
  );
  return {
    set(id, state) {
      const pattern = patterns.get(id);
      if (pattern !== undefined) pattern.state = state;
    },
    forget: (id) => void patterns.delete(id),
    get: () => ({
      antiPatterns: [...patterns].map(([id, { pattern, state }]) => ({
        id,
        kind: 'failure' as const,
        pattern,
        reason: 'Package not found',
        count: 3,
        occurredAt: '2026-11-12T09:00:00.000Z',
        confidence: 1,
        alternative: 'bun add ioredis',
        state,
        sessions: ['sess-1'],
      })),
      bestPractices: [
        {
          pattern: 'npm run lint',
          reason: 'before each commit',
          confidence: 0.9,
          evidence: '18 times, last on Nov 12',
        },
      ],
      warnings: (['heeded', 'overridden-failed', 'overridden-succeeded', 'open'] as const).map(
        (ended, index) => ({
          id: `warning-${index}`,
          failureId: 'failure-0',
          at: '2026-11-13T09:00:00.000Z',
          command: 'npm install ioredis',
          reason: 'This failed on Nov 12: Package not found.',
          ended,
          sessionId: 'sess-2',
        }),
      ),
    }),
  };
}
