import { useEffect, useRef } from 'preact/hooks';
import { moveWindow, type TimeWindow, zoomWindow } from './time-scale.ts';

/** The visible window of the axis, all of it, and how to change the window. */
export interface AxisView {
  readonly window: TimeWindow;
  readonly whole: TimeWindow;
  readonly onWindow: (window: TimeWindow) => void;
}

/** A pointer that has moved less than this, in pixels, counts as a click. */
const MAX_CLICK_DISTANCE = 4;
const WHEEL_FACTOR = 0.0022;

/** The wheel zooms at the pointer, dragging moves, two fingers do both. Clicks still work. */
export function useAxisGestures(svg: { readonly current: SVGSVGElement | null }, view: AxisView): void {
  const latest = useRef(view);
  latest.current = view;
  useEffect(() => {
    const element = svg.current;
    if (element === null) return;
    const gestures = new Gestures(element, latest);
    const listeners: readonly (readonly [string, (event: never) => void])[] = [
      ['wheel', gestures.wheel],
      ['pointerdown', gestures.down],
      ['pointermove', gestures.move],
      ['pointerup', gestures.up],
      ['pointercancel', gestures.up],
      ['click', gestures.click],
    ];
    for (const [name, listener] of listeners)
      element.addEventListener(name, listener as EventListener, { passive: false, capture: true });
    return () => {
      for (const [name, listener] of listeners)
        element.removeEventListener(name, listener as EventListener, { capture: true });
    };
  }, []);
}

class Gestures {
  readonly #element: SVGSVGElement;
  readonly #view: { readonly current: AxisView };
  readonly #pointers = new Map<number, number>();
  #travelled = 0;

  constructor(element: SVGSVGElement, view: { readonly current: AxisView }) {
    this.#element = element;
    this.#view = view;
  }

  readonly wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const { window, whole, onWindow } = this.#view.current;
    const { width } = this.#element.getBoundingClientRect();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    const sideways = event.shiftKey ? event.deltaY : event.deltaX;
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      onWindow(moveWindow(window, (sideways * lines) / Math.max(width, 1), whole));
      return;
    }
    const strength = Math.exp(event.deltaY * lines * WHEEL_FACTOR * (event.ctrlKey ? 4 : 1));
    onWindow(zoomWindow(window, this.#timeAt(event.clientX), strength, whole));
  };

  readonly down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    if (this.#pointers.size === 0) this.#travelled = 0;
    this.#pointers.set(event.pointerId, event.clientX);
  };

  readonly move = (event: PointerEvent): void => {
    const before = this.#pointers.get(event.pointerId);
    if (before === undefined) return;
    const step = event.clientX - before;
    this.#travelled += Math.abs(step);
    const isDrag = this.#pointers.size > 1 || this.#travelled > MAX_CLICK_DISTANCE;
    // Not before: a captured pointer does not click the element under it.
    if (isDrag) this.#element.setPointerCapture(event.pointerId);
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.#pointers.set(event.pointerId, event.clientX);
    const { window, whole, onWindow } = this.#view.current;
    if (other !== undefined) {
      const [apart, now] = [Math.abs(before - other), Math.abs(event.clientX - other)];
      const middle = this.#timeAt((event.clientX + other) / 2);
      onWindow(zoomWindow(window, middle, Math.max(apart, 20) / Math.max(now, 20), whole));
      return;
    }
    const { width } = this.#element.getBoundingClientRect();
    if (isDrag) onWindow(moveWindow(window, -step / Math.max(width, 1), whole));
  };

  readonly up = (event: PointerEvent): void => {
    this.#pointers.delete(event.pointerId);
  };

  readonly click = (event: MouseEvent): void => {
    if (this.#travelled <= MAX_CLICK_DISTANCE) return;
    this.#travelled = 0;
    event.preventDefault();
    event.stopPropagation();
  };

  #timeAt(clientX: number): number {
    const { left, width } = this.#element.getBoundingClientRect();
    const { from, to } = this.#view.current.window;
    return from + ((clientX - left) / Math.max(width, 1)) * (to - from);
  }
}

type AxisKey = KeyboardEvent & { readonly currentTarget: HTMLElement };

const STEP = 0.2;

/**
 * Keys of the axis: `+`, `-`, `0` and Home zoom, arrows move. Enter focuses the first mark; from there the arrows go from
 * mark to mark and from lane to lane, and Escape returns.
 */
export function handleAxisKey(event: AxisKey, view: AxisView): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isOnAxis = event.target === event.currentTarget;
  const isDone = zoomByKey(event.key, view) || (isOnAxis ? moveByKey(event, view) : walk(event, event.currentTarget));
  if (isDone) event.preventDefault();
}

function zoomByKey(key: string, { window, whole, onWindow }: AxisView): boolean {
  const middle = (window.from + window.to) / 2;
  if (key === '+' || key === '=') onWindow(zoomWindow(window, middle, 0.5, whole));
  else if (key === '-' || key === '_') onWindow(zoomWindow(window, middle, 2, whole));
  else if (key === 'Home' || key === '0') onWindow(whole);
  else return false;
  return true;
}

function moveByKey({ key, currentTarget }: AxisKey, { window, whole, onWindow }: AxisView): boolean {
  if (key === 'ArrowLeft') onWindow(moveWindow(window, -STEP, whole));
  else if (key === 'ArrowRight') onWindow(moveWindow(window, STEP, whole));
  else if (key === 'Enter') marksIn(currentTarget)[0]?.focus();
  else return false;
  return true;
}

function walk(event: AxisKey, axis: HTMLElement): boolean {
  const { key, target } = event;
  if (!(target instanceof SVGElement)) return false;
  if (key === 'Escape') {
    axis.focus();
    return true;
  }
  const lane = target.closest<SVGElement>('g.lane');
  if (lane === null) return false;
  const step = key === 'ArrowLeft' || key === 'ArrowUp' ? -1 : 1;
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    const marks = marksIn(lane);
    marks[marks.indexOf(target) + step]?.focus();
    return true;
  }
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return false;
  const lanes = [...axis.querySelectorAll('g.lane')].filter((other) => marksIn(other).length > 0);
  const next = lanes[lanes.indexOf(lane) + step];
  if (next !== undefined) nearestTo(target, marksIn(next))?.focus();
  return true;
}

function marksIn(element: Element): readonly SVGElement[] {
  return [...element.querySelectorAll<SVGElement>('.bar, .mark')];
}

function nearestTo(mark: SVGElement, others: readonly SVGElement[]): SVGElement | undefined {
  const { left } = mark.getBoundingClientRect();
  const distance = (other: SVGElement) => Math.abs(other.getBoundingClientRect().left - left);
  return others.toSorted((a, b) => distance(a) - distance(b))[0];
}
