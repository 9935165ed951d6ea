import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { ComponentChild, VNode } from 'preact';
import { useLayoutEffect, useReducer, useRef } from 'preact/hooks';
import { type ScrollPlace, scrollPlaces } from './scroll-places.ts';

/** A list of which only what can be seen is in the document. */
export interface VirtualListProps {
  /** Name for assistive technology. */
  readonly label: string;
  readonly count: number;
  readonly estimate: number;
  readonly keyOf: (index: number) => string | number;
  readonly row: (index: number) => ComponentChild;
  /** Lists of the same name take up where the last one was left. */
  readonly place: string;
  /** Row to show first where there is no such place. */
  readonly firstRow?: number;
  /** Row to bring into view. A wish is fulfilled once: a list that is found again stays where it was left. */
  readonly target?: Target | undefined;
  /** All rows are exactly as high as `estimate`, and need not be measured. */
  readonly isEven?: boolean;
  /** So many rows have come in above what is in view since the list was made: it stays in place. */
  readonly shift?: number;
  /** When its end is in view, the list follows rows that are added there. */
  readonly isFollowing?: boolean;
  readonly onScroll?: (firstRow: number, lastRow: number) => void;
  readonly onDraw?: (container: HTMLElement) => void;
}

interface Target {
  readonly row: number;
  readonly align: 'auto' | 'center';
  readonly wish: number;
}

type ListVirtualizer = Virtualizer<HTMLDivElement, HTMLDivElement>;
/** Rows in the document beyond each edge, so that fast scrolling does not run out of them. */
const OVERSCAN = 12;
/** So near to its end, in pixels, a list is at its end. */
const AT_END = 32;

export function VirtualList(props: VirtualListProps): VNode {
  const { label, count, keyOf, row, target } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const fulfilled = useRef(scrollPlaces.get(props.place)?.wish);
  const virtualizer = useVirtualizer(props, scroller, fulfilled);
  const items = virtualizer.getVirtualItems();
  useLayoutEffect(() => {
    if (target === undefined || target.row < 0 || target.wish === fulfilled.current) return;
    fulfilled.current = target.wish;
    virtualizer.scrollToIndex(target.row, { align: target.align });
  }, [target]);
  useShift(props, virtualizer);
  useLayoutEffect(() => {
    if (scroller.current !== null) props.onDraw?.(scroller.current);
  });
  const measure = (element: HTMLDivElement | null) => virtualizer.measureElement(element);
  return (
    <div class="virtual" ref={scroller} role="region" aria-label={label} tabIndex={0} data-count={count}>
      <div
        role="list"
        class={`virtual-whole${props.isEven === true ? ' is-even' : ''}`}
        style={{ height: `${virtualizer.getTotalSize()}px` }}
      >
        {items.map(({ index, start }) => (
          <div
            key={keyOf(index)}
            role="listitem"
            class="virtual-row"
            data-index={index}
            ref={props.isEven === true ? null : measure}
            style={{ transform: `translateY(${start}px)` }}
          >
            {row(index)}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Keeps what is in view where it is when rows come in above it. */
function useShift({ shift = 0, estimate }: VirtualListProps, virtualizer: ListVirtualizer): void {
  const before = useRef(shift);
  useLayoutEffect(() => {
    const rows = shift - before.current;
    before.current = shift;
    const offset = virtualizer.scrollOffset ?? 0;
    if (rows !== 0) virtualizer.scrollToOffset(Math.max(offset + rows * estimate, 0));
  }, [shift]);
}

/** Is the end of the list in view, with rows that are as high as they are drawn? */
function isAtEnd(virtualizer: ListVirtualizer): boolean {
  const { count, getItemKey } = virtualizer.options;
  return count > 0 && virtualizer.itemSizeCache.has(getItemKey(count - 1)) && virtualizer.isAtEnd(AT_END);
}

function useVirtualizer(
  props: VirtualListProps,
  scroller: { readonly current: HTMLDivElement | null },
  fulfilled: { readonly current: number | undefined },
): ListVirtualizer {
  const [, draw] = useReducer((times: number) => times + 1, 0);
  const kept = useRef<{ readonly place: string; readonly virtualizer: ListVirtualizer } | null>(null);
  const drawOnChange = ({ range }: ListVirtualizer) => {
    if (range !== null) props.onScroll?.(range.startIndex, range.endIndex);
    draw(undefined);
  };
  const options = {
    count: props.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => props.estimate,
    getItemKey: props.keyOf,
    overscan: OVERSCAN,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: drawOnChange,
  };
  if (kept.current?.place !== props.place) {
    const place: ScrollPlace | undefined = scrollPlaces.get(props.place);
    const first = { initialOffset: place?.offset ?? (props.firstRow ?? 0) * props.estimate };
    const measured = place === undefined ? {} : { initialMeasurementsCache: place.measurements };
    kept.current = {
      place: props.place,
      virtualizer: new Virtualizer<HTMLDivElement, HTMLDivElement>({ ...options, ...first, ...measured }),
    };
  }
  const { virtualizer } = kept.current;
  const isFollowing = props.isFollowing === true && isAtEnd(virtualizer);
  virtualizer.setOptions({
    ...virtualizer.options,
    ...options,
    anchorTo: isFollowing ? 'end' : 'start',
    followOnAppend: isFollowing,
    scrollEndThreshold: AT_END,
  });
  const { place } = props;
  useLayoutEffect(() => {
    const unmount = virtualizer._didMount();
    return () => {
      const offset = virtualizer.scrollOffset ?? 0;
      const measurements = virtualizer.takeSnapshot();
      const wish = fulfilled.current;
      scrollPlaces.set(place, { offset, measurements, ...(wish === undefined ? {} : { wish }) });
      unmount();
    };
  }, [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
}
