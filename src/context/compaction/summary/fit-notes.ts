import { type Note, SECTIONS, type Section } from './note.ts';
import type { TextCounter } from './summariser.ts';

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
const MOST_NOTES = 2_000;
/** What is found twice is needed more likely. */
const AGAIN = 1.5;

interface WeighedNote {
  readonly note: Note;
  readonly tokens: number;
}

/**
 * The text of a summary: the notes that are worth most, within the budget, under their headings. Empty when nothing fits.
 */
export function fitNotes(notes: readonly Note[], budgetTokens: number, counter: TextCounter): string {
  const page = new Page(budgetTokens, counter);
  const byValue = distinct(notes)
    .toSorted((one, other) => other.value - one.value)
    .slice(0, MOST_NOTES)
    .map((note) => ({ note, tokens: counter.count(note.text) + LINE_TOKENS }));
  const byWorth = byValue.toSorted((one, other) => worth(other) - worth(one));
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

function worth({ note, tokens }: WeighedNote): number {
  return note.value / tokens;
}

/** Each note once, where it was worth most. */
function distinct(notes: readonly Note[]): Note[] {
  const kept = new Map<string, Note>();
  for (const given of notes) {
    const note = CONTROL.test(given.text) ? { ...given, text: given.text.replace(CONTROL_ALL, ' ') } : given;
    const known = kept.get(note.text);
    if (known === undefined) kept.set(note.text, note);
    else {
      const [best, other] = known.value < note.value ? [note, known] : [known, note];
      const isCarried = best.turn < 0 !== other.turn < 0;
      kept.set(note.text, isCarried ? { ...best, value: Math.min(0.99, best.value * AGAIN) } : best);
    }
  }
  return [...kept.values()];
}

class Page {
  readonly #budget: number;
  readonly #counter: TextCounter;
  /** In the order in which they were chosen. */
  readonly #notes: Note[] = [];
  readonly #headings = new Set<Section>();
  #tokens = 0;

  constructor(budget: number, counter: TextCounter) {
    this.#budget = budget;
    this.#counter = counter;
  }

  /** False when there is no room for the note, or it is said already. */
  add(note: Note): boolean {
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

function byTurn(one: Note, other: Note): number {
  return one.turn - other.turn;
}
