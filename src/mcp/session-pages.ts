import type { Attempt, Message } from '../record/index.ts';
import { safeCut } from '../text/characters.ts';
import { oneLine, safeText } from '../text/one-line.ts';

/** A message or an attempt as a page shows it. */
export interface PageEntry {
  readonly id: string;
  readonly at: string;
  readonly kind: 'message' | 'attempt';
  /** The role of a message, the outcome of an attempt. */
  readonly who: string;
  readonly text: string;
  /** How many characters of it are not shown. */
  readonly leftOut?: number;
}

/** Most characters of a page. */
const PAGE_CHARACTERS = 5000;
/** Most characters of one entry among others. */
const ENTRY_CHARACTERS = 1000;
/** What an entry costs besides its text. */
const ENTRY_OVERHEAD = 120;

/** A session in pages of bounded size. The pages of what was recorded once stay the same. */
export function pagesOf(entries: readonly (Message | Attempt)[]): readonly (readonly PageEntry[])[] {
  const pages: PageEntry[][] = [];
  let room = 0;
  for (const entry of entries) {
    const shown = shortEntry(entry);
    const size = shown.text.length + ENTRY_OVERHEAD;
    if (size > room) {
      pages.push([]);
      room = PAGE_CHARACTERS;
    }
    pages.at(-1)?.push(shown);
    room -= size;
  }
  return pages;
}

/** The number of the page, from 1, that holds an entry; undefined when none does. */
export function pageWith(pages: readonly (readonly PageEntry[])[], id: string): number | undefined {
  const index = pages.findIndex((page) => page.some((entry) => entry.id === id));
  return index < 0 ? undefined : index + 1;
}

/** One entry at full length, in pages of bounded size. */
export function entryPages(entry: Message | Attempt): readonly (readonly PageEntry[])[] {
  const text = safeText(recordedText(entry)).trim();
  const pages: PageEntry[][] = [];
  for (let start = 0; start < text.length || start === 0; ) {
    const end = safeCut(text, start + PAGE_CHARACTERS);
    const leftOut = text.length - (end - start);
    pages.push([{ ...headOf(entry), text: text.slice(start, end), ...(leftOut > 0 ? { leftOut } : {}) }]);
    start = end;
    if (text.length === 0) break;
  }
  return pages;
}

/** Long texts are not looked at to their end: what is left out of them is counted as it was recorded. */
function shortEntry(entry: Message | Attempt): PageEntry {
  const recorded = recordedText(entry);
  const text = safeText(recorded.slice(0, ENTRY_CHARACTERS * 4)).trim();
  const end = safeCut(text, ENTRY_CHARACTERS);
  const leftOut = Math.max(recorded.length - ENTRY_CHARACTERS * 4, 0) + text.length - end;
  if (leftOut === 0) return { ...headOf(entry), text };
  return { ...headOf(entry), text: `${text.slice(0, end)}…`, leftOut };
}

function headOf(entry: Message | Attempt): Omit<PageEntry, 'text'> {
  const base = { id: oneLine(entry.id, 200), at: oneLine(entry.timestamp, 40) };
  if (!isMessage(entry)) return { ...base, kind: 'attempt', who: entry.outcome };
  return { ...base, kind: 'message', who: entry.kind === 'checkpoint' ? 'summary' : entry.role };
}

function recordedText(entry: Message | Attempt): string {
  if (isMessage(entry)) {
    const files = [...(entry.files ?? []), ...(entry.filesModified ?? [])];
    return files.length === 0 ? entry.content : `${entry.content}\nfiles: ${files.join(', ')}`;
  }
  const { tool, command, path, pattern, exitCode, error, result, description } = entry;
  const what = [tool, command ?? path ?? pattern]
    .filter((part) => part !== undefined && part !== '')
    .join(': ');
  const parts = [
    exitCode === undefined || exitCode === 0 ? what : `${what} (exit ${exitCode})`,
    error,
    description === pattern ? undefined : description,
    result,
  ];
  return parts.filter((part) => part !== undefined && part !== '').join('\n');
}

function isMessage(entry: Message | Attempt): entry is Message {
  return 'role' in entry;
}
