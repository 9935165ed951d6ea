import type { TextCounter } from './summarise-turns.ts';

/**
 * The parts of a summary, in the order in which they are written. `Background` has no heading: it is what comes first.
 * `Ran` are commands of which nobody said how they ended, proposed ones among them.
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

/** A part of a summary. */
export type Section = (typeof SECTIONS)[number];

/** A line that may go into a summary. */
export interface SummaryLine {
  readonly section: Section;
  readonly text: string;
  /** How likely it is to be needed again, 0 to 1. */
  readonly value: number;
  /** Where it was last said: a turn, or less than 0 for what is older than the turns. */
  readonly turn: number;
}

/** What a part may take of the budget before all others had their share. */
const SHARES: readonly (readonly [Section, number])[] = [
  ['Background', 0.33],
  ['Asked', 0.16],
  ['Failed → solved', 0.08],
  ['Still failing', 0.06],
  ['Decisions', 0.1],
  ['Figures', 0.05],
  ['Worked', 0.1],
  ['Files', 0.1],
];
/** Parts whose lines are many and are needed letter by letter: those that are best for their length go in. */
const LISTS: ReadonlySet<Section> = new Set(['Files', 'Worked', 'Ran', 'Failed → solved', 'Still failing']);
/** A line costs more than its text: a dash and a line break. */
const LINE_TOKENS = 3;
/** What could move a cursor or begin a new line. */
const CONTROL = /[\0-\x08\n-\x1f\x7f]/;
const CONTROL_ALL = /[\0-\x08\n-\x1f\x7f]+/g;
/** Notes that are weighed at all. */
const MAX_LINES = 2_000;
/** What is found twice is needed more likely. */
const REPEAT_FACTOR = 1.5;

interface CostedLine {
  readonly note: SummaryLine;
  readonly tokens: number;
}

/**
 * The text of a summary: the notes that are worth most, within the budget, under their headings. Empty when nothing fits.
 */
export function renderSummary(
  notes: readonly SummaryLine[],
  budgetTokens: number,
  counter: TextCounter,
): string {
  const page = new SummaryBuilder(budgetTokens, counter);
  const byValue = mergeDuplicates(notes)
    .toSorted((one, other) => other.value - one.value)
    .slice(0, MAX_LINES)
    .map((note) => ({ note, tokens: counter.count(note.text) + LINE_TOKENS }));
  const byWorth = byValue.toSorted((one, other) => relevancePerToken(other) - relevancePerToken(one));
  for (const [section, share] of SHARES) {
    let left = share * budgetTokens;
    for (const { note, tokens } of LISTS.has(section) ? byWorth : byValue) {
      if (note.section === section && tokens <= left && page.add(note)) left -= tokens;
    }
  }
  for (const { note } of byWorth) if (LISTS.has(note.section)) page.add(note);
  for (const { note } of byWorth) page.add(note);
  return page.fitted();
}

function relevancePerToken({ note, tokens }: CostedLine): number {
  return note.value / tokens;
}

/** Each note once, where it was worth most. */
function mergeDuplicates(notes: readonly SummaryLine[]): SummaryLine[] {
  const kept = new Map<string, SummaryLine>();
  for (const given of notes) {
    const note = CONTROL.test(given.text) ? { ...given, text: given.text.replace(CONTROL_ALL, ' ') } : given;
    const known = kept.get(note.text);
    if (known === undefined) kept.set(note.text, note);
    else {
      const [best, other] = known.value < note.value ? [note, known] : [known, note];
      const isCarried = best.turn < 0 !== other.turn < 0;
      kept.set(note.text, isCarried ? { ...best, value: Math.min(0.99, best.value * REPEAT_FACTOR) } : best);
    }
  }
  return [...kept.values()];
}

class SummaryBuilder {
  readonly #budget: number;
  readonly #counter: TextCounter;
  /** In the order in which they were chosen. */
  readonly #notes: SummaryLine[] = [];
  readonly #headings = new Set<Section>();
  #tokens = 0;

  constructor(budget: number, counter: TextCounter) {
    this.#budget = budget;
    this.#counter = counter;
  }

  /** False when there is no room for the note, or it is said already. */
  add(note: SummaryLine): boolean {
    if (this.#notes.some(({ section, text }) => section === note.section && text.includes(note.text)))
      return false;
    const heading = this.#headings.has(note.section) ? 0 : this.#counter.count(`${note.section}:\n`);
    const cost = heading + this.#counter.count(`- ${note.text}\n`);
    if (this.#tokens + cost > this.#budget) return false;
    this.#tokens += cost;
    this.#headings.add(note.section);
    this.#notes.push(note);
    return true;
  }

  /** The text; what was chosen last is left out if the whole is more than the sum of its parts. */
  fitted(): string {
    for (;;) {
      const text = SECTIONS.flatMap((section) => this.#sectionText(section)).join('\n');
      if (this.#notes.length === 0 || this.#counter.count(text) <= this.#budget) return text;
      this.#notes.pop();
    }
  }

  #sectionText(section: Section): string[] {
    const notes = this.#notes.filter((note) => note.section === section);
    if (notes.length === 0) return [];
    if (section === 'Background') return notes.toSorted(byTurn).map(({ text }) => text);
    const sorted =
      section === 'Asked' ? notes.toSorted(byTurn) : notes.toSorted((one, other) => other.value - one.value);
    return [`${section}:`, ...sorted.map(({ text }) => `- ${text}`)];
  }
}

function byTurn(one: SummaryLine, other: SummaryLine): number {
  return one.turn - other.turn;
}
