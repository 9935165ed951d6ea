import type { ComponentChild, VNode } from 'preact';
import type { SessionCost, UsageGroup, UsageReport, UsageSums } from '../../../src/server/rpc/api.ts';
import { dayBefore } from '../history/date-presets.ts';
import { AgentIcon } from '../history/session-row.tsx';
import { BarChart } from '../project/bar-chart.tsx';
import { dayBuckets, isWeekly } from '../project/day-buckets.ts';
import { Placeholder, useLiveData } from '../project/live-data.tsx';
import { sessionHref } from '../reader/links.ts';
import { historyHref, route, toHref } from '../router/router.ts';
import { server } from '../rpc/server.ts';
import { currentProjectId, projectName, projects } from '../shell/project-store.ts';
import { EmptyState } from '../shell/states.tsx';
import { cleanText, costText, formatDuration, shareText, shortNumber } from '../text/format.ts';
import { Time } from '../text/time-view.tsx';
import { Choice } from './choice.tsx';

const RANGES = { '7': '7 days', '30': '30 days', '90': '90 days', all: 'All time' } as const;
const SCOPES = { project: 'This project', all: 'All projects' } as const;
const MEASURES = { cost: 'Cost', tokens: 'Tokens', time: 'Active time' } as const;
const GROUPS = { model: 'Model', agent: 'Agent', project: 'Project', day: 'Day' } as const;
const HOUR_MS = 3_600_000;

type Measure = keyof typeof MEASURES;
type Grouping = keyof typeof GROUPS;

/** The value of a parameter of the address, if it is one of these. */
function choose<T extends string>(name: string, choices: Readonly<Record<T, string>>, byDefault: NoInfer<T>): T {
  const value = route.value.params[name] ?? '';
  return Object.hasOwn(choices, value) ? (value as T) : byDefault;
}

/** Tokens, estimated cost and active time. */
export function UsagePage(): VNode {
  const project = currentProjectId.value;
  const range = choose('range', RANGES, '30');
  const scope = choose('scope', SCOPES, 'project');
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const fetchReport = () =>
    server.call('usage.get', {
      timeZone,
      ...(scope === 'all' ? {} : { project }),
      ...(range === 'all' ? {} : { since: new Date(`${firstDay(Number(range))}T00:00`).toISOString() }),
    });
  const { value, error } = useLiveData(project, fetchReport, `${range} ${scope}`);
  return (
    <section class="page usage" aria-label="Usage">
      <header class="page-head">
        <h1>Usage</h1>
        <span class="spacer" />
        <Choice label="Projects" name="scope" choices={SCOPES} value={scope} />
        <Choice label="Time" name="range" choices={RANGES} value={range} />
      </header>
      {value === undefined ? <Placeholder error={error} /> : <Report report={value} isAll={scope === 'all'} />}
    </section>
  );
}

/** The first of that many days up to today, in the user's time zone: `2026-11-15`. */
function firstDay(days: number): string {
  return dayBefore(Date.now(), days - 1);
}

/** The sessions of the chosen projects and time. */
function sessionsHref(browser: Parameters<typeof historyHref>[0]): string {
  const range = choose('range', RANGES, '30');
  return historyHref({
    project: choose('scope', SCOPES, 'project') === 'all' ? 'all' : '',
    since: range === 'all' ? '' : firstDay(Number(range)),
    ...browser,
  });
}

function Report({ report, isAll }: { readonly report: UsageReport; readonly isAll: boolean }): VNode {
  const { total, by, topSessions, pricesAsOf } = report;
  if (total.replies === 0 && total.activeMs === 0) return <NoUsage isAll={isAll} />;
  const known = total.cost !== undefined ? 'cost' : countTokens(total) > 0 ? 'tokens' : 'time';
  const measure = choose('measure', MEASURES, known);
  const grouping = choose('by', GROUPS, 'model');
  return (
    <>
      <dl class="figures">
        <Figure name="Estimated cost" value={total.cost === undefined ? 'Unknown' : <Cost sums={total} />} />
        <Figure name="Tokens" value={shortNumber(countTokens(total))} title={tokenTitle(total)} />
        <Figure name="Active time" value={formatDuration(total.activeMs)} />
        <Figure name="Sessions" value={<a href={sessionsHref({})}>{total.sessions.toLocaleString()}</a>} />
        <Figure name="Read from cache" value={cacheShare(total)} title="Share of all input tokens" />
      </dl>
      <DayChart days={by.day} measure={measure} />
      <div class="section-head">
        <h2>By {GROUPS[grouping].toLowerCase()}</h2>
        <Choice label="Group by" name="by" choices={GROUPS} value={grouping} />
      </div>
      <GroupTable groups={grouping === 'day' ? by.day.toReversed() : by[grouping]} grouping={grouping} total={total} />
      <h2>Most expensive sessions</h2>
      <SessionTable sessions={topSessions} isAll={isAll} />
      <p class="fact note">
        Costs are estimates: reported tokens times the list prices of <time dateTime={pricesAsOf}>{pricesAsOf}</time>,
        or your own prices in the setting <code>usage.prices</code>. Subscriptions and discounts are not known.
        {total.unpricedTokens === 0
          ? null
          : ` ${shortNumber(total.unpricedTokens)} tokens are of models without a known price, and are not in the cost.`}
        {total.incompleteReplies === 0
          ? null
          : ` Agents recorded ${total.incompleteReplies.toLocaleString()} replies at their start, so that there was more output.`}
      </p>
    </>
  );
}

