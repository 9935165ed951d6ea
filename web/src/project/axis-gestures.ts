import { useEffect, useRef } from 'preact/hooks';
import { moved, type TimeWindow, zoomed } from './time-window.ts';

/** What is shown, what there is, and how to show something else. */
export interface AxisView {
  readonly window: TimeWindow;
  readonly whole: TimeWindow;
  readonly onWindow: (window: TimeWindow) => void;
}

/** A pointer that moved less than this has clicked. */
const CLICK_SLACK = 4;
const WHEEL_STRENGTH = 0.0022;

/** The wheel zooms where the pointer is, dragging moves, two fingers do both. Clicks get through. */
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
      onWindow(moved(window, (sideways * lines) / Math.max(width, 1), whole));
      return;
    }
    const strength = Math.exp(event.deltaY * lines * WHEEL_STRENGTH * (event.ctrlKey ? 4 : 1));
    onWindow(zoomed(window, this.#timeAt(event.clientX), strength, whole));
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
    const isDrag = this.#pointers.size > 1 || this.#travelled > CLICK_SLACK;
    // Only now: a captured pointer would not click what is under it.
    if (isDrag) this.#element.setPointerCapture(event.pointerId);
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.#pointers.set(event.pointerId, event.clientX);
    const { window, whole, onWindow } = this.#view.current;
    if (other !== undefined) {
      const [apart, now] = [Math.abs(before - other), Math.abs(event.clientX - other)];
      const middle = this.#timeAt((event.clientX + other) / 2);
      onWindow(zoomed(window, middle, Math.max(apart, 20) / Math.max(now, 20), whole));
      return;
    }
    const { width } = this.#element.getBoundingClientRect();
    if (isDrag) onWindow(moved(window, -step / Math.max(width, 1), whole));
  };

  readonly up = (event: PointerEvent): void => {
    this.#pointers.delete(event.pointerId);
  };

  readonly click = (event: MouseEvent): void => {
    if (this.#travelled <= CLICK_SLACK) return;
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
