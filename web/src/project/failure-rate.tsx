import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { DayCount, OverviewResult, PastFailure } from '../../../src/server/rpc/api.ts';
import { historyHref, toHref } from '../router/router.ts';
import { cleanText, formatQuantity } from '../text/format.ts';
import { BarChart, type ChartBar } from './bar-chart.tsx';
import { type Bucket, dayBuckets, isWeekly } from './day-buckets.ts';

interface FailureRateProps {
  readonly days: readonly DayCount[];
  readonly totals: OverviewResult['totals'];
  readonly failing: OverviewResult['failing'];
}

/** As many as are as high as the chart beside them. */
const MAX_FAILING = 4;

/** How many tool calls fail, and which. */
export function FailureRate({ days, totals, failing }: FailureRateProps): VNode {
  const buckets = useMemo(() => dayBuckets(days, ({ day }) => day), [days]);
  const calls = totals.failures + totals.successes;
  const share = formatShare(totals.failures, calls);
  return (
    <div class="charts">
      <BarChart
        title={`Failed tool calls per ${isWeekly(buckets) ? 'week' : 'day'}`}
        note={`${share} of ${formatQuantity(calls, 'call')}`}
        unit="percent"
        series={[{ name: 'failed', tone: 'failure' }]}
        bars={buckets.map(toBar)}
        format={(value) => `${Math.round(value)} %`}
      />
      <section class="failing" aria-label="What failed most">
        <header>
          <h2>What failed most</h2>
          <a href={toHref({ page: 'memory' })}>All {formatQuantity(failing.total, 'call')}</a>
        </header>
        {failing.failures.length === 0 ? (
          <p class="fact">No failures are recorded.</p>
        ) : (
          <ol>
            {failing.failures.slice(0, MAX_FAILING).map((failure) => (
              <Failing key={failure.what} failure={failure} most={failing.failures[0]?.count ?? 1} />
            ))}
          </ol>
        )}
      </section>
    </div>
  );
}

/** A part in percent: `12 %`; less than one is `<1 %`. */
function formatShare(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (part / whole) * 100;
  return percent > 0 && percent < 1 ? '<1 %' : `${Math.round(percent)} %`;
}

function toBar({ from, to, name, items }: Bucket<DayCount>): ChartBar {
  const failures = items.reduce((sum, day) => sum + day.failures, 0);
  const calls = items.reduce((sum, day) => sum + day.failures + day.successes, 0);
  return {
    name,
    parts: [
      {
        value: calls === 0 ? 0 : (failures / calls) * 100,
        href: historyHref({ since: from, until: to, outcome: 'failure' }),
        label: `${formatShare(failures, calls)}, ${failures.toLocaleString()} of ${formatQuantity(calls, 'call')}`,
      },
    ],
  };
}

function Failing({ failure, most }: { readonly failure: PastFailure; readonly most: number }): VNode {
  const { what, count, causes, fix, hasWorkedSince } = failure;
  const [cause] = causes;
  const more = causes.length - 1;
  return (
    <li>
      <a
        class="failing-command"
        href={historyHref({ query: what.slice(0, 200), outcome: 'failure' })}
        title={cleanText(what)}
      >
        <code dir="ltr">{cleanText(what)}</code>
      </a>
      <span class="failing-count" title={formatQuantity(count, 'failure')}>
        {count.toLocaleString()}×
      </span>
      <span class="failing-bar" style={{ width: `${(count / most) * 100}%` }} />
      {cause === undefined || cause.error === '' ? null : (
        <span class="failing-cause" title={cleanText(cause.error)}>
          {cleanText(cause.error)}
          {more > 0 ? ` and ${formatQuantity(more, 'other cause')}` : ''}
        </span>
      )}
      {fix === undefined ? (
        hasWorkedSince ? (
          <span class="instead">worked again</span>
        ) : null
      ) : (
        <span class="instead">
          → <code dir="ltr">{cleanText(fix)}</code>
        </span>
      )}
    </li>
  );
}
