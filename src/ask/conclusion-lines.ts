import { quote } from '../text/recorded-text.ts';
import type { Conclusion } from './conclusions.ts';
import { formatDay } from './step-text.ts';

/** What a session works on: decisions about it are told first. */
export interface WorkAtHand {
  readonly branch?: string | undefined;
  readonly files: readonly string[];
}

/** The heading of the decisions and corrections that an agent is told. */
export const CONCLUSIONS_HEADING = 'Decisions and corrections:';
/** Maximum number of characters of all lines, with the heading. */
const MAX_LENGTH = 600;
const MAX_TEXT_LENGTH = 160;

/** Decisions and corrections as an agent is told them: pinned ones, then those about the work at hand, as many as fit. */
export function conclusionLines(conclusions: readonly Conclusion[], atHand: WorkAtHand): readonly string[] {
  const rank = (conclusion: Conclusion): number => (conclusion.isPinned ? 2 : isAtHand(conclusion, atHand) ? 1 : 0);
  const lines: string[] = [];
  let room = MAX_LENGTH - CONCLUSIONS_HEADING.length;
  for (const conclusion of conclusions.toSorted((a, b) => rank(b) - rank(a))) {
    const line = `- ${formatConclusion(conclusion)}`;
    if (line.length + 1 > room) continue;
    lines.push(line);
    room -= line.length + 1;
  }
  return lines;
}

function isAtHand({ text, quote: said, branch }: Conclusion, atHand: WorkAtHand): boolean {
  if (branch !== undefined && branch === atHand.branch) return true;
  return atHand.files.some((file) => {
    const name = file.split('/').at(-1) ?? file;
    return text.includes(name) || said.includes(name);
  });
}

/** What was done with the words that a statement is from, as far as that was seen: nobody is said to have decided it. */
const SEEN: Readonly<Record<Conclusion['source'], string>> = {
  answer: 'the user answered an agent',
  plan: 'a plan that the user approved',
  refusal: 'the user said, refusing a call',
  instructions: 'added to the instructions for agents at the request of the user',
  reply: 'proposed by an agent, and the user agreed',
  words: 'the user said',
};

/** A decision or correction in words, with how it came about and when. */
export function formatConclusion({ source, text, at }: Conclusion): string {
  return `${quote(text, MAX_TEXT_LENGTH)} (${SEEN[source]}, ${formatDay(at)})`;
}
