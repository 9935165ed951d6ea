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
export interface Note {
  readonly section: Section;
  readonly text: string;
  /** How likely it is to be needed again, 0 to 1. */
  readonly value: number;
  /** Where it was last said: a turn, or less than 0 for what is older than the turns. */
  readonly turn: number;
}
