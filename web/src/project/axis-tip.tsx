import type { VNode } from 'preact';

/** What is pointed at or has the focus, and where. */
export interface Pointed {
  readonly x: number;
  readonly y: number;
  readonly lines: readonly string[];
}

const WIDEST = 340;

/** Says what is pointed at. */
export function AxisTip({ pointed, width }: { readonly pointed: Pointed; readonly width: number }): VNode {
  const left = Math.max(Math.min(pointed.x - 20, width - Math.min(WIDEST, width)), 0);
  return (
    <div class="axis-tip" aria-hidden="true" style={{ left: `${left}px`, top: `${pointed.y}px` }}>
      {pointed.lines.map((line, index) => (
        <p key={index}>{line}</p>
      ))}
    </div>
  );
}
