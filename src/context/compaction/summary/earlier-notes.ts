import { oneLine } from '../../../memory/one-line.ts';
import { type Note, SECTIONS, type Section } from './note.ts';

const MOST_NOTES = 500;
const LONGEST = 400;
/** What was worth keeping once is worth it again, the less the further down it stood. */
const FIRST_VALUE = 0.5;
const LAST_VALUE = 0.15;

/** The lines of an earlier summary, to be weighed against what happened since. */
export function earlierNotes(text: string): Note[] {
  const found: { section: Section; text: string }[] = [];
  let section: Section = 'Background';
  for (const line of text.split('\n', MOST_NOTES)) {
    const heading = SECTIONS.find((name) => line === `${name}:`);
    if (heading !== undefined) section = heading;
    else if (line.trim() !== '') found.push({ section, text: noteText(line) });
  }
  return found.map((note, index) => ({
    ...note,
    value: valueAt(index, found.length),
    turn: index - found.length,
  }));
}

/** A summary that somebody else wrote, as lines that come first. */
export function backgroundNotes(text: string): Note[] {
  const sentences = text
    .slice(0, 20_000)
    .split(/\n+|(?<=[.!?])\s+(?=\p{Lu})/u)
    .map((sentence) => oneLine(sentence, LONGEST))
    .filter((sentence) => sentence !== '');
  return sentences.map((sentence, index) => ({
    section: 'Background',
    text: sentence,
    value: valueAt(index, sentences.length),
    turn: index,
  }));
}

function noteText(line: string): string {
  return (line.startsWith('- ') ? line.slice(2) : line).slice(0, LONGEST).trim();
}

function valueAt(index: number, count: number): number {
  return FIRST_VALUE - ((FIRST_VALUE - LAST_VALUE) * index) / count;
}
