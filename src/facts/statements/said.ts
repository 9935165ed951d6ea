import { once } from '../../record/once.ts';
import { SIGNALS } from './signals.ts';
import { MAX_STATEMENT_LENGTH } from './statement.ts';

type SignalName = (typeof SIGNALS)[number]['name'];

/** A part of a message that states something. */
interface Saying {
  readonly text: string;
  /** The line that it is from. */
  readonly line: string;
  readonly position: number;
  readonly signals: ReadonlySet<SignalName>;
  readonly score: number;
}

const CODE_BLOCK = /```[\s\S]*?(?:```|$)/g;
/** How lines begin that were pasted: quotes, prompts and output of a shell, logs, assignments. */
const PASTED = /^(?:[>❯$+|│✗⨯•[]|time=|(?:error|fatal|source|target):|at |\S+:\d+:|\w+ = |export )/;
const LIST_ITEM = /^(?:[-*•]|\d+[.)])\s/;
const MARKUP = /^#{1,6} |\*\*\S/m;
/** What is longer, has more items or headings is a document that was pasted, without the code in it. */
const MAX_TYPED = 1_000;
const MAX_READ = 20_000;
const MAX_ITEMS = 3;
/** Nobody types a longer line. */
const MAX_LINE = 600;
/** People speak of themselves and to others, give orders, or say what ought to be; reports and reviews do not. */
const IN_PERSON = /\b(?:i|we|you|us|our|my|let['’]?s|please)\b/i;
const ORDER =
  /(?:^|[.,;:!] )(?:(?:also|just|so|but|and|ok|then|yes|sure|no) )*(?:don['’]?t|do not|always|never|use|keep|just|no|not|only|prefer|replace|stick|drop|remove|instead)\b/i;
const SENTENCE_END = /(?<=[.!?])\s+(?=\S)|\.\.+(?=\w)/;

const tests = once(() =>
  SIGNALS.map(({ name, weight, phrases }) => ({
    name,
    weight,
    words: new RegExp(`(?<![\\w'])(?:${phrases.join('|')})(?![\\w])`),
  })),
);

/** What a message of the user states, line by line. */
export function findSayings(content: string): readonly Saying[] {
  return typedLines(content).flatMap((line, position) => {
    const saying = findSaying(line, position);
    return saying.signals.has('norm') || IN_PERSON.test(saying.text) || ORDER.test(saying.text) ? [saying] : [];
  });
}

/** The lines that were typed rather than pasted; none of a document. */
function typedLines(content: string): readonly string[] {
  if (content.length > MAX_READ) return [];
  const text = content.replace(CODE_BLOCK, '\n');
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  const items = lines.filter((line) => LIST_ITEM.test(line)).length;
  if (text.length > MAX_TYPED || MARKUP.test(text) || items > MAX_ITEMS) return [];
  return lines.filter((line) => line.length <= MAX_LINE && !PASTED.test(line));
}

/** The sentence of a line with the highest score, with as many of those around it as there is room for. */
function findSaying(line: string, position: number): Saying {
  const sentences = line.split(SENTENCE_END).filter((sentence) => sentence.trim() !== '');
  const found = sentences.map(findSignals);
  const scores = found.map(scoreOf);
  const best = scores.indexOf(Math.max(...scores));
  let [from, to] = [best, best + 1];
  const fits = (start: number, end: number): boolean =>
    start >= 0 && end <= sentences.length && sentences.slice(start, end).join(' ').length <= MAX_STATEMENT_LENGTH;
  while (fits(from, to + 1)) to++;
  while (fits(from - 1, to)) from--;
  const around = found
    .slice(from, to)
    .flatMap((signals) => [...signals].filter((name) => weightOf(name) > 0 || name === 'question'));
  const signals = new Set([...around, ...(found[best] ?? [])]);
  const score = scoreOf(signals);
  return { text: sentences.slice(from, to).join(' '), line, position, signals, score };
}

/** The signals in a sentence. */
export function findSignals(sentence: string): ReadonlySet<SignalName> {
  const text = sentence.toLowerCase().replaceAll('’', "'");
  const found = tests().flatMap(({ name, words }) => (words.test(text) ? [name] : []));
  return new Set(isAsked(text) ? [...found, 'question'] : found);
}

/** "Can we use the other one?" asks for something, "is it the other one?" asks whether. */
function isAsked(text: string): boolean {
  return /\?\s*$/.test(text) && !/\b(?:can|could) (?:we|you)\b/.test(text);
}

function scoreOf(signals: ReadonlySet<SignalName>): number {
  return [...signals].reduce((sum, name) => sum + weightOf(name), 0);
}

function weightOf(name: SignalName): number {
  return SIGNALS.find((signal) => signal.name === name)?.weight ?? 0;
}
