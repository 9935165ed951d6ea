import { oneLine } from '../../../memory/one-line.ts';

const LONGEST_REQUEST = 160;
const LONGEST = 200;
const LOOKED_AT = 6_000;
const SHORTEST = 12;
const SENTENCE_END = /(?<=[.!?])\s+(?=[A-Z`"'])/;
const DECISION =
  /\b(?:decided|decision|chose|chosen|agreed|settled on|let's (?:use|go with|keep|stick|drop|not)|we(?:'ll| will| should| must) (?:use|keep|go with|not|never|always|stick|avoid|drop)|I(?:'ll| will) (?:use|keep|go with|stick|avoid)|instead of|rather than|must not|should not|never|always|prefer|don't|do not|make sure|from now on|the (?:cause|reason|problem|root cause) (?:is|was))\b/i;
/** A number with what it counts or names. */
const FIGURE =
  /\d[\d.,]*\s?(?:%|ms|s\b|seconds?|minutes?|min\b|[kMG]i?B\b|MB\/s|tokens?|lines?|tests?|files?|errors?|failures?|passed|failed|rows?|requests?|times|x\b|×)|\b(?:port|version|limit|timeout|v)\s?[:=]?\s?\d/i;
/** A line that somebody wrote begins like a sentence and has words in it. */
const SENTENCE = /^[\s>*#-]*(?:\*\*)?[A-Z`"'(][^|{}<>=]*$/;
/** Blocks that programs put into a prompt, and code. */
const NOT_ASKED = /<([a-z][\w-]*)>[\s\S]{0,6000}?<\/\1>|```[\s\S]{0,6000}?(?:```|$)/g;

/** What a prompt asks, as one short line: its first sentences. */
export function requestOf(content: string): string {
  const text = content.slice(0, LOOKED_AT);
  const bare = text.replace(NOT_ASKED, ' ').trim();
  return oneLine(bare === '' ? text : bare, LONGEST_REQUEST);
}

/** The decisions in a line: what was chosen, ruled out, or found to be the cause. */
export function decisionsIn(line: string): string[] {
  if (!DECISION.test(line.slice(0, 2_000)) || !SENTENCE.test(line)) return [];
  return sentencesOf(line).filter((sentence) => DECISION.test(sentence));
}

/** The sentences of a line that hold a figure with its unit. */
export function figuresIn(line: string): string[] {
  if (!FIGURE.test(line.slice(0, 2_000)) || !SENTENCE.test(line)) return [];
  return sentencesOf(line).filter((sentence) => FIGURE.test(sentence));
}

function sentencesOf(line: string): string[] {
  return line
    .slice(0, 2_000)
    .split(SENTENCE_END)
    .map((sentence) => oneLine(sentence.replace(/^[\s>*#-]+/, ''), LONGEST))
    .filter((sentence) => sentence.length >= SHORTEST && sentence.split(' ').length >= 5);
}
