import type { VNode } from 'preact';
import type { Snippet } from '../../../src/server/rpc/api.ts';
import { cleanText } from './clean-text.ts';

/** A piece of text with what matched in it. */
export function MarkedSnippet({
  snippet,
  isCommand = false,
}: {
  readonly snippet: Snippet;
  /** What was done rather than what was said. */
  readonly isCommand?: boolean;
}): VNode {
  const parts: (VNode | string)[] = [];
  let end = 0;
  for (const [from, to] of snippet.marks) {
    parts.push(cleanText(snippet.text.slice(end, from)));
    parts.push(<mark key={from}>{cleanText(snippet.text.slice(from, to))}</mark>);
    end = to;
  }
  parts.push(cleanText(snippet.text.slice(end)));
  return <bdi class={`snippet${isCommand ? ' command' : ''}`}>{parts}</bdi>;
}
