import type {
  Attempt,
  SearchResults,
  SentMessage,
  SessionFilters,
  SessionItem,
  SessionSummary,
} from '../../src/server/rpc/api.ts';

/** What the user calls a session, and how it is labelled. */
interface FakeLabels {
  readonly title?: string | undefined;
  readonly starred?: boolean | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** A generated history of any size that is not held in memory. */
export interface FakeHistory {
  readonly count: number;
  summary(index: number): SessionSummary;
  indexOf(sessionId: string): number;
  items(index: number): readonly SessionItem[];
  /** Adds a new session at the top; the others keep their ids. */
  begin(preview: string): void;
  /** Renames a session, stars it or tags it. */
  label(sessionId: string, labels: FakeLabels): void;
  /** Adds a message to a session and moves it to the top. */
  grow(sessionId: string, content: string): void;
}

export const PROJECT = 'aaaa1111';
export const OTHER_PROJECT = 'bbbb2222';
/** The index of a long session. */
export const LONG_SESSION = 3;
const LONG_LENGTH = 1_000;
const SHORT_LENGTH = 12;
const NEWEST = Date.parse('2026-11-15T12:00:00.000Z');
const TOPICS = ['pagination of the list', 'the cache of images', 'a flaky upload test', 'dates in the export'];
const AGENTS = ['claude-code', 'codex', 'gemini', undefined];

export function createHistory(count: number, special: ReadonlyMap<string, string> = new Map()): FakeHistory {
  const contentOf = (id: string, usual: string) => special.get(id) ?? usual;
  const begun: string[] = [];
  const grown = new Map<string, SessionItem[]>();
  const labelled = new Map<string, FakeLabels>();
  /** The index of a row among the initial sessions; negative for sessions that were added since. */
  const initialIndex = (row: number) => row - begun.length;
  const history: FakeHistory = {
    get count() {
      return count + begun.length;
    },
    indexOf: (sessionId) => Number(/^sess-(-?\d+)$/.exec(sessionId)?.[1] ?? Number.NaN) + begun.length,
    summary(row) {
      const index = initialIndex(row);
      const agent = AGENTS[Math.abs(index) % AGENTS.length];
      const preview =
        special.get(`preview-${index}`) ??
        begun[begun.length + index] ??
        `Session ${index}: ${TOPICS[Math.abs(index) % TOPICS.length]}`;
      return {
        sessionId: `sess-${index}`,
        timestamp: timeOf(index, -3_600_000),
        lastActivity: timeOf(index, 0),
        messageCount: lengthOf(index) / 2,
        title: labelled.get(`sess-${index}`)?.title ?? preview,
        ...(labelled.get(`sess-${index}`)?.starred ? { starred: true as const } : {}),
        tags: labelled.get(`sess-${index}`)?.tags ?? [],
        preview,
        firstRole: 'user',
        project: index % 10 === 9 ? OTHER_PROJECT : PROJECT,
        failures: Math.abs(index % 3),
        successes: Math.abs(index % 5),
        ...(agent === undefined ? {} : { agent: special.get(`agent-${index}`) ?? agent }),
        ...(index % 2 === 0 ? { branch: special.get(`branch-${index}`) ?? 'main' } : {}),
      };
    },
    items(row) {
      const index = initialIndex(row);
      const first = Array.from({ length: lengthOf(index) }, (_, place) =>
        place % 4 === 2 ? attemptOf(index, place, special) : messageOf(index, place, contentOf),
      );
      return [...first, ...(grown.get(`sess-${index}`) ?? [])];
    },
    label(sessionId, labels) {
      const given = Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== undefined));
      labelled.set(sessionId, { ...labelled.get(sessionId), ...given });
    },
    begin: (preview) => void begun.unshift(preview),
    grow(sessionId, content) {
      const more = grown.get(sessionId) ?? [];
      const id = `grown-${more.length}`;
      const timestamp = new Date(NEWEST + more.length * 1000).toISOString();
      const message: SentMessage = { v: 1, id, sessionId, timestamp, role: 'assistant', content };
      grown.set(sessionId, [...more, { type: 'message', message }]);
    },
  };
  return history;
}

