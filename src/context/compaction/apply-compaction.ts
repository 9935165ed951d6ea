import type { Turn } from '../turns/turn.ts';
import type { Compaction } from './compaction.ts';
import { summaryPair } from './summary/summary-pair.ts';

/**
 * The history after a compaction. Turns that were added since it was made stay at the end. A history that is not the one
 * it was made of (replaced or cleared meanwhile), and `none`, give a copy of the turns as they are.
 */
export function applyCompaction(turns: readonly Turn[], compaction: Compaction): Turn[] {
  if (compaction.case === 'none' || !isMadeOf(turns, compaction)) return [...turns];
  const kept = turns.slice(compaction.removed);
  return compaction.case === 'truncate'
    ? kept
    : [...summaryPair(compaction.summary, compaction.covers), ...kept];
}

function isMadeOf(
  turns: readonly Turn[],
  compaction: Exclude<Compaction, { readonly case: 'none' }>,
): boolean {
  const first = compaction.turns[compaction.case === 'truncate' ? 0 : 2];
  const here = turns[compaction.removed];
  return (
    first !== undefined && here !== undefined && first.role === here.role && first.content === here.content
  );
}
