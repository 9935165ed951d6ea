import { effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals';
import type { SessionFindings, SessionOutline } from '../../../src/server/rpc/api.ts';
import { isBrowserShown, selectSession } from '../history/browser-store.ts';
import { matchRow, openSession, visibleRows } from '../history/open-session.ts';
import { route } from '../router/router.ts';
import { server } from '../rpc/server.ts';
import { debounce } from '../shell/timing.ts';

/** The outline of the session that is shown, with the session it belongs to. */
interface ShownOutline {
  readonly key: string;
  readonly outline: SessionOutline;
}

const shownOutline = signal<ShownOutline | undefined>(undefined);

/** The outline of the session that is shown; undefined until it is loaded. */
export const outline: ReadonlySignal<ShownOutline | undefined> = shownOutline;

/** Whether the outline is shown where there is no room beside the session. */
export const isOutlineOpen: Signal<boolean> = signal(false);

/** Ids of the calls whose details are shown. They stay open when they are scrolled out of view. */
const opened = signal<ReadonlySet<string>>(new Set());
export const openedCalls: ReadonlySignal<ReadonlySet<string>> = opened;

/** Shows or hides the details of a call. */
export function toggleCall(id: string, isOpen = !opened.peek().has(id)): void {
  const others = [...opened.peek()].filter((other) => other !== id);
  opened.value = new Set(isOpen ? [...others, id] : others);
}

/** The record that gets the focus when it is shown. */
const focusWanted = signal('');
export const wantedFocus: ReadonlySignal<string> = focusWanted;

/** The last jump, until its record is visible: rows are scrolled, and may have to be loaded, after the key was pressed. */
let jump: { readonly id: string; readonly row?: number | undefined } | undefined;

/** Scrolls to a record of the session that is shown, and focuses it. Its row, if it is known, need not be loaded yet. */
export function jumpTo(id: string, row?: number): void {
  const shown = openSession.peek();
  if (shown === undefined) return;
  focusWanted.value = id;
  jump = { id, row };
  isOutlineOpen.value = false;
  selectSession(shown.id, shown.project, id);
}

/** To be called when the record that was jumped to has the focus. */
export function endFocus(): void {
  focusWanted.value = '';
  // It may have been visible already; else the list tells of its new rows before the next frame.
  requestAnimationFrame(endJump);
}

/** To be called when other rows are visible: a jump ends where its record is. */
export function endJump(): void {
  if (isVisible(matchedRow())) jump = undefined;
}

function matchedRow(): number {
  const shown = openSession.peek();
  return shown === undefined ? -1 : matchRow(shown, route.peek().browser.match);
}

function isVisible(row: number): boolean {
  const { first, last } = visibleRows();
  return row >= first && row <= last;
}

/** The row that the reader is at: the one that was jumped to until it is scrolled out of view, else the first visible one. */
function currentRow(): number {
  const matched = matchedRow();
  if (isVisible(matched)) return matched;
  const target = jump?.id === route.peek().browser.match ? (matched < 0 ? jump.row : matched) : undefined;
  return target ?? visibleRows().first - 1;
}

/** Jumps to the next or previous prompt or failure; at the end, it stays. Returns whether there is one. */
function jumpBy(list: 'prompts' | 'failures', step: 1 | -1): boolean {
  const anchors = shownOutline.peek()?.outline[list] ?? [];
  const from = currentRow();
  const next = step === 1 ? anchors.find(({ row }) => row > from) : anchors.findLast(({ row }) => row < from);
  // After the last failure comes the first: there is no key for the previous one.
  const target = next ?? (list === 'failures' ? anchors[0] : undefined);
  if (target !== undefined) jumpTo(target.id, target.row);
  return anchors.length > 0;
}

/** The search within the session that is shown. */
export interface FindState {
  readonly query: string;
  /** Undefined until the server has answered. */
  readonly findings?: SessionFindings;
  /** Index of the record that is shown; -1 before the first. */
  readonly at: number;
}

const find = signal<FindState | undefined>(undefined);

/** Undefined while the search box is closed. */
export const findState: ReadonlySignal<FindState | undefined> = find;

/** Opens the search box. */
export function openFind(): void {
  find.value ??= { query: '', at: -1 };
}

/** Closes the search box. */
export function closeFind(): void {
  find.value = undefined;
}

const findSoon = debounce((query: string) => void runFind(query), 150);

/** Searches for a text as it is typed. */
export function setFindQuery(query: string): void {
  find.value = { query, at: -1 };
  if (query === '') findSoon.cancel();
  else findSoon.later(query);
}

async function runFind(query: string): Promise<void> {
  const shown = openSession.peek();
  if (shown === undefined) return;
  const findings = await server
    .call('history.findInSession', { id: shown.id, ...ofProject(shown.project), query })
    .catch(() => ({ matches: [], total: 0 }));
  if (find.peek()?.query !== query || openSession.peek()?.id !== shown.id) return;
  const { first } = visibleRows();
  const next = findings.matches.findIndex(({ row }) => row >= first);
  find.value = { query, findings, at: -1 };
  if (findings.matches.length > 0) showMatch(Math.max(next, 0));
}

/** Goes to the next or previous record that contains the text; after the last one, to the first. */
export function stepFind(step: 1 | -1): void {
  const { findings, at = -1 } = find.peek() ?? {};
  const count = findings?.matches.length ?? 0;
  if (count > 0) showMatch((at + step + count) % count);
}

function showMatch(at: number): void {
  const shown = openSession.peek();
  const state = find.peek();
  const match = state?.findings?.matches[at];
  if (shown === undefined || state === undefined || match === undefined) return;
  find.value = { ...state, at };
  toggleCall(match.id, true);
  selectSession(shown.id, shown.project, match.id);
}

function ofProject(project: string): { readonly project?: string } {
  return project === '' ? {} : { project };
}

const fetchSoon = debounce(() => void fetchOutline(), 300);

async function fetchOutline(): Promise<void> {
  const shown = openSession.peek();
  if (shown?.summary === undefined) return;
  const { id, project } = shown;
  const found = await server.call('history.outline', { id, ...ofProject(project) }).catch(() => undefined);
  const now = openSession.peek();
  if (found !== undefined && now?.id === id && now.project === project) {
    shownOutline.value = { key: `${project} ${id}`, outline: found };
  }
}

/** Fetches the outline of the session that is shown, and again when it has grown. */
export function startReader(): void {
  let known = '';
  let session = '';
  effect(() => {
    const shown = isBrowserShown.value ? openSession.value : undefined;
    if (shown?.summary === undefined) return;
    const key = `${shown.project} ${shown.id}`;
    const state = `${key} ${shown.rows.total} ${shown.summary.lastActivity}`;
    if (state === known) return;
    known = state;
    untracked(() => {
      if (key === session) fetchSoon.later(undefined);
      else {
        session = key;
        find.value = undefined;
        opened.value = new Set();
        isOutlineOpen.value = false;
        fetchSoon.now(undefined);
      }
    });
  });
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.altKey || event.isComposing || !canRead()) return;
    if (handleKey(event)) event.preventDefault();
  });
}

