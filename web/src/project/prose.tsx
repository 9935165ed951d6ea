import type { VNode } from 'preact';
import { cleanText } from '../text/clean-text.ts';

/** Begins like a sentence: a command hardly does. */
const SENTENCE = /^\p{Lu}[\p{Ll}’']*[,;:]?\s+\S/u;

/** A command or path in a font of its own; a sentence like any other text. */
export function Pattern({ text }: { readonly text: string }): VNode {
  const clean = cleanText(text);
  return SENTENCE.test(clean) ? <strong class="sentence">{clean}</strong> : <code dir="ltr">{clean}</code>;
}

/** A sentence in which `commands` stand out. */
export function Prose({ text }: { readonly text: string }): VNode {
  const parts = cleanText(text).split('`');
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 1 && index < parts.length - 1 ? <code key={index}>{part}</code> : part,
      )}
    </>
  );
}
