import { PRICES_AS_OF, type PriceTable } from '../history/index.ts';
import { dayFormatter } from '../memory/recap/timeline.ts';
import { omitUndefined, type Usage } from '../record/index.ts';
import { getOrAdd } from '../record/once.ts';
import type { SearchIndex, UsageFilter, UsageRow, UsageRows } from '../search/index.ts';
import { compareText } from '../text/compare-text.ts';

/** What was used: tokens by kind, active time, and an estimate of the cost. */
export interface UsageSums extends Required<Usage> {
  /** US dollars; of the models with a known price. Absent if there is none. */
  readonly cost?: number;
  /** Tokens of models without a known price, which `cost` does not include. */
  readonly unpricedTokens: number;
  /** Time between records, without pauses of more than ten minutes. */
  readonly activeMs: number;
  /** Replies whose usage was reported. */
  readonly replies: number;
  /** Sessions with a reply or active time. */
  readonly sessions: number;
}

/** The usage of a day, model, agent or project. */
export interface UsageGroup extends UsageSums {
  /** `2026-11-15`, or the name of a model or agent (empty if unknown), or the id of a project. */
  readonly key: string;
}

/** The usage of one session. */
export interface SessionUsage extends UsageSums {
  readonly project: string;
  readonly sessionId: string;
  readonly title: string;
  readonly agent?: string;
  /** The model that it used most. */
  readonly model?: string;
  /** ISO 8601. */
  readonly lastActivity: string;
}

/** What was used in a span of time. The sums of each grouping add up to the total. */
export interface UsageReport {
  /** Day of the list prices that costs are estimated with. */
  readonly pricesAsOf: string;
  readonly total: UsageSums;
  /** Days in order of time, the others by cost and tokens, the highest first. */
  readonly by: Readonly<Record<'day' | 'model' | 'agent' | 'project', readonly UsageGroup[]>>;
  /** The most expensive sessions, the highest first. */
  readonly topSessions: readonly SessionUsage[];
}

/** Which usage is reported, and how. */
export interface UsageQuery extends UsageFilter {
  /** IANA time zone that days are in. Default UTC. */
  readonly timeZone?: string;
  /** How many sessions are listed. Default 10. */
  readonly limit?: number;
}

const DEFAULT_SESSIONS = 10;
const HOUR_MS = 3_600_000;
const KINDS = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const;

/** Sums of usage that grow. The only place where tokens, costs and times are added up. */
class UsageTotal {
  readonly #tokens = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  readonly #sessions = new Set<object>();
  #cost: number | undefined;
  #unpricedTokens = 0;
  #activeMs = 0;
  #replies = 0;

  addReplies(row: UsageRow, cost: number | undefined): void {
    for (const kind of KINDS) this.#tokens[kind] += row[kind];
    if (cost === undefined) this.#unpricedTokens += countTokens(row);
    else this.#cost = (this.#cost ?? 0) + cost;
    this.#replies += row.replies;
    this.#sessions.add(row.session);
  }

  addActivity(session: object, activeMs: number): void {
    this.#activeMs += activeMs;
    this.#sessions.add(session);
  }

