import type { ComponentChild, VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { DayCount, OverviewResult } from '../../../src/server/rpc/api.ts';
import { historyHref, toHref } from '../router/router.ts';
import { server } from '../rpc/server.ts';
import { projectId } from '../shell/project-store.ts';
import { cleanText } from '../text/format.ts';
import { InlineCode, PatternText } from '../text/markdown-view.tsx';
import { Ago } from '../text/time-view.tsx';
import { BarChart, type ChartBar, type Series } from './bar-chart.tsx';
import { type Bucket, dayBuckets, isWeekly } from './day-buckets.ts';
import { Placeholder, useLiveData } from './live-data.tsx';

/** The project's tech stack, and how the work on it went. */
export function OverviewPage(): VNode {
  const project = projectId.value;
  const { value, error } = useLiveData(project, () => server.call('project.overview', { project }));
  if (value === undefined) return <Placeholder error={error} />;
  return <Overview overview={value} />;
}

function Overview({ overview }: { readonly overview: OverviewResult }): VNode {
  const { project, summary, totals, days } = overview;
  const history = historyHref({});
  const memory = toHref({ page: 'memory' });
  return (
    <section class="page" aria-label="Overview">
      <header class="page-head">
        <h1>{cleanText(project.name)}</h1>
        <code dir="ltr">{cleanText(project.path)}</code>
        <span class="fact">
          last active <Ago at={project.lastActiveAt} />
        </span>
      </header>
      {overview.notRecorded.map(({ agent, reason, path }) => (
        <p key={agent} class="fact" role="status">
          Not everything of {agent} is recorded: {cleanText(reason)}, such as in{' '}
          <code dir="ltr">{cleanText(path)}</code>. See <code>yore doctor</code>; a newer yore may understand it.
        </p>
      ))}
      {summary === '' ? null : (
        <p class="lead">
          <InlineCode text={summary} />
        </p>
      )}
      <dl class="figures">
        <Figure name="sessions" value={totals.sessions} href={history} />
        <Figure name="messages" value={totals.messages} href={history} />
        <Figure name="failures" value={totals.failures} href={historyHref({ outcome: 'failure' })} />
        <Figure name="successes" value={totals.successes} href={historyHref({ outcome: 'success' })} />
      </dl>
      {days.length === 0 ? (
        <p class="empty">
          Nothing recorded yet. Charts appear here as your agents work, or after <code>yore import</code>.
        </p>
      ) : (
        <OverviewCharts days={days} />
      )}
      <div class="columns">
        <div>
          <Stack overview={overview} />
          <section>
            <h2>
              <a href={memory}>What works here</a>
            </h2>
            <Patterns items={overview.practices} outcome="success" none="No practices learned yet." />
          </section>
        </div>
        <section>
          <h2>
            <a href={memory}>What to avoid</a>
          </h2>
          <Patterns items={overview.antiPatterns} outcome="failure" none="Nothing to avoid at present." />
        </section>
      </div>
    </section>
  );
}

function Stack({ overview: { stack, commands } }: { readonly overview: OverviewResult }): VNode {
  const technologies: readonly (readonly [string, readonly string[]])[] = [
    ['Languages', stack.languages],
    ['Frameworks', stack.frameworks],
    ['Tools', stack.tools],
  ];
  const commandList: readonly (readonly [string, string | undefined])[] = [
    ['Test', commands.testCommand],
    ['Build', commands.buildCommand],
    ['Lint', commands.lintCommand],
    ['Format', commands.formatCommand],
    ['Package manager', commands.packageManager],
  ];
  return (
    <section>
      <h2>Tech stack &amp; commands</h2>
      <dl class="facts-list">
        {technologies.map(([name, values]) =>
          values.length === 0 ? null : <Fact key={name} name={name} value={values.join(', ')} />,
        )}
        {commandList.map(([name, value]) =>
          value === undefined ? null : (
            <Fact key={name} name={name} value={<code dir="ltr">{cleanText(value)}</code>} />
          ),
        )}
      </dl>
    </section>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: ComponentChild }): VNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Figure({
  name,
  value,
  href,
}: {
  readonly name: string;
  readonly value: number;
  readonly href: string;
}): VNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <a href={href}>{value.toLocaleString()}</a>
      </dd>
    </div>
  );
}

interface KnownPattern {
  readonly pattern: string;
  readonly reason: string;
  readonly alternative?: string;
}

interface PatternsProps {
  readonly items: readonly KnownPattern[];
  readonly outcome: 'failure' | 'success';
  readonly none: string;
}

function Patterns({ items, outcome, none }: PatternsProps): VNode {
  if (items.length === 0) return <p class="fact">{none}</p>;
  return (
    <ul class="patterns">
      {items.map(({ pattern, reason, alternative }) => (
        <li key={pattern}>
          <a href={historyHref({ query: pattern.slice(0, 200), outcome })} title="Find in history">
            <PatternText text={pattern} />
          </a>
          {reason === '' || reason === pattern ? null : <span class="fact">{cleanText(reason)}</span>}
          {alternative === undefined ? null : (
            <span class="instead">
              → <code dir="ltr">{cleanText(alternative)}</code>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

const SESSIONS: readonly Series[] = [{ name: 'sessions', tone: 'neutral' }];
const OUTCOMES: readonly Series[] = [
  { name: 'successes', tone: 'success' },
  { name: 'failures', tone: 'failure' },
];

/** Activity over time. Each bar links to the sessions of its days. */
function OverviewCharts({ days }: { readonly days: readonly DayCount[] }): VNode {
  const buckets = useMemo(() => dayBuckets(days, ({ day }) => day), [days]);
  const period = isWeekly(buckets) ? 'week' : 'day';
  const sessions = buckets.map((bucket) => toBar(bucket, [['', ({ sessions: count }) => count]]));
  const outcomes = buckets.map((bucket) =>
    toBar(bucket, [
      ['success', ({ successes }) => successes],
      ['failure', ({ failures }) => failures],
    ]),
  );
  return (
    <div class="charts">
      <BarChart title={`Sessions per ${period}`} unit="sessions" series={SESSIONS} bars={sessions} />
      <BarChart title={`Failures and successes per ${period}`} unit="tool calls" series={OUTCOMES} bars={outcomes} />
    </div>
  );
}

type Counter = readonly [outcome: string, count: (day: DayCount) => number];

function toBar({ from, to, name, items }: Bucket<DayCount>, counters: readonly Counter[]): ChartBar {
  return {
    name,
    parts: counters.map(([outcome, count]) => ({
      value: items.reduce((sum, day) => sum + count(day), 0),
      href: historyHref({ since: from, until: to, outcome }),
    })),
  };
}
