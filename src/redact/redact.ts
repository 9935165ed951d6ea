import { lazyScanner } from './lazy-scanner.ts';
import { compilePattern } from './pattern.ts';
import { RULES } from './rules.ts';
import type { Scan } from './scanner.ts';
import type { Span } from './span.ts';

/** Made when it is first needed: much of yore only reads. */
const scan: Scan = lazyScanner(() =>
  RULES.flatMap((rule) => {
    const find = 'find' in rule ? rule.find : compilePattern(rule);
    return rule.keywords.map((keyword) => ({ keyword, find }));
  }),
);

const MOST_PASSES = 5;

/** Texts that hold nothing more to mask, met last: what is redacted for one record is redacted again when it is written. */
let clean = new Set<string>();
const MOST_CLEAN = 64;
const SHORTEST_CLEAN = 64;
const LONGEST_CLEAN = 16_384;

/**
 * Masks secrets as `[redacted:<kind>]` and the names of home folders as `*`; what stands around them survives. A text
 * without either comes back as it is. Redacting twice changes nothing more.
 */
export function redact(text: string): string {
  if (text.length < SHORTEST_CLEAN || text.length > LONGEST_CLEAN) return redactAnew(text);
  if (clean.has(text)) return text;
  const redacted = redactAnew(text);
  noteClean(redacted);
  return redacted;
}

/** Notes that a text holds nothing more to mask: it was made of texts that were redacted. */
export function noteClean(text: string): void {
  if (text.length < SHORTEST_CLEAN || text.length > LONGEST_CLEAN) return;
  if (clean.size >= MOST_CLEAN) clean = new Set();
  clean.add(text);
}

/** The same as {@link redact} for a text that is not met again: nothing is noted. */
export function redactAnew(text: string): string {
  let current = text;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const spans = scan(current);
    if (spans.length === 0) return current;
    current = apply(current, spans);
    // A mask may bring names and values together that were apart; a home folder cannot.
    if (spans.every((span) => span.mask === '*')) return current;
  }
  return current;
}

function apply(text: string, spans: readonly Span[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const { start, end, mask } of merge(spans)) {
    pieces.push(text.slice(done, start), mask);
    done = end;
  }
  pieces.push(text.slice(done));
  return pieces.join('');
}

/** In order, without overlaps; of spans that overlap, the one whose rule knows the format names the mask. */
function merge(spans: readonly Span[]): readonly Span[] {
  const merged: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last === undefined || span.start >= last.end) {
      merged.push(span);
      continue;
    }
    const better = last.isSoft === true && span.start === last.start ? span : last;
    merged[merged.length - 1] = { ...better, start: last.start, end: Math.max(last.end, span.end) };
  }
  return merged;
}
