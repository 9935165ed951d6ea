import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { MemoryWarning, ProjectMemory } from '../../../src/server/rpc/api.ts';
import { BarChart, type ChartBar, type Series } from './bar-chart.tsx';
import { type Bucket, dayBuckets, isWeekly } from './day-buckets.ts';
import { ENDS, WARNING_ENDS, type WarningEnd } from './warning-ends.ts';
import { warningHref } from './warning-href.ts';
import { WarningTable } from './warning-table.tsx';

const SERIES: readonly Series[] = WARNING_ENDS.map((ended) => ENDS[ended]);

/** The warnings that agents were given: how they ended, over time and one by one. */
export function WarningsGiven({ memory }: { readonly memory: ProjectMemory }): VNode {
  const { warnings } = memory;
  const [ended, setEnded] = useState<WarningEnd | undefined>();
  const bars = useMemo(() => dayBuckets(warnings, ({ at }) => at), [warnings]);
  if (warnings.length === 0)
    return (
      <p class="fact">
        No warning has been given yet. Agents are warned before they repeat what is known to fail.
      </p>
    );
  const shown = ended === undefined ? warnings : warnings.filter((warning) => warning.ended === ended);
  const totals = totalsOf(memory);
  const each = isWeekly(bars) ? 'week' : 'day';
  return (
    <>
      <fieldset class="ends">
        <legend class="hidden">Show only warnings that ended so</legend>
        {WARNING_ENDS.map((end) => (
          <button
            key={end}
            type="button"
            aria-pressed={ended === end}
            onClick={() => setEnded(ended === end ? undefined : end)}
          >
            <b>{totals[end].toLocaleString()}</b>
            <span class={`key ${ENDS[end].tone}`}>{ENDS[end].name}</span>
          </button>
        ))}
      </fieldset>
      <div class="charts">
        <BarChart title={`Warnings per ${each}`} unit="warnings" series={SERIES} bars={bars.map(barOf)} />
      </div>
      <WarningTable warnings={shown} />
    </>
  );
}

/** Of all warnings; those that are listed are the latest. */
function totalsOf({ warningTotals: totals }: ProjectMemory): Readonly<Record<WarningEnd, number>> {
  return {
    heeded: totals.heeded,
    'overridden-failed': totals.overriddenFailed,
    'overridden-succeeded': totals.overriddenSucceeded,
    open: totals.open,
  };
}

function barOf({ name, items }: Bucket<MemoryWarning>): ChartBar {
  return {
    name,
    parts: WARNING_ENDS.map((end) => {
      const those = items.filter(({ ended }) => ended === end);
      return { value: those.length, href: those[0] === undefined ? '' : warningHref(those[0]) };
    }),
  };
}
