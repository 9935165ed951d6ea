import { oneLine } from '../../text/one-line.ts';

const LINE_CHARACTERS = 200;
const LINES_READ = 12;
const CHARACTERS_READ = 4_000;
/** What a reply says when it reports what was done or found. */
const DECISIVE =
  /\b(?:added|changed|chose|committed|configured|created|decided|deleted|done|enabled|fixed|implemented|installed|introduced|merged|migrated|moved|now (?:uses?|works?|passes|runs)|reason|refactored|removed|renamed|replaced|resolved|rewrote|root cause|switched|updated|wrote|works now)\b/i;
const MARKUP = /^(?:[#>*+\-•✅✓\s]|\d+[.)]\s)+|[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}/gu;

/** The line of an assistant's reply that says what was done or decided; undefined when none does. */
export function replyLine(content: string): string | undefined {
  for (const line of content.slice(0, CHARACTERS_READ).split('\n', LINES_READ)) {
    if (!DECISIVE.test(line)) continue;
    const text = oneLine(line.replace(MARKUP, ''), LINE_CHARACTERS);
    if (text.split(' ').length >= 4 && !text.endsWith(':') && !text.endsWith('?')) return text;
  }
  return undefined;
}
