import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { readStored, writeStored } from './stored.ts';

interface SplitProps {
  /** The width of the first pane is remembered under this name. */
  readonly name: string;
  /** Names the handle: "Width of the session list". */
  readonly label: string;
  readonly className?: string;
  /** Widths of the first pane in pixels. */
  readonly initial: number;
  readonly min: number;
  readonly max: number;
  readonly first: ComponentChildren;
  readonly second: ComponentChildren;
}

const STEP = 16;

/** Two panes beside each other with a handle between them, for pointer and arrow keys. A double click restores the width. */
export function Split({ name, label, className = '', initial, min, max, first, second }: SplitProps): VNode {
  const [width, setWidth] = useState(() =>
    readStored<number>(`pane.${name}`, initial, (value) => typeof value === 'number' && value >= min && value <= max),
  );
  const resize = (next: number) => {
    const limited = Math.round(Math.min(Math.max(next, min), max));
    setWidth(limited);
    writeStored(`pane.${name}`, limited);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowLeft: width - STEP, ArrowRight: width + STEP, Home: min, End: max }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    resize(next);
  };
  return (
    <div class={`split ${className}`} style={{ '--pane': `${width}px` }}>
      {first}
      <div
        class="split-handle"
        role="separator"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={label}
        aria-valuenow={width}
        aria-valuemin={min}
        aria-valuemax={max}
        onKeyDown={onKeyDown}
        onDblClick={() => resize(initial)}
        onPointerDown={(event) => {
          event.preventDefault();
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={(event) => {
          const handle = event.currentTarget;
          if (!handle.hasPointerCapture(event.pointerId)) return;
          const left = handle.parentElement?.getBoundingClientRect().left ?? 0;
          resize(event.clientX - left);
        }}
      />
      {second}
    </div>
  );
}
