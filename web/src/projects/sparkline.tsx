import type { VNode } from 'preact';
import { formatQuantity } from '../text/format.ts';

const BAR = 3;
const GAP = 1;
const HEIGHT = 20;
/** The height of a day without sessions. */
const FLOOR = 1;

/** Sessions per day as small bars, the latest day at the right. */
export function Sparkline({ days }: { readonly days: readonly number[] }): VNode {
  const most = Math.max(...days, 1);
  const total = days.reduce((sum, sessions) => sum + sessions, 0);
  const width = days.length * (BAR + GAP);
  const label = `${formatQuantity(total, 'session')} in ${days.length} days`;
  return (
    <svg class="sparkline" width={width} height={HEIGHT} role="img" aria-label={label}>
      <title>{label}</title>
      {days.map((sessions, day) => {
        const height = sessions === 0 ? FLOOR : Math.max((sessions / most) * HEIGHT, 3);
        return (
          <rect
            key={day}
            class={sessions === 0 ? 'is-empty' : undefined}
            x={day * (BAR + GAP)}
            y={HEIGHT - height}
            width={BAR}
            height={height}
          />
        );
      })}
    </svg>
  );
}
