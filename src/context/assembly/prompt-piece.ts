import type { MarkKey } from '../cache/placement.ts';
import type { CachedTier } from '../cache/tier.ts';
import type { ContentBlock, PromptMessage } from './prompt-message.ts';

/** A block of a prompt, in the order in which it is sent, before it is decided which blocks carry a cache marker. */
export interface PromptPiece {
  readonly role: PromptMessage['role'];
  readonly block: ContentBlock;
  /** What ends with it, if anything. */
  readonly key?: MarkKey;
  /** The cached tier it belongs to. */
  readonly tier?: CachedTier;
  /** Is it in the same message as the piece before? */
  readonly joins?: true;
}

/** Messages of pieces, with markers on those whose index is in `marked`. A message of one plain text is a string. */
export function toMessages(pieces: readonly PromptPiece[], marked: ReadonlySet<number>): PromptMessage[] {
  const messages: { role: PromptMessage['role']; content: ContentBlock[] }[] = [];
  for (const [index, { role, block, joins }] of pieces.entries()) {
    const content =
      block.type === 'text' && marked.has(index) ? { ...block, cacheMarker: true as const } : block;
    const last = messages.at(-1);
    if (joins && last !== undefined) last.content.push(content);
    else messages.push({ role, content: [content] });
  }
  return messages.map(({ role, content }) => {
    const [only] = content;
    const isPlain = content.length === 1 && only?.type === 'text' && !only.cacheMarker;
    return { role, content: isPlain ? only.text : content };
  });
}
