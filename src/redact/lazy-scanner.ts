import { buildScanner, endOf, placesOf, type Scan, type Trigger } from './scanner.ts';
import type { Span } from './span.ts';

/** Texts up to this length are looked through keyword by keyword, as long as there are few of them. */
const LONGEST = 4_096;
/** Together: beyond it a table that finds all keywords at once has paid for itself. */
const MOST = 32_768;
const ASCII = /^[\0-\x7f]*$/;

/**
 * The same as {@link buildScanner}, for processes that may end soon: making its table takes longer than looking for
 * every keyword in a few short texts.
 */
export function lazyScanner(make: () => readonly Trigger[]): Scan {
  let triggers: readonly Trigger[] | undefined;
  let whole: Scan | undefined;
  let looked = 0;
  return (text) => {
    if (whole !== undefined) return whole(text);
    triggers ??= make();
    looked += text.length;
    if (text.length <= LONGEST && looked <= MOST && ASCII.test(text)) return scanShort(text, triggers);
    whole = buildScanner(triggers);
    return whole(text);
  };
}

/** A keyword in the text, by which of its two triples it is met there. */
interface Met {
  readonly at: number;
  readonly trigger: number;
  /** Where the triple ends. */
  readonly end: number;
}

/**
 * Finds what the table would: keywords are met at the ends of their triples, at every second position, and what was
 * found is not read again.
 */
function scanShort(text: string, triggers: readonly Trigger[]): readonly Span[] {
  const met = meetings(text, triggers);
  const found: Span[] = [];
  if (met.length === 0) return found;
  met.sort((one, other) => one.end - other.end || one.trigger - other.trigger);
  let from = 2;
  for (let next = 0; next < met.length; ) {
    const end = met[next]?.end ?? 0;
    let after = next;
    while (met[after]?.end === end) after++;
    if (end >= from && (end - from) % 2 === 0) {
      from = Math.max(visit(text, met.slice(next, after), triggers, found), end) + 2;
    }
    next = after;
  }
  return found;
}

function meetings(text: string, triggers: readonly Trigger[]): Met[] {
  const met: Met[] = [];
  const lower = text.toLowerCase();
  for (let trigger = 0; trigger < triggers.length; trigger++) {
    const keyword = triggers[trigger]?.keyword ?? '';
    let at = lower.indexOf(keyword);
    if (at < 0) continue;
    const places = placesOf(keyword);
    for (; at >= 0; at = lower.indexOf(keyword, at + 1)) {
      for (const place of places) {
        const end = at + place + 2;
        if (end >= 2 && end < text.length) met.push({ at, trigger, end });
      }
    }
  }
  return met;
}

/** Calls the triggers in their order. Returns the end of what they found. */
function visit(text: string, met: readonly Met[], triggers: readonly Trigger[], found: Span[]): number {
  let resume = 0;
  for (const { at, trigger } of met) {
    const before = found.length;
    triggers[trigger]?.find(text, at, found);
    if (found.length > before) resume = Math.max(resume, endOf(found, before));
  }
  return resume;
}
