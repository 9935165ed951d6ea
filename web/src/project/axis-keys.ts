import type { AxisView } from './axis-gestures.ts';
import { moved, zoomed } from './time-window.ts';

type AxisKey = KeyboardEvent & { readonly currentTarget: HTMLElement };

const STEP = 0.2;

/**
 * What keys do on the axis: `+`, `-` and `0` or Home zoom, arrows move it. Enter steps onto the first mark; there the
 * arrows go from mark to mark and from lane to lane, and Escape goes back.
 */
export function pressOnAxis(event: AxisKey, view: AxisView): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isOnAxis = event.target === event.currentTarget;
  const isDone =
    zoomByKey(event.key, view) || (isOnAxis ? moveByKey(event, view) : walk(event, event.currentTarget));
  if (isDone) event.preventDefault();
}

function zoomByKey(key: string, { window, whole, onWindow }: AxisView): boolean {
  const middle = (window.from + window.to) / 2;
  if (key === '+' || key === '=') onWindow(zoomed(window, middle, 0.5, whole));
  else if (key === '-' || key === '_') onWindow(zoomed(window, middle, 2, whole));
  else if (key === 'Home' || key === '0') onWindow(whole);
  else return false;
  return true;
}

function moveByKey({ key, currentTarget }: AxisKey, { window, whole, onWindow }: AxisView): boolean {
  if (key === 'ArrowLeft') onWindow(moved(window, -STEP, whole));
  else if (key === 'ArrowRight') onWindow(moved(window, STEP, whole));
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
