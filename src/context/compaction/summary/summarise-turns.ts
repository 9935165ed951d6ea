import type { Turn } from '../../turns/turn.ts';
import { backgroundNotes, earlierNotes } from './earlier-notes.ts';
import { findSightings } from './find-sightings.ts';
import { fitNotes } from './fit-notes.ts';
import { rankNotes } from './rank-notes.ts';
import type { SummaryOptions, TextCounter } from './summariser.ts';
import { earlierSummary } from './summary-pair.ts';

const BUDGET_TOKENS = 500;
const ROUGH: TextCounter = { count: (text) => Math.ceil(text.length / 4) };

/**
 * Summarises turns without a model, by what they say literally: what was asked, files that were changed, commands that
 * worked, errors and whether they were solved, decisions, figures. What is most likely to be needed again comes first.
 * Where the turns begin with the summary of an earlier compaction, its lines are weighed with the others.
 */
export function summariseTurns(turns: readonly Turn[], options: SummaryOptions = {}): string {
  const { budgetTokens = BUDGET_TOKENS, counter = ROUGH, background = '' } = options;
  const earlier = earlierSummary(turns);
  const notes = [
    ...backgroundNotes(background),
    ...earlierNotes(earlier?.text ?? ''),
    ...rankNotes(findSightings(turns.slice(earlier?.turns ?? 0))),
  ];
  return fitNotes(notes, budgetTokens, counter);
}
