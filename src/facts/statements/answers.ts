import { isObject, parseObject } from '../../record/object.ts';
import type { Attempt } from '../../record/record.ts';
import { MAX_STATEMENT_LENGTH, type StatementFact } from './statement.ts';

/** A question of an agent, and what the user answered. */
interface Answer {
  readonly question: string;
  readonly answer: string;
}

/** What the user decided by answering the questions of an agent, in a call of a tool that asks. */
export function statementsOfAnswers({ args, result = '' }: Attempt): readonly StatementFact[] {
  const answers = findAnswers(readQuestions(args), result);
  return answers.flatMap(({ question, answer }, position) => {
    if (ASKS_PERMISSION.test(question) || NO_CHOICE.test(answer)) return [];
    const text = describeAnswer(question, answer);
    return { kind: 'decision', source: 'answer', text, quote: `${question} ${answer}`, life: 'durable', position };
  });
}

/** Whether the agent may go on is asked for the request alone. */
const ASKS_PERMISSION = /^(?:ready\b|proceed\b|continue\b)|\b(?:should|shall|may|can) i\b|\b(?:want|like) me to\b/i;
const NO_CHOICE = /^(?:something else|other|skip|not sure|ask me later|cancel)\b/i;
/** `"Which port?"="8080", "Which name?"="api"`. */
const PAIRS = /"((?:[^"]|"(?![=,.\s]))+)"="((?:[^"]|"(?![,.\s]|$))*)"/g;
const INTRODUCTION = /^(?:the )?user(?: has)? (?:responded|selected|answered|chose|replied)(?: with)?:\s*/i;
const ADVICE = /\s*\((?:recommended|default)\)/gi;
const MAX_QUESTIONS = 8;

/** Without the arguments that agents give in other ways than these, nothing is known. */
function readQuestions(args: Attempt['args']): readonly Readonly<Record<string, unknown>>[] {
  const questions = args?.questions;
  if (Array.isArray(questions)) return questions.filter(isObject).slice(0, MAX_QUESTIONS);
  return typeof args?.question === 'string' ? [args] : [];
}

function findAnswers(questions: readonly Readonly<Record<string, unknown>>[], result: string): readonly Answer[] {
  const pairs = [...result.matchAll(PAIRS)].slice(0, MAX_QUESTIONS);
  if (pairs.length > 0) return pairs.map(([, question = '', answer = '']) => toAnswer(question, answer));
  const given = parseObject(result)?.answers;
  if (isObject(given)) {
    return questions.flatMap((question, index) => {
      const answer = readAnswer(given[String(question.id ?? index)]);
      return answer === '' ? [] : [toAnswer(String(question.question ?? question.header ?? ''), answer)];
    });
  }
  const [only, ...others] = questions;
  if (only === undefined || others.length > 0 || !INTRODUCTION.test(result)) return [];
  return [toAnswer(String(only.question ?? ''), result.replace(INTRODUCTION, ''))];
}

/** `"8080"`, `["8080"]` or `{ answers: ["8080"] }`. */
function readAnswer(value: unknown): string {
  if (typeof value === 'string') return value;
  const list = isObject(value) ? value.answers : value;
  return Array.isArray(list) ? list.filter((each) => typeof each === 'string').join(', ') : '';
}

function toAnswer(question: string, answer: string): Answer {
  return { question: question.trim(), answer: answer.replace(ADVICE, '').trim() };
}

/** An answer of several words states what was chosen; a short one needs its question. */
function describeAnswer(question: string, answer: string): string {
  const asked = question.slice(0, question.indexOf('?') + 1) || question;
  const both = `${asked} ${answer}`;
  if (both.length <= MAX_STATEMENT_LENGTH) return both;
  if (answer.split(' ').length >= MIN_WORDS_ALONE) return answer;
  const kept = MAX_STATEMENT_LENGTH - answer.length - 2;
  return kept <= 0 ? answer : `${asked.slice(0, kept)}… ${answer}`;
}

const MIN_WORDS_ALONE = 5;
