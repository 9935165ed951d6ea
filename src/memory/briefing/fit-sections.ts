/** A part of a briefing: a heading and lines below it, the most useful first. */
export interface Section {
  /** Empty for lines that stand alone. */
  readonly heading: string;
  readonly lines: readonly string[];
  /** Lines that come before the other sections' further lines; the rest only where there is room. */
  readonly first: number;
}

/**
 * The sections as text of at most `limit` characters below `title`: whole lines only, in the order of the
 * sections. First every section gets its first lines, then the rest. Empty when no line fits.
 */
export function fitSections(title: string, sections: readonly Section[], limit: number): string {
  let room = limit - title.length;
  const taken = sections.map(() => 0);
  for (const round of ['first', 'rest'] as const) {
    for (const [index, { heading, lines, first }] of sections.entries()) {
      const end = round === 'first' ? Math.min(first, lines.length) : lines.length;
      for (let at = taken[index] ?? 0; at < end; at++) {
        const line = lines[at] ?? '';
        const cost = line.length + 1 + (at === 0 && heading !== '' ? heading.length + 1 : 0);
        if (cost > room) break;
        room -= cost;
        taken[index] = at + 1;
      }
    }
  }
  const text = sections.flatMap(({ heading, lines }, index) => {
    const kept = lines.slice(0, taken[index]);
    return kept.length === 0 || heading === '' ? kept : [heading, ...kept];
  });
  return text.length === 0 ? '' : [title, ...text].join('\n');
}