  sums(): UsageSums {
    return {
      ...this.#tokens,
      ...omitUndefined({ cost: this.#cost }),
      unpricedTokens: this.#unpricedTokens,
      activeMs: this.#activeMs,
      replies: this.#replies,
      sessions: this.#sessions.size,
    };
  }
}

/** All tokens, of whatever kind. */
export function countTokens(usage: Required<Usage>): number {
  return KINDS.reduce((sum, kind) => sum + usage[kind], 0);
}

/** The total of what sessions used. */
export function sumUsage({ usage, activity }: UsageRows, prices: PriceTable): UsageSums {
  const total = new UsageTotal();
  for (const row of usage) total.addReplies(row, prices.cost(row.model, row));
  for (const { session, activeMs } of activity) total.addActivity(session, activeMs);
  return total.sums();
}

/** Adds up what sessions used, by day, model, agent, project and session. */
export function reportUsage(
  index: Pick<SearchIndex, 'usage' | 'findSessionsById'>,
  prices: PriceTable,
  query: UsageQuery,
): UsageReport {
  const rows = index.usage(query);
  const { usage, activity } = rows;
  const dayOf = hourFormatter(query.timeZone);
  const groups = { day: new Groups(), model: new Groups(), agent: new Groups(), project: new Groups() };
  const sessions = new Map<UsageRow['session'], { readonly total: UsageTotal; readonly models: Map<string, number> }>();
  const ofSession = (session: UsageRow['session']) =>
    getOrAdd(sessions, session, () => ({ total: new UsageTotal(), models: new Map() }));
  for (const row of usage) {
    const { session, model } = row;
    const cost = prices.cost(model, row);
    const { total, models } = ofSession(session);
    total.addReplies(row, cost);
    models.set(model, (models.get(model) ?? 0) + countTokens(row));
    groups.day.at(dayOf(row.hour)).addReplies(row, cost);
    groups.model.at(model).addReplies(row, cost);
    groups.agent.at(session.agent ?? '').addReplies(row, cost);
    groups.project.at(session.project).addReplies(row, cost);
  }
  for (const { session, hour, activeMs } of activity) {
    const { total, models } = ofSession(session);
    total.addActivity(session, activeMs);
    groups.day.at(dayOf(hour)).addActivity(session, activeMs);
    groups.model.at(mostUsed(models) ?? '').addActivity(session, activeMs);
    groups.agent.at(session.agent ?? '').addActivity(session, activeMs);
    groups.project.at(session.project).addActivity(session, activeMs);
  }
  const listed = [...sessions]
    .map(([session, { total, models }]) => ({ session, model: mostUsed(models), sums: total.sums() }))
    .filter(({ sums }) => sums.replies > 0)
    .sort((a, b) => compareSums(a.sums, b.sums) || compareText(a.session.sessionId, b.session.sessionId))
    .slice(0, query.limit ?? DEFAULT_SESSIONS);
  const known = new Map(
    index
      .findSessionsById(listed.map(({ session }) => session))
      .map((summary) => [`${summary.project} ${summary.sessionId}`, summary]),
  );
  return {
    pricesAsOf: PRICES_AS_OF,
    total: sumUsage(rows, prices),
    by: {
      day: groups.day.list((a, b) => compareText(a.key, b.key)),
      model: groups.model.list(compareSums),
      agent: groups.agent.list(compareSums),
      project: groups.project.list(compareSums),
    },
    topSessions: listed.map(({ session: { project, sessionId, agent }, model, sums }) => {
      const summary = known.get(`${project} ${sessionId}`);
      const { title = '', lastActivity = '' } = summary ?? {};
      return {
        project,
        sessionId,
        title,
        lastActivity,
        ...omitUndefined({ agent, model: model || undefined }),
        ...sums,
      };
    }),
  };
}

/** Sums under a key each. */
class Groups {
  readonly #totals = new Map<string, UsageTotal>();

  at(key: string): UsageTotal {
    return getOrAdd(this.#totals, key, () => new UsageTotal());
  }

  list(compare: (a: UsageGroup, b: UsageGroup) => number): readonly UsageGroup[] {
    return [...this.#totals]
      .map(([key, total]) => ({ key, ...total.sums() }))
      .sort((a, b) => compare(a, b) || compareText(a.key, b.key));
  }
}

/** The most expensive first; without a price, the one with the most tokens. */
function compareSums(a: UsageSums, b: UsageSums): number {
  return (b.cost ?? 0) - (a.cost ?? 0) || countTokens(b) - countTokens(a) || b.activeMs - a.activeMs;
}

/** A session's active time counts for the model that it used most. */
function mostUsed(models: ReadonlyMap<string, number>): string | undefined {
  let most: readonly [string, number] | undefined;
  for (const entry of models) if (most === undefined || entry[1] > most[1]) most = entry;
  return most?.[0];
}

function hourFormatter(timeZone: string | undefined): (hour: number) => string {
  const dayOf = dayFormatter(timeZone);
  const days = new Map<number, string>();
  return (hour) => getOrAdd(days, hour, () => dayOf(new Date(hour * HOUR_MS).toISOString()));
}
