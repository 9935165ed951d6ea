import { clearOrClose, isBrowserShown, rowCount, selectedRow, selectRow } from '../history/browser-store.ts';
import { READER_KEYS } from '../reader/reader-store.ts';
import { navigate, route } from '../router/router.ts';
import { ACTIONS, PAGE_ACTIONS } from './actions.ts';
import { PALETTE_KEY } from './navigation.tsx';
import { overlay, toggleOverlay } from './overlays.tsx';

/** Undoes the last change on the overview and the memory page. */
export const UNDO_KEY = 'z';

/** The keyboard shortcuts, as `?` lists them. */
export const KEYS: readonly (readonly [keys: string, action: string])[] = [
  [PALETTE_KEY, 'Jump to a project, session, file, page or action'],
  ['/', 'Search'],
  ['j, k', 'Next or previous row'],
  ['Enter', 'Open the row, or send the message'],
  ...READER_KEYS,
  ['Escape', 'Clear the search, then close what is open'],
  ['↑, ↓', 'Earlier or later prompt, or search result'],
  [UNDO_KEY, 'Undo the last edit, pin or dismissal'],
  ...PAGE_ACTIONS.map(({ keys, title }) => [keys, `Go to ${title}`] as const),
  ...ACTIONS.map(({ keys, title }) => [keys, title] as const),
];

const CHORD_MS = 1_000;
let undo: (() => Promise<void>) | undefined;
let chordAt = 0;

/** Handles the keyboard shortcuts of the page. */
export function startKeyboard(): void {
  addEventListener('keydown', (event) => {
    if (isPaletteKey(event)) {
      event.preventDefault();
      toggleOverlay('palette');
      return;
    }
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (handleKey(event.key, event.target)) event.preventDefault();
  });
}

function isPaletteKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey && !shiftKey;
}

/** Calls `run` for {@link UNDO_KEY}, until the returned function is called. */
export function onUndoKey(run: (() => Promise<void>) | undefined): () => void {
  undo = run;
  return () => {
    undo = undefined;
  };
}

/** Returns whether the key was handled. */
function handleKey(key: string, target: EventTarget | null): boolean {
  if (key === 'Escape') return leave(target);
  if (overlay.value !== 'none') {
    if (key !== '?' || isTyping(target)) return false;
    toggleOverlay('keys');
    return true;
  }
  const isSearchBox = target instanceof HTMLElement && target.matches('[data-search]');
  if (isSearchBox && isBrowserShown.value) return moveByArrow(key);
  if (isTyping(target)) return false;
  if (Date.now() - chordAt < CHORD_MS && endChord(key)) return true;
  if (key === 'g') chordAt = Date.now();
  if (key === '/') focusSearch();
  else if (key === 'j') return move(1);
  else if (key === 'k') return move(-1);
  else if (key === 'Enter') return openRow(target);
  else if (key === UNDO_KEY) void undo?.();
  else return runAction(key);
  return true;
}

function runAction(keys: string): boolean {
  const action = [...PAGE_ACTIONS, ...ACTIONS].find((each) => each.keys === keys);
  action?.run();
  return action !== undefined;
}

/** Handles the key after `g`. */
function endChord(key: string): boolean {
  chordAt = 0;
  return runAction(`g ${key}`);
}

function leave(target: EventTarget | null): boolean {
  if (overlay.value !== 'none') overlay.value = 'none';
  else if (isBrowserShown.value) clearOrClose();
  else if (target instanceof HTMLElement && target !== document.body) target.blur();
  return true;
}

/** Focuses the search box of the page. The chat opens the history browser instead; other pages go to the search. */
function focusSearch(): void {
  const box = document.querySelector<HTMLInputElement>('[data-search]');
  if (box === null) navigate(route.value.page === 'chat' ? { isBrowsing: true } : { page: 'search' });
  box?.focus();
  box?.select();
}

function moveByArrow(key: string): boolean {
  if (key === 'ArrowDown') return move(1);
  if (key === 'ArrowUp') return move(-1);
  if (key === 'Enter' && selectedRow.value >= 0) {
    selectRow(selectedRow.value);
    return true;
  }
  return false;
}

function move(step: 1 | -1): boolean {
  if (!isBrowserShown.value) return moveFocus(step);
  selectedRow.value = Math.max(0, Math.min(selectedRow.value + step, rowCount() - 1));
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
  if (isControl || !isBrowserShown.value || selectedRow.value < 0 || route.value.page === 'search') return false;
  selectRow(selectedRow.value);
  return true;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input:not([type=checkbox]), textarea, select');
}