/** Whether a session is shown, with nothing over it. */
function canRead(): boolean {
  const isCovered = document.querySelector('[role=dialog]:not(.browser), dialog[open]') !== null;
  return isBrowserShown.value && openSession.value?.summary !== undefined && !isCovered;
}

function handleKey({ key, ctrlKey, metaKey, shiftKey, target }: KeyboardEvent): boolean {
  const isTyping = target instanceof HTMLElement && target.matches('input:not([type=checkbox]), textarea, select');
  const isBox = target instanceof HTMLElement && target.matches('[data-find]');
  if ((ctrlKey || metaKey) && !shiftKey && key.toLowerCase() === 'f') {
    // A second time, the browser's own search opens.
    if (isBox) return false;
    openFind();
    document.querySelector<HTMLInputElement>('[data-find]')?.select();
    return true;
  }
  if (ctrlKey || metaKey || isTyping) return false;
  if (key === 'n') return jumpBy('prompts', 1);
  if (key === 'p') return jumpBy('prompts', -1);
  if (key === 'f') return jumpBy('failures', 1);
  return false;
}

/** The keyboard shortcuts of the reader. */
export const READER_KEYS: readonly (readonly [keys: string, action: string])[] = [
  ['n, p', 'Next or previous prompt of the session'],
  ['f', 'Next failure of the session'],
  ['Ctrl F', 'Find in the session'],
];
