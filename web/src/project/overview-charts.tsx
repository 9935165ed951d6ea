import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { DayCount } from '../../../src/server/rpc/api.ts';
import { EMPTY_BROWSER } from '../router/route.ts';
import { hrefOf } from '../router/router.ts';
import { BarChart, type ChartBar, type Series } from './bar-chart.tsx';
import { type Bucket, dayBuckets, isWeekly } from './day-buckets.ts';

const SESSIONS: readonly Series[] = [{ name: 'sessions', tone: 'neutral' }];
const OUTCOMES: readonly Series[] = [
  { name: 'successes', tone: 'success' },
  { name: 'failures', tone: 'failure' },
];

/** How much was done, and how it went; each bar leads to the sessions of its days. */
export function OverviewCharts({ days }: { readonly days: readonly DayCount[] }): VNode {
  const buckets = useMemo(() => dayBuckets(days, ({ day }) => day), [days]);
  const each = isWeekly(buckets) ? 'week' : 'day';
  const sessions = buckets.map((bucket) => barOf(bucket, [['', ({ sessions: count }) => count]]));
  const outcomes = buckets.map((bucket) =>
    barOf(bucket, [
      ['success', ({ successes }) => successes],
      ['failure', ({ failures }) => failures],
    ]),
  );
  return (
    <div class="charts">
      <BarChart title={`Sessions per ${each}`} unit="sessions" series={SESSIONS} bars={sessions} />
      <BarChart
        title={`Failures and successes per ${each}`}
        unit="calls of tools"
        series={OUTCOMES}
        bars={outcomes}
      />
    </div>
  );
}

type Counted = readonly [outcome: string, of: (day: DayCount) => number];

function barOf({ from, to, name, items }: Bucket<DayCount>, counted: readonly Counted[]): ChartBar {
  return {
    name,
    parts: counted.map(([outcome, of]) => ({
      value: items.reduce((sum, day) => sum + of(day), 0),
      href: hrefOf({ page: 'history', browser: { ...EMPTY_BROWSER, since: from, until: to, outcome } }),
    })),
  };
}
