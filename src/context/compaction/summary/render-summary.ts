/** Counts the tokens of a text. */
export interface TextCounter {
  count(text: string): number;
}

/**
 * The sections of a summary, in the order in which they are written. `Background` comes first and has no heading. `Ran`
 * lists commands whose outcome is unknown, including proposed ones.
 */
export const SECTIONS = [
  'Background',
  'Asked',
  'Files',
  'Worked',
  'Ran',
  'Failed → solved',
  'Still failing',
  'Decisions',
  'Figures',
] as const;

/** The heading of a section of a summary. */
export type SummarySection = (typeof SECTIONS)[number];

/** A line that may go into a summary. */
export interface SummaryLine {
  readonly section: SummarySection;
  readonly text: string;
  /** How likely it is to be needed again, 0 to 1. */
  readonly relevance: number;
  /** The turn that last mentioned it; negative for lines of an earlier summary. */
  readonly turn: number;
}

/** The share of the budget that each section is guaranteed, in the order in which they are filled. */
const SHARES: readonly (readonly [SummarySection, number])[] = [
  ['Background', 0.33],
  ['Asked', 0.16],
  ['Failed → solved', 0.08],
  ['Still failing', 0.06],
  ['Decisions', 0.1],
  ['Figures', 0.05],
  ['Worked', 0.1],
  ['Files', 0.1],
];
/** Sections with many short, literal lines, which are chosen by relevance per token. */
const LISTS: ReadonlySet<SummarySection> = new Set(['Files', 'Worked', 'Ran', 'Failed → solved', 'Still failing']);
/** The dash and line break around the text of a line. */
const LINE_TOKENS = 3;
const CONTROL_CHARACTERS = /[\0-\x08\n-\x1f\x7f]+/g;
/** Only the most relevant lines are considered. */
const MAX_LINES = 2_000;
/** A line that is both in the earlier summary and in the new turns is more likely to be needed again. */
const REPEAT_FACTOR = 1.5;
const MAX_RELEVANCE = 0.99;

interface CostedLine {
  readonly line: SummaryLine;
  readonly tokens: number;
}

/** Renders the most relevant lines that fit into the budget under their headings. Empty when nothing fits. */
export function renderSummary(lines: readonly SummaryLine[], budgetTokens: number, counter: TextCounter): string {
  const builder = new SummaryBuilder(budgetTokens, counter);
  const byRelevance = mergeDuplicates(lines)
    .toSorted((one, other) => other.relevance - one.relevance)
    .slice(0, MAX_LINES)
    .map((line) => ({ line, tokens: counter.count(line.text) + LINE_TOKENS }));
  const byDensity = byRelevance.toSorted((one, other) => relevancePerToken(other) - relevancePerToken(one));
  for (const [section, share] of SHARES) {
    let left = share * budgetTokens;
    for (const { line, tokens } of LISTS.has(section) ? byDensity : byRelevance) {
      if (line.section === section && tokens <= left && builder.add(line)) left -= tokens;
    }
  }
  for (const { line } of byDensity) if (LISTS.has(line.section)) builder.add(line);
  for (const { line } of byDensity) builder.add(line);
  return builder.toText();
}

function relevancePerToken({ line, tokens }: CostedLine): number {
  return line.relevance / tokens;
}

/** Keeps each text once, where it is most relevant. */
function mergeDuplicates(lines: readonly SummaryLine[]): SummaryLine[] {
  const kept = new Map<string, SummaryLine>();
  for (const given of lines) {
    const text = given.text.replace(CONTROL_CHARACTERS, ' ');
    const line = text === given.text ? given : { ...given, text };
    const known = kept.get(text);
    kept.set(text, known === undefined ? line : mergeLines(known, line));
  }
  return [...kept.values()];
}

function mergeLines(known: SummaryLine, line: SummaryLine): SummaryLine {
  const [best, other] = known.relevance < line.relevance ? [line, known] : [known, line];
  const isRepeated = best.turn < 0 !== other.turn < 0;
  return isRepeated ? { ...best, relevance: Math.min(MAX_RELEVANCE, best.relevance * REPEAT_FACTOR) } : best;
}

class SummaryBuilder {
  readonly #budget: number;
  readonly #counter: TextCounter;
  /** In the order in which they were added. */
  readonly #lines: SummaryLine[] = [];
  readonly #headings = new Set<SummarySection>();
  #tokens = 0;

  constructor(budget: number, counter: TextCounter) {
    this.#budget = budget;
    this.#counter = counter;
  }

  /** Returns false when the line does not fit or its text is already included. */
  add(line: SummaryLine): boolean {
    if (this.#lines.some(({ section, text }) => section === line.section && text.includes(line.text))) return false;
    const heading = this.#headings.has(line.section) ? 0 : this.#counter.count(`${line.section}:\n`);
    const cost = heading + this.#counter.count(`- ${line.text}\n`);
    if (this.#tokens + cost > this.#budget) return false;
    this.#tokens += cost;
    this.#headings.add(line.section);
    this.#lines.push(line);
    return true;
  }

  /** The text; drops the lines added last if the whole costs more than the sum of its parts. */
  toText(): string {
    for (;;) {
      const text = SECTIONS.flatMap((section) => this.#renderSection(section)).join('\n');
      if (this.#lines.length === 0 || this.#counter.count(text) <= this.#budget) return text;
      this.#lines.pop();
    }
  }

  #renderSection(section: SummarySection): string[] {
    const lines = this.#lines.filter((line) => line.section === section);
    if (lines.length === 0) return [];
    if (section === 'Background') return lines.toSorted(byTurn).map(({ text }) => text);
    const sorted =
      section === 'Asked' ? lines.toSorted(byTurn) : lines.toSorted((one, other) => other.relevance - one.relevance);
    return [`${section}:`, ...sorted.map(({ text }) => `- ${text}`)];
  }
}

function byTurn(one: SummaryLine, other: SummaryLine): number {
  return one.turn - other.turn;
}
