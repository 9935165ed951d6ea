import { once } from '../record/once.ts';
import { stem } from '../text/stem.ts';
import { isCommonWord } from '../text/stop-words.ts';
import { WordList } from '../text/word-list.ts';
import { splitWords } from '../text/words.ts';

/** What a statement is about, as stems. */
interface About {
  readonly words: ReadonlySet<string>;
  /** What something is used for: "SQLite for the index". */
  readonly purpose: ReadonlySet<string>;
  /** What it decides against: "pnpm instead of npm". */
  readonly rejected: ReadonlySet<string>;
}

/** Stems that say what is done with a subject and name none. */
const DONE = once(
  () =>
    new WordList(
      'add anymor call chang default drop format go live mov remov replac run set show shown start stick store support switch two write',
    ),
);
const PURPOSE = /\bfor (?:the |our |all )?([\w`@/.-]+(?: [\w-]+)?)/i;
const REJECTED =
  /\b(?:instead of|rather than|no longer|get rid of|drop|remove|replace|over|not|need|no) (?:the |use |need |start |any )*([^,.;]{2,40})/gi;
const MAX_REJECTED_WORDS = 2;
/** What was asked before is not what is said. */
const CONTEXT = /^.* → /;

/** Whether a later statement is about the same subject as an earlier one, so that it holds instead. */
export function isReplacedBy(earlier: string, later: string): boolean {
  const [before, after] = [aboutOf(earlier), aboutOf(later)];
  const shared = count(before.words, after.words);
  const undone = [...after.rejected].filter((word) => before.words.has(word) && !before.rejected.has(word));
  // What is named in full is meant; of what is named in part, more must be the same.
  const isWhole = undone.length === after.rejected.size;
  if (undone.length > 0) return shared * (isWhole ? 3 : 2) >= before.words.size;
  const hasSamePurpose = before.purpose.size > 0 && before.purpose.size === count(before.purpose, after.purpose);
  // Long sentences share words by chance.
  const longer = Math.max(before.words.size, after.words.size);
  return hasSamePurpose ? shared * 2 >= longer : shared * 2 > longer;
}

function aboutOf(text: string): About {
  return {
    words: wordsOf(text.replace(CONTEXT, '')),
    purpose: wordsOf(PURPOSE.exec(text)?.[1] ?? ''),
    rejected: new Set(
      [...text.matchAll(REJECTED)].flatMap(([, rest = '']) => [...wordsOf(rest)].slice(0, MAX_REJECTED_WORDS)),
    ),
  };
}

/** Numbers and code are what is chosen, rather than what the choice is about. */
function wordsOf(text: string): ReadonlySet<string> {
  const words = splitWords(text.replace(/`[^`]*`/g, ' ')).filter((word) => !isCommonWord(word.text));
  return new Set(words.map((word) => stem(word.text)).filter((word) => !/^\d/.test(word) && !DONE().has(word)));
}

function count(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return [...words].filter((word) => others.has(word)).length;
}
