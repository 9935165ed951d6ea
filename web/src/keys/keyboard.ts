import { type Signal, signal } from '@preact/signals';
import { clearOrClose, cursor, isBrowserShown, rowCount, selectRow } from '../history/browser-store.ts';
import { navigate, route } from '../router/router.ts';

/** Is the list of keys shown? */
export const isHelpShown: Signal<boolean> = signal(false);

/** What the keys do, for the list that `?` shows. */
export const KEYS: readonly (readonly [keys: string, action: string])[] = [
  ['/', 'Search the history'],
  ['j, k', 'Next, previous row'],
  ['Enter', 'Open the row; send the message'],
  ['Escape', 'Clear the search, then close'],
  ['↑, ↓', 'Earlier and later prompts, or rows while searching'],
  ['g then c, h, o, t, m, s', 'Chat, history, overview, timeline, memory, search'],
  ['?', 'This list'],
];

const PLACES = { c: 'chat', h: 'history', o: 'overview', t: 'timeline', m: 'memory', s: 'search' } as const;
const CHORD_MS = 1_000;
let chordAt = 0;

/** Listens to the keyboard for as long as the page lives. */
export function startKeyboard(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (press(event.key, event.target)) event.preventDefault();
  });
}

/** True when the key meant something. */
function press(key: string, target: EventTarget | null): boolean {
  if (key === 'Escape') return leave(target);
  const isSearchBox = target instanceof HTMLElement && target.matches('[data-search]');
  if (isSearchBox && isBrowserShown.value) return moveByArrow(key);
  if (isTyping(target)) return false;
  if (Date.now() - chordAt < CHORD_MS && key in PLACES) {
    chordAt = 0;
    navigate({ page: PLACES[key as keyof typeof PLACES], isBrowsing: false });
    return true;
  }
  if (key === 'g') chordAt = Date.now();
  if (key === '?') isHelpShown.value = !isHelpShown.value;
  else if (key === '/') focusSearch();
  else if (key === 'j') return move(1);
  else if (key === 'k') return move(-1);
  else if (key === 'Enter') return openRow(target);
  else return false;
  return true;
}

function leave(target: EventTarget | null): boolean {
  if (isHelpShown.value) isHelpShown.value = false;
  else if (isBrowserShown.value) clearOrClose();
  else if (target instanceof HTMLElement && target !== document.body) target.blur();
  return true;
}

/** The search box of the page; where there is none, the history browser opens, which focuses its own. */
function focusSearch(): void {
  const box = document.querySelector<HTMLInputElement>('[data-search]');
  if (box === null) navigate({ isBrowsing: true });
  box?.focus();
  box?.select();
}

function moveByArrow(key: string): boolean {
  if (key === 'ArrowDown') return move(1);
  if (key === 'ArrowUp') return move(-1);
  if (key === 'Enter' && cursor.value >= 0) {
    selectRow(cursor.value);
    return true;
  }
  return false;
}

function move(step: 1 | -1): boolean {
  if (!isBrowserShown.value) return moveFocus(step);
  cursor.value = Math.max(0, Math.min(cursor.value + step, rowCount() - 1));
  return true;
}

/** Other pages mark what `j` and `k` step through. */
function moveFocus(step: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  if (rows.length === 0) return false;
  const focused = document.activeElement;
  const at = focused instanceof HTMLElement ? rows.indexOf(focused) : -1;
  rows[Math.max(0, Math.min(at + step, rows.length - 1))]?.focus();
  return true;
}

function openRow(target: EventTarget | null): boolean {
  const isControl = target instanceof HTMLElement && target.closest('button, a, summary') !== null;
  if (isControl || !isBrowserShown.value || cursor.value < 0 || route.value.page === 'search') return false;
  selectRow(cursor.value);
  return true;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input:not([type=checkbox]), textarea, select');
}
