import { stem } from '../../text/stem.ts';
import { isStopWord } from '../../text/stop-words.ts';
import { splitWords } from '../../text/words.ts';

/**
 * The words of a text that carry its subject, in order and stemmed. The parts of a name (`readFile`, `max_size`) count
 * each, and the whole name once more.
 */
export function contentWords(text: string): string[] {
  return splitWords(text).flatMap(({ text: whole, parts, isName }) => {
    const words = parts.filter((part) => part.length > 1 && !isStopWord(part)).map(stem);
    return isName ? [...words, `#${whole}`] : words;
  });
}
