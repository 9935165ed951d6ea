import { commandsInProse } from './command-line.ts';
import type { Mark } from './mark.ts';

const LONGEST = 2_000;
const SENTENCE_END = /(?<=[.!?]["'”)]?)\s+(?=[A-Z`"'(])/;
const FAILED =
  /\b(?:fails?|failed|failing|broke|breaks|crash(?:es|ed)|does(?:n't| not) (?:work|pass|compile)|did(?:n't| not) (?:work|pass)|(?:got|gives|gave|get|with|threw|throws|hit)\s+(?:an?\s+|the\s+)?["'“`]?(?:\w*[Ee]rror|exception))\b/i;
const WORKED =
  /\b(?:pass(?:es|ed)?|succeed(?:s|ed)|works|worked|went well|goes through|is green|are green|all green|no errors)\b/i;
const AGAIN = /\b(?:again|now|this time|afterwards|re-?r[au]n)\b/i;
/** What went wrong, between quotes or at the end of the sentence. */
const QUOTED_ERROR = /["“`]([^"”`]{4,300}?)["”`]/g;
const NAMED_ERROR = /\b((?:\w*Error|\w*Exception|error\[?\w*\]?|fatal|panic):\s[^"”`]{3,300})/;
const TELLING =
  /error|fail|exception|refused|denied|not found|cannot|undefined|expected|missing|panic|fatal/i;

/**
 * What a line of prose says of commands: those between back-ticks, and whether they worked. A later sentence that says it
 * works now is another run of `last`, the command that was spoken of before.
 */
export function marksOfProse(line: string, last = ''): Mark[] {
  const marks: Mark[] = [];
  let command = last;
  for (const sentence of line.slice(0, LONGEST).split(SENTENCE_END)) {
    const quoted = commandsInProse(sentence);
    for (const text of quoted) marks.push({ type: 'command', text, spoken: true });
    const failed = FAILED.test(sentence);
    const worked = WORKED.test(sentence);
    command = quoted.at(-1) ?? command;
    if (command === '' || failed === worked) continue;
    if (quoted.length === 0 && !(worked && AGAIN.test(sentence))) continue;
    if (quoted.length === 0) marks.push({ type: 'command', text: command, spoken: true });
    const error = failed ? errorIn(sentence, quoted) : undefined;
    if (error !== undefined) marks.push({ type: 'output', line: error });
    marks.push({ type: 'verdict', failed });
  }
  return marks;
}

function errorIn(sentence: string, commands: readonly string[]): string | undefined {
  const quoted = [...sentence.matchAll(QUOTED_ERROR)].map(([, text = '']) => text.trim());
  const error = quoted.find((text) => TELLING.test(text) && !commands.includes(text));
  return error ?? NAMED_ERROR.exec(sentence)?.[1]?.replace(/[.\s]+$/, '');
}
