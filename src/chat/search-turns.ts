import type { Turn } from '../context/turns/turn.ts';
import type { SearchResult } from '../search/index.ts';

/** What a search in a chat found: in the history, or else among the messages that the model is sent. */
export type ChatSearch =
  | { readonly source: 'history'; readonly result: SearchResult }
  | { readonly source: 'context'; readonly turns: readonly Turn[] };

/** Turns that contain a text, whatever its case; the newest first. A blank text is in none. */
export function matchingTurns(
  turns: readonly Turn[],
  text: string,
  { role, limit }: { readonly role?: Turn['role']; readonly limit?: number },
): readonly Turn[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  return turns
    .filter(
      (turn) => (role === undefined || turn.role === role) && turn.content.toLowerCase().includes(wanted),
    )
    .toReversed()
    .slice(0, limit);
}
