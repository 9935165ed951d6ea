import { hourFormatter } from '../ask/timeline.ts';
import { PRICES_AS_OF, type PriceTable, TOKEN_KINDS, USAGE_COUNTS } from '../history/index.ts';
import { omitUndefined, type Usage } from '../record/index.ts';
import { getOrAdd } from '../record/once.ts';
import type { SearchIndex } from '../search/index.ts';
import {
  findTopSessions,
  type HourlyUsage,
  readHourlyUsage,
  readUsage,
  type UsageFilter,
  type UsageRows,
} from '../store/usage-rows.ts';
import { compareText } from '../text/compare-text.ts';

/** What was used: tokens by kind, active time, and an estimate of the cost. */
export interface UsageSums extends Required<Usage> {
  /** US dollars; of the models with a known price. Absent if there is none. */
  readonly cost?: number;
  /** Tokens of models without a known price, which `cost` does not include. */
  readonly unpricedTokens: number;
  /** The share of all tokens that `cost` is for, from 0 to 1. */
  readonly pricedShare: number;
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
export interface SessionCost extends UsageSums {
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
  readonly topSessions: readonly SessionCost[];
}

/** Which usage is reported, and how. */
export interface UsageQuery extends UsageFilter {
  /** IANA time zone that days are in. Default UTC. */
  readonly timeZone?: string;
  /** How many sessions are listed. Default 10. */
  readonly limit?: number;
}

const DEFAULT_SESSIONS = 10;

/** Sums of usage that grow. The only place where tokens, costs and times are added up. */
class UsageTotal {
  readonly #counts = Object.fromEntries(USAGE_COUNTS.map((count) => [count, 0])) as Record<
    (typeof USAGE_COUNTS)[number],
    number
  >;
  #cost: number | undefined;
  #unpricedTokens = 0;
  #activeMs = 0;
  #replies = 0;
  #sessions = 0;

  addReplies(row: Required<Usage> & { readonly replies: number }, cost: number | undefined): void {
    for (const count of USAGE_COUNTS) this.#counts[count] += row[count];
    if (cost === undefined) this.#unpricedTokens += countTokens(row);
    else this.#cost = (this.#cost ?? 0) + cost;
    this.#replies += row.replies;
  }

  addActivity(activeMs: number): void {
    this.#activeMs += activeMs;
  }

  addSessions(sessions: number): void {
    this.#sessions += sessions;
  }

  sums(): UsageSums {
    const tokens = countTokens(this.#counts);
    return {
      ...this.#counts,
      ...omitUndefined({ cost: this.#cost }),
      unpricedTokens: this.#unpricedTokens,
      pricedShare: tokens === 0 ? 1 : 1 - this.#unpricedTokens / tokens,
      activeMs: this.#activeMs,
      replies: this.#replies,
      sessions: this.#sessions,
    };
  }
}

/** All tokens, of whatever kind. */
export function countTokens(usage: Required<Usage>): number {
  return TOKEN_KINDS.reduce((sum, kind) => sum + usage[kind], 0);
}

/** The total of what sessions used. */
export function sumUsage({ replies, activity }: UsageRows, prices: PriceTable): UsageSums {
  const total = new UsageTotal();
  for (const row of replies) total.addReplies(row, prices.cost(row.model, row));
  for (const { activeMs, sessions } of activity) {
    total.addActivity(activeMs);
    total.addSessions(sessions);
  }
  return total.sums();
}

const NO_USAGE = { replies: [], activity: [] };

/** What sessions used and how long they were active, as far as it is indexed. Throws STORAGE when the index cannot be used. */
export function usageOf(index: SearchIndex, filter: UsageFilter): UsageRows {
  return index.require((each) => readUsage(each, filter), NO_USAGE);
}

/** Adds up what sessions used, by day, model, agent, project and session. */
export function reportUsage(index: SearchIndex, prices: PriceTable, query: UsageQuery): UsageReport {
  const rows = usageOf(index, query);
  const groups = { model: new Groups(), agent: new Groups(), project: new Groups() };
  for (const row of rows.replies) {
    const cost = prices.cost(row.model, row);
    groups.model.at(row.model).addReplies(row, cost);
    groups.model.at(row.model).addSessions(row.sessions);
    groups.agent.at(row.agent ?? '').addReplies(row, cost);
    groups.project.at(row.project).addReplies(row, cost);
  }
  for (const { project, agent, model, activeMs, sessions } of rows.activity) {
    // A session's active time counts for the model that it used most.
    groups.model.at(model ?? '').addActivity(activeMs);
    if (model === null) groups.model.at('').addSessions(sessions);
    for (const total of [groups.agent.at(agent ?? ''), groups.project.at(project)]) {
      total.addActivity(activeMs);
      total.addSessions(sessions);
    }
  }
  return {
    pricesAsOf: PRICES_AS_OF,
    total: sumUsage(rows, prices),
    by: {
      day: groupByDay(
        index.require((each) => readHourlyUsage(each, query), NO_USAGE),
        prices,
        query.timeZone,
      ),
      model: groups.model.list(compareSums),
      agent: groups.agent.list(compareSums),
      project: groups.project.list(compareSums),
    },
    topSessions: listTopSessions(index, prices, query, rows),
  };
}

function groupByDay(
  { replies, activity }: HourlyUsage,
  prices: PriceTable,
  timeZone: string | undefined,
): readonly UsageGroup[] {
  const dayOf = hourFormatter(timeZone);
  const days = new Groups();
  for (const row of replies) days.at(dayOf(row.hour)).addReplies(row, prices.cost(row.model, row));
  for (const { hour, previousHour, activeMs, sessions } of activity) {
    const day = dayOf(hour);
    days.at(day).addActivity(activeMs);
    if (previousHour === null || dayOf(previousHour) !== day) days.at(day).addSessions(sessions);
  }
  return days.list((a, b) => compareText(a.key, b.key));
}

function listTopSessions(
  index: SearchIndex,
  prices: PriceTable,
  query: UsageQuery,
  { replies }: UsageRows,
): readonly SessionCost[] {
  const models = [...new Set(replies.map(({ model }) => model))];
  const weights = models.map((model) => {
    const costs = USAGE_COUNTS.map((count) => [count, prices.cost(model, { [count]: 1_000_000 }) ?? 0] as const);
    return { model, ...(Object.fromEntries(costs) as Record<(typeof USAGE_COUNTS)[number], number>) };
  });
  const top = index.require(
    (each) => findTopSessions(each, query, { weights, limit: query.limit ?? DEFAULT_SESSIONS }),
    [],
  );
  const { since, until } = query;
  return index
    .findSessionsById(top)
    .map(({ project = '', sessionId, title, lastActivity, agent }) => {
      const used = usageOf(index, { projects: [project], sessionId, ...omitUndefined({ since, until }) });
      const model = used.activity[0]?.model || undefined;
      return {
        project,
        sessionId,
        title,
        lastActivity,
        ...omitUndefined({ agent, model }),
        ...sumUsage(used, prices),
      };
    })
    .sort((a, b) => compareSums(a, b) || compareText(a.sessionId, b.sessionId));
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