/** Whether a session matches the filters of a list. */
export function fits(session: SessionSummary, filters: SessionFilters): boolean {
  const { agent, outcome, since = '', until = '9' } = filters;
  if (agent !== undefined && session.agent !== agent) return false;
  if (outcome === 'failure' && session.failures === 0) return false;
  if (outcome === 'success' && session.successes === 0) return false;
  return session.lastActivity >= since && session.lastActivity <= until;
}

/** The newest sessions with messages that contain the query. */
export function searchHistory(history: FakeHistory, query: string, role?: string): SearchResults {
  const wanted = query.toLowerCase();
  const sessions = Array.from({ length: Math.min(history.count, 40) }, (_, index) => {
    const hits = history.items(index).flatMap((item) => {
      if (item.type !== 'message' || (role !== undefined && item.message.role !== role)) return [];
      const { id, content, timestamp, role: said } = item.message;
      const at = content.toLowerCase().indexOf(wanted);
      if (at < 0) return [];
      const from = Math.max(at - 20, 0);
      const text = content.slice(from, at + wanted.length + 60);
      const marks = [[at - from, at - from + wanted.length]] as const;
      const { project } = history.summary(index);
      const hit = {
        kind: 'message',
        id,
        project,
        sessionId: `sess-${index}`,
        timestamp,
        role: said,
      } as const;
      return [{ ...hit, snippet: { text, marks }, score: 1, match: 'literal' as const }];
    });
    const { project } = history.summary(index);
    const summary = history.summary(index);
    return { sessionId: `sess-${index}`, project, timestamp: timeOf(index, 0), hits, summary };
  }).filter(({ hits }) => hits.length > 0);
  return {
    sessions,
    total: sessions.reduce((sum, { hits }) => sum + hits.length, 0),
    isQuestion: false,
    missing: [],
    terms: [],
    warnings: [],
  };
}

function lengthOf(index: number): number {
  return index === LONG_SESSION ? LONG_LENGTH : SHORT_LENGTH;
}

function timeOf(index: number, plus: number): string {
  return new Date(NEWEST - index * 600_000 + plus).toISOString();
}

function messageOf(index: number, row: number, contentOf: (id: string, usual: string) => string): SessionItem {
  const id = `message-${index}-${row}`;
  const role = row % 2 === 0 ? 'user' : 'assistant';
  const words = row % 7 === 0 ? 'A longer answer.\n\n- one\n- two\n\n```ts\nconst answer = 42;\n```\n' : 'Done.';
  const unique = `needle-${index}-${row}`;
  const message: SentMessage = {
    v: 1,
    id,
    sessionId: `sess-${index}`,
    timestamp: timeOf(index, row * 1000 - 3_600_000),
    role,
    content: contentOf(id, `${words} About ${TOPICS[index % TOPICS.length]}, ${unique}.`),
    ...(index === 0 && row === 0 ? { imageRefs: ['0123456789ab.png'] } : {}),
  };
  return { type: 'message', message };
}

function attemptOf(index: number, row: number, special: ReadonlyMap<string, string>): SessionItem {
  const isFailure = row % 8 === 2;
  const attempt: Attempt = {
    v: 1,
    id: `attempt-${index}-${row}`,
    sessionId: `sess-${index}`,
    timestamp: timeOf(index, row * 1000 - 3_600_000),
    outcome: isFailure ? 'failure' : 'success',
    tool: 'Bash',
    command: special.get(`attempt-${index}-${row}`) ?? `npm test -- case-${row}`,
    durationMs: 1200,
    ...(isFailure
      ? {
          error: special.get(`error-${index}-${row}`) ?? `Error: expected ${row}\n  at case.test.ts:${row}`,
          exitCode: 1,
        }
      : { result: 'ok' }),
  };
  return { type: 'attempt', attempt };
}
