import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type VirtualItem,
  Virtualizer,
} from '@tanstack/virtual-core';
import type { ComponentChild, VNode } from 'preact';
import { useLayoutEffect, useReducer, useRef } from 'preact/hooks';

/** A list that renders only its visible rows. */
interface VirtualListProps {
  /** Accessible name. */
  readonly label: string;
  readonly count: number;
  /** About how high a row is until it is measured. The same for all: a row whose estimate changes would move all below it. */
  readonly estimate: number;
  readonly keyOf: (index: number) => string | number;
  readonly row: (index: number) => ComponentChild;
  /** A list with the same id is restored at the same scroll position. */
  readonly positionId: string;
  /** The first visible row when there is no stored position. */
  readonly firstRow?: number;
  /** A row to scroll to. Each request is handled once, also when the list is restored. */
  readonly target?: Target | undefined;
  /** All rows have the height `estimate`, and need not be measured. */
  readonly hasFixedHeight?: boolean;
  /** How many rows were inserted above the visible ones so far; the list keeps its position. */
  readonly shift?: number;
  /** Scrolls along with rows that are appended while the end is visible. */
  readonly isFollowing?: boolean;
  readonly onScroll?: (firstRow: number, lastRow: number) => void;
  readonly onRender?: (container: HTMLElement) => void;
}

interface Target {
  readonly row: number;
  readonly align: 'auto' | 'center';
  /** Changes with each request. */
  readonly request: number;
}

type ListVirtualizer = Virtualizer<HTMLDivElement, HTMLDivElement>;
/** Rows that are rendered beyond each edge, for fast scrolling. */
const OVERSCAN = 12;
/** A list that is scrolled this close to its end, in pixels, counts as at its end. */
const END_THRESHOLD = 32;

export function VirtualList(props: VirtualListProps): VNode {
  const { label, count, keyOf, row, target } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const handled = useRef(scrollPositions.get(props.positionId)?.request);
  const virtualizer = useVirtualizer(props, scroller, handled);
  const items = virtualizer.getVirtualItems();
  useLayoutEffect(() => {
    if (target === undefined || target.row < 0 || target.request === handled.current) return;
    // A list that is not displayed cannot be scrolled, but the virtualizer would try again with every frame.
    if (scroller.current?.clientHeight === 0) return;
    handled.current = target.request;
    virtualizer.scrollToIndex(target.row, { align: target.align });
  }, [target]);
  useShift(props, virtualizer);
  useLayoutEffect(() => {
    if (scroller.current !== null) props.onRender?.(scroller.current);
  });
  const measure = (element: HTMLDivElement | null) => virtualizer.measureElement(element);
  return (
    <div class="virtual" ref={scroller} role="region" aria-label={label} tabIndex={0} data-count={count}>
      <div
        role="list"
        class={`virtual-whole${props.hasFixedHeight === true ? ' is-even' : ''}`}
        style={{ height: `${virtualizer.getTotalSize()}px` }}
      >
        {items.map(({ index, start }) => (
          <div
            key={keyOf(index)}
            role="listitem"
            class="virtual-row"
            data-index={index}
            ref={props.hasFixedHeight === true ? null : measure}
            style={{ transform: `translateY(${start}px)` }}
          >
            {row(index)}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Keeps the visible rows in place when rows are inserted above them. */
function useShift({ shift = 0, estimate }: VirtualListProps, virtualizer: ListVirtualizer): void {
  const before = useRef(shift);
  useLayoutEffect(() => {
    const rows = shift - before.current;
    before.current = shift;
    const offset = virtualizer.scrollOffset ?? 0;
    if (rows !== 0) virtualizer.scrollToOffset(Math.max(offset + rows * estimate, 0));
  }, [shift]);
}

/** Whether the end of the list is visible and its last row is measured. */
function isAtEnd(virtualizer: ListVirtualizer): boolean {
  const { count, getItemKey } = virtualizer.options;
  return count > 0 && virtualizer.itemSizeCache.has(getItemKey(count - 1)) && virtualizer.isAtEnd(END_THRESHOLD);
}

function useVirtualizer(
  props: VirtualListProps,
  scroller: { readonly current: HTMLDivElement | null },
  handled: { readonly current: number | undefined },
): ListVirtualizer {
  const [, render] = useReducer((times: number) => times + 1, 0);
  const current = useRef<{ readonly id: string; readonly virtualizer: ListVirtualizer } | null>(null);
  const { positionId: id } = props;
  const options = {
    count: props.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => props.estimate,
    getItemKey: props.keyOf,
    overscan: OVERSCAN,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: ({ range }: ListVirtualizer) => {
      if (range !== null) props.onScroll?.(range.startIndex, range.endIndex);
      render(undefined);
    },
  };
  if (current.current?.id !== id) {
    const stored = scrollPositions.get(id);
    const first = { initialOffset: stored?.offset ?? (props.firstRow ?? 0) * props.estimate };
    const measured = stored === undefined ? {} : { initialMeasurementsCache: stored.measurements };
    current.current = {
      id,
      virtualizer: new Virtualizer<HTMLDivElement, HTMLDivElement>({ ...options, ...first, ...measured }),
    };
  }
  const { virtualizer } = current.current;
  const isFollowing = props.isFollowing === true && isAtEnd(virtualizer);
  virtualizer.setOptions({
    ...virtualizer.options,
    ...options,
    anchorTo: isFollowing ? 'end' : 'start',
    followOnAppend: isFollowing,
    scrollEndThreshold: END_THRESHOLD,
  });
  useLayoutEffect(() => {
    const unmount = virtualizer._didMount();
    return () => {
      const offset = virtualizer.scrollOffset ?? 0;
      const measurements = virtualizer.takeSnapshot();
      const request = handled.current;
      scrollPositions.set(id, { offset, measurements, ...(request === undefined ? {} : { request }) });
      unmount();
    };
  }, [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
}

/** The scroll position of a list, with the heights of its rows. */
interface ScrollPosition {
  readonly offset: number;
  readonly measurements: VirtualItem[];
  /** The last request that was handled. */
  readonly request?: number;
}

const MAX_POSITIONS = 20;

/** The positions of the lists that were shown last. */
class ScrollPositions {
  readonly #positions = new Map<string, ScrollPosition>();

  get(id: string): ScrollPosition | undefined {
    return this.#positions.get(id);
  }

  set(id: string, position: ScrollPosition): void {
    this.#positions.delete(id);
    this.#positions.set(id, position);
    const oldest = this.#positions.keys().next().value;
    if (this.#positions.size > MAX_POSITIONS && oldest !== undefined) this.#positions.delete(oldest);
  }
}

const scrollPositions: ScrollPositions = new ScrollPositions();