function NoUsage({ isAll }: { readonly isAll: boolean }): VNode {
  const known = projects.value ?? [];
  const hasSessions = isAll ? known.length > 0 : known.some(({ id }) => id === currentProjectId.value);
  if (!hasSessions || choose('range', RANGES, '30') === 'all') {
    return (
      <EmptyState title="No usage recorded yet" command="init">
        Tokens, estimated cost and active time of your agents appear here as they work. No recorded session reports any.
        This command sets up your agents and imports the sessions that they have already had:
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No usage recorded in this time">
      No session of these days reports its tokens or time.{' '}
      <a href={toHref({ params: { ...route.value.params, range: 'all' } })}>Show all time</a>
    </EmptyState>
  );
}

function Figure(props: {
  readonly name: string;
  readonly value: ComponentChild;
  readonly title?: string | undefined;
}): VNode {
  return (
    <div title={props.title}>
      <dt>{props.name}</dt>
      <dd>{props.value}</dd>
    </div>
  );
}

function countTokens({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: UsageSums): number {
  return inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
}

function tokenTitle({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: UsageSums): string {
  const parts = [
    `${inputTokens.toLocaleString()} input`,
    `${outputTokens.toLocaleString()} output`,
    `${cacheReadTokens.toLocaleString()} read from the cache`,
    `${cacheWriteTokens.toLocaleString()} written to it`,
  ];
  return parts.join(', ');
}

function cacheShare({ inputTokens, cacheReadTokens, cacheWriteTokens }: UsageSums): string {
  const input = inputTokens + cacheReadTokens + cacheWriteTokens;
  return input === 0 ? '–' : `${Math.round((cacheReadTokens / input) * 100)} %`;
}

/** What a measure is of sums, how it is shown, and the smallest step of its axis. */
const MEASURED: Readonly<
  Record<
    Measure,
    { readonly of: (sums: UsageSums) => number; readonly format: (value: number) => string; readonly smallest: number }
  >
> = {
  cost: { of: ({ cost = 0 }) => cost, format: costText, smallest: 0.01 },
  tokens: { of: countTokens, format: (value) => shortNumber(value), smallest: 1 },
  time: {
    of: ({ activeMs }) => activeMs / HOUR_MS,
    format: (hours) => (hours === 0 ? '0' : formatDuration(hours * HOUR_MS)),
    smallest: 0.1,
  },
};

function DayChart({ days, measure }: { readonly days: readonly UsageGroup[]; readonly measure: Measure }): VNode {
  const range = choose('range', RANGES, '30');
  const span = { to: firstDay(1), ...(range === 'all' ? {} : { from: firstDay(Number(range)) }) };
  const buckets = dayBuckets(days, ({ key }) => key, span);
  const { of, format, smallest } = MEASURED[measure];
  const bars = buckets.map(({ name, from, to, items }) => ({
    name,
    parts: [{ value: items.reduce((sum, day) => sum + of(day), 0), href: sessionsHref({ since: from, until: to }) }],
  }));
  return (
    <BarChart
      title={`${MEASURES[measure]} per ${isWeekly(buckets) ? 'week' : 'day'}`}
      unit={measure}
      note={<Choice label="Show" name="measure" choices={MEASURES} value={measure} />}
      series={[{ name: measure === 'tokens' ? 'tokens' : '', tone: 'accent' }]}
      bars={bars}
      format={format}
      smallest={smallest}
    />
  );
}

interface GroupTableProps {
  readonly groups: readonly UsageGroup[];
  readonly grouping: Grouping;
  readonly total: UsageSums;
}

const MAX_ROWS = 100;

function GroupTable({ groups, grouping, total }: GroupTableProps): VNode {
  const isPriced = total.cost !== undefined;
  const weight = (sums: UsageSums) => (isPriced ? (sums.cost ?? 0) : countTokens(sums));
  const most = groups.reduce((highest, group) => Math.max(highest, weight(group)), 0) || 1;
  return (
    <div class="wide" tabIndex={0} role="region" aria-label={`Usage by ${grouping}`}>
      <table class="usage-table">
        <thead>
          <tr>
            <th scope="col">{GROUPS[grouping]}</th>
            <UsageHeads />
            <th scope="col">Sessions</th>
          </tr>
        </thead>
        <tbody>
          {groups.slice(0, MAX_ROWS).map((group) => (
            <tr key={group.key}>
              <th scope="row">
                <GroupName group={group} grouping={grouping} />
                <span class="share" style={{ width: `${(weight(group) / most) * 100}%` }} />
              </th>
              <UsageCells sums={group} />
              <td>{group.sessions.toLocaleString()}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function GroupName({ group: { key }, grouping }: { readonly group: UsageGroup; readonly grouping: Grouping }): VNode {
  if (grouping === 'project') {
    return <a href={toHref({ page: 'usage', project: key, params: { scope: 'project' } })}>{projectName(key)}</a>;
  }
  if (grouping === 'agent' && key !== '') {
    return (
      <a href={sessionsHref({ agent: key })}>
        <AgentIcon agent={key} /> {cleanText(key)}
      </a>
    );
  }
  if (grouping === 'day') return <a href={sessionsHref({ since: key, until: key })}>{key}</a>;
  return <bdi>{cleanText(key) || 'Unknown'}</bdi>;
}

function UsageHeads(): VNode {
  return (
    <>
      <th scope="col">Cost</th>
      <th scope="col" class="tokens">
        Input
      </th>
      <th scope="col" class="tokens">
        Output
      </th>
      <th scope="col" class="tokens cached">
        Cache read
      </th>
      <th scope="col" class="tokens cached">
        Cache write
      </th>
      <th scope="col">Active</th>
    </>
  );
}

function UsageCells({ sums }: { readonly sums: UsageSums }): VNode {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, activeMs } = sums;
  return (
    <>
      <td class="cost">
        <Cost sums={sums} />
      </td>
      <td class="tokens">{shortNumber(inputTokens)}</td>
      <td class="tokens">{shortNumber(outputTokens)}</td>
      <td class="tokens cached">{shortNumber(cacheReadTokens)}</td>
      <td class="tokens cached">{shortNumber(cacheWriteTokens)}</td>
      <td>{formatDuration(activeMs)}</td>
    </>
  );
}

/** What was estimated, and for which share of the tokens: `$1.20 (40 %)`. Without a known price, it is unknown. */
function Cost({ sums: { cost, unpricedTokens, pricedShare, replies } }: { readonly sums: UsageSums }): VNode {
  if (cost === undefined)
    return (
      <span title={replies === 0 ? 'No tokens reported' : 'No known price'}>{replies === 0 ? '–' : 'unknown'}</span>
    );
  if (unpricedTokens === 0) return <>{costText(cost)}</>;
  const title = `Without ${shortNumber(unpricedTokens)} tokens of models without a known price`;
  return (
    <span title={title}>
      {costText(cost)} ({shareText(pricedShare)})
    </span>
  );
}

function SessionTable(props: { readonly sessions: readonly SessionCost[]; readonly isAll: boolean }): VNode {
  const { sessions, isAll } = props;
  if (sessions.length === 0) return <p class="fact">No session in this time reported its tokens.</p>;
  return (
    <div class="wide" tabIndex={0} role="region" aria-label="Most expensive sessions">
      <table class="usage-table session-usage">
        <thead>
          <tr>
            <th scope="col">Session</th>
            <UsageHeads />
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <tr key={`${session.project} ${session.sessionId}`}>
              <th scope="row" title={cleanText(session.title)}>
                <a data-row href={sessionHref(session.project, session.sessionId)}>
                  <AgentIcon agent={session.agent} /> <bdi>{cleanText(session.title) || '(no text)'}</bdi>
                </a>
                <span class="fact">
                  {[...(isAll ? [projectName(session.project)] : []), cleanText(session.model ?? '')]
                    .filter((part) => part !== '')
                    .join(' · ')}
                </span>
              </th>
              <UsageCells sums={session} />
              <td>
                <Time at={session.lastActivity} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
