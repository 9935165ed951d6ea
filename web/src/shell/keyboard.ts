import { type Signal, signal } from '@preact/signals';
import { clearOrClose, cursor, isBrowserShown, rowCount, selectRow } from '../history/browser-store.ts';
import { navigate, route } from '../router/router.ts';

/** Whether the list of keyboard shortcuts is shown. */
export const isHelpShown: Signal<boolean> = signal(false);

/** The keyboard shortcuts, as `?` lists them. */
export const KEYS: readonly (readonly [keys: string, action: string])[] = [
  ['/', 'Search the history'],
  ['j, k', 'Next or previous row'],
  ['Enter', 'Open the row, or send the message'],
  ['Escape', 'Clear the search, then close'],
  ['↑, ↓', 'Earlier or later prompt, or search result'],
  ['g then c, h, o, t, m, s', 'Go to chat, history, overview, timeline, memory, search'],
  ['?', 'Show this list'],
];

const PAGE_KEYS = {
  c: 'chat',
  h: 'history',
  o: 'overview',
  t: 'timeline',
  m: 'memory',
  s: 'search',
} as const;
const CHORD_MS = 1_000;
let chordAt = 0;

/** Handles the keyboard shortcuts of the page. */
export function startKeyboard(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (handleKey(event.key, event.target)) event.preventDefault();
  });
}

/** Returns whether the key was handled. */
function handleKey(key: string, target: EventTarget | null): boolean {
  if (key === 'Escape') return leave(target);
  const isSearchBox = target instanceof HTMLElement && target.matches('[data-search]');
  if (isSearchBox && isBrowserShown.value) return moveByArrow(key);
  if (isTyping(target)) return false;
  if (Date.now() - chordAt < CHORD_MS && key in PAGE_KEYS) {
    chordAt = 0;
    navigate({ page: PAGE_KEYS[key as keyof typeof PAGE_KEYS], isBrowsing: false });
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

/** Focuses the search box of the page, or opens the history browser, which focuses its own. */
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

/** On other pages, `j` and `k` step through the elements with `data-row`. */
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
