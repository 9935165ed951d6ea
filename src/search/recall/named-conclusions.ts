import { type Conclusion, listConclusions } from '../../ask/conclusions.ts';
import type { ProjectRows } from '../../store/project-rows.ts';
import { stem } from '../../text/stem.ts';
import { isCommonWord } from '../../text/stop-words.ts';
import { splitWords } from '../../text/words.ts';
import { weighText } from '../query/session-search.ts';

/** A decision or correction, and how certain it is that a prompt names its subject, 0 to 1. */
export interface NamedConclusion {
  readonly conclusion: Conclusion;
  readonly confidence: number;
}

/** Which conclusions to look among, and how certain it must be that the prompt names their subject. */
export interface NamedOptions {
  /** The session of the prompt, which knows what was said in it. */
  readonly except?: string | undefined;
  /** Ids of what was shown in this session. */
  readonly alreadyShown?: ReadonlySet<string> | undefined;
  readonly minConfidence: number;
}

/** A sentence has less to recognise it by than a session, so that less is asked of it. */
const MIN_NAMED = 0.65;
/** No single word is a subject. */
const MIN_SHARED = 2;
const MAX_NAMED = 2;
/** What is asked for is at the beginning of a prompt. */
const MAX_PROMPT_READ = 1200;

/** What is asked about is most of the information of a question. */
const MIN_ASKED = 0.5;

/** The decisions and corrections that hold and are about a question, the best first. */
export function findAskedConclusions(rows: ProjectRows, question: string): readonly Conclusion[] {
  const { coverage } = weighText(rows.connection, question);
  return listConclusions(rows)
    .map((conclusion) => ({ conclusion, ...coverage(`${conclusion.text}\n${conclusion.quote}`) }))
    .filter(({ share }) => share >= MIN_ASKED)
    .sort((a, b) => b.share - a.share)
    .map(({ conclusion }) => conclusion);
}

/** The decisions and corrections that hold whose subject a prompt names, the surest first. */
export function findNamedConclusions(
  rows: ProjectRows,
  prompt: string,
  { except, alreadyShown, minConfidence }: NamedOptions,
): readonly NamedConclusion[] {
  const read = prompt.slice(0, MAX_PROMPT_READ);
  const subjects = new Set(subjectsOf(read));
  const least = Math.min(minConfidence, MIN_NAMED);
  return listConclusions(rows)
    .filter(({ id, life, sessionId }) => life === 'durable' && sessionId !== except && !alreadyShown?.has(id))
    .filter(({ text }) => subjectsOf(text).filter((each) => subjects.has(each)).length >= MIN_SHARED)
    .map((conclusion) => ({ conclusion, confidence: weighText(rows.connection, conclusion.text).confidence(read) }))
    .filter(({ confidence }) => confidence >= least)
    .sort((a, b) => b.confidence - a.confidence)
    .slice(0, MAX_NAMED);
}

/** The stems of what a text is about. */
function subjectsOf(text: string): readonly string[] {
  const words = splitWords(text).filter((word) => !isCommonWord(word.text));
  return [...new Set(words.flatMap(({ text: word, parts }) => [word, ...parts].map(stem)))];
}
