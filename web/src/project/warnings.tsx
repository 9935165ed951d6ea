import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { MemoryResult, MemoryWarning } from '../../../src/server/rpc/api.ts';
import { historyHref } from '../router/router.ts';
import { currentProjectId } from '../shell/project-store.ts';
import { cleanText } from '../text/format.ts';
import { InlineCode } from '../text/inline-code.tsx';
import { Time } from '../text/time-view.tsx';
import { BarChart, type ChartBar, type Series } from './bar-chart.tsx';
import { type Bucket, dayBuckets, isWeekly } from './day-buckets.ts';

type WarningEnd = MemoryWarning['ended'];

const WARNING_ENDS = ['heeded', 'overridden-failed', 'overridden-succeeded', 'open'] as const;

/** The names and colours of the ends: green where the warning helped, red where it would have. */
const ENDS: Readonly<Record<WarningEnd, Series>> = {
  heeded: { name: 'heeded', tone: 'success' },
  'overridden-failed': { name: 'overridden, failed', tone: 'failure' },
  'overridden-succeeded': { name: 'overridden, succeeded', tone: 'neutral' },
  open: { name: 'pending', tone: 'faint' },
};

const SERIES: readonly Series[] = WARNING_ENDS.map((end) => ENDS[end]);
const INITIAL_ROWS = 20;

/** The warnings that agents were given: how they ended, over time and one by one. */
export function WarningReport({ memory }: { readonly memory: MemoryResult }): VNode {
  const { warnings } = memory;
  const [selected, setSelected] = useState<WarningEnd | undefined>();
  const buckets = useMemo(() => dayBuckets(warnings, ({ at }) => at), [warnings]);
  if (warnings.length === 0)
    return <p class="fact">No warnings yet. Agents are warned before they repeat a call that failed.</p>;
  const shown = selected === undefined ? warnings : warnings.filter(({ ended }) => ended === selected);
  const totals = totalsByEnd(memory);
  const period = isWeekly(buckets) ? 'week' : 'day';
  return (
    <>
      <fieldset class="ends">
        <legend class="hidden">Filter warnings by outcome</legend>
        {WARNING_ENDS.map((end) => (
          <button
            key={end}
            type="button"
            aria-pressed={selected === end}
            onClick={() => setSelected(selected === end ? undefined : end)}
          >
            <b>{totals[end].toLocaleString()}</b>
            <span class={`key ${ENDS[end].tone}`}>{ENDS[end].name}</span>
          </button>
        ))}
      </fieldset>
      <div class="charts">
        <BarChart title={`Warnings per ${period}`} unit="warnings" series={SERIES} bars={buckets.map(toBar)} />
      </div>
      <WarningTable warnings={shown} />
    </>
  );
}

/** Of all warnings, also those that are not listed. */
function totalsByEnd({ warningTotals: totals }: MemoryResult): Readonly<Record<WarningEnd, number>> {
  return {
    heeded: totals.heeded,
    'overridden-failed': totals.overriddenFailed,
    'overridden-succeeded': totals.overriddenSucceeded,
    open: totals.open,
  };
}

function toBar({ name, items }: Bucket<MemoryWarning>): ChartBar {
  return {
    name,
    parts: WARNING_ENDS.map((end) => {
      const matching = items.filter(({ ended }) => ended === end);
      return { value: matching.length, href: matching[0] === undefined ? '' : warningHref(matching[0]) };
    }),
  };
}

function WarningTable({ warnings }: { readonly warnings: readonly MemoryWarning[] }): VNode {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? warnings : warnings.slice(0, INITIAL_ROWS);
  return (
    <div class="wide" tabIndex={0} role="region" aria-label="Warnings given">
      <table class="warnings">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Command</th>
            <th scope="col">Warning</th>
            <th scope="col">Outcome</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((warning) => (
            <tr key={warning.id} data-row tabIndex={-1}>
              <td>
                <a href={warningHref(warning)}>
                  <Time at={warning.at} />
                </a>
              </td>
              <td>
                <code dir="ltr">{cleanText(warning.command)}</code>
              </td>
              <td class="said">
                <InlineCode text={warning.reason} />
              </td>
              <td class={ENDS[warning.ended].tone}>{ENDS[warning.ended].name}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length === warnings.length ? null : (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          Show all {warnings.length}
        </button>
      )}
    </div>
  );
}

/** The session in which the warning was given, at that time. */
function warningHref({ sessionId, at }: MemoryWarning): string {
  return historyHref({ session: sessionId, sessionProject: currentProjectId.peek(), match: at });
}
