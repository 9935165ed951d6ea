import type { VNode } from 'preact';
import { cleanText } from './format.ts';

/** Matches a text that starts like a sentence, which commands hardly do. */
const SENTENCE = /^\p{Lu}[\p{Ll}’']*[,;:]?\s+\S/u;

/** What fails or works: a command or path as code, a sentence as plain text. */
export function PatternText({ text }: { readonly text: string }): VNode {
  const clean = cleanText(text);
  return SENTENCE.test(clean) ? <strong class="sentence">{clean}</strong> : <code dir="ltr">{clean}</code>;
}

/** A sentence with `code` in it. */
export function InlineCode({ text }: { readonly text: string }): VNode {
  const parts = cleanText(text).split('`');
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 1 && index < parts.length - 1 ? <code key={index}>{part}</code> : part,
      )}
    </>
  );
}
