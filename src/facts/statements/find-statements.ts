import { type Attempt, CHAT_AGENT, type Message } from '../../record/record.ts';
import type { ToolFamily } from '../call/tool-call.ts';
import { statementsOfAnswers } from './answers.ts';
import { statementOfInstructions } from './instructions.ts';
import { findPick } from './proposals.ts';
import { findSayings, findSignals } from './said.ts';
import { MIN_SCORE } from './signals.ts';
import { type StatementFact, toStatement } from './statement.ts';

/** What the user decided in a tool call. What a sub-agent was answered is no word of the user's. */
export function statementsOfCall(attempt: Attempt, family: ToolFamily): readonly StatementFact[] {
  if (attempt.outcome !== 'success' || attempt.parentSessionId !== undefined) return [];
  if (family === 'ask') return cut(statementsOfAnswers(attempt));
  const isEdit = family === 'edit' || family === 'patch';
  const instruction = isEdit ? statementOfInstructions(attempt) : undefined;
  return instruction === undefined ? [] : cut([instruction]);
}

/**
 * What the user decided or corrected in a message. Questions to yore itself, the tasks of sub-agents and what a program wrote
 * are no such words. `plan`: the heading of the plan that the message approves.
 */
export function statementsOfMessage(message: Message, plan: string | undefined): readonly StatementFact[] {
  const { content, agent, parentSessionId, isFork } = message;
  if (agent === CHAT_AGENT || (parentSessionId !== undefined && isFork !== true)) return [];
  if (plan !== undefined) return cut(statementsOfPlan(plan));
  const picks = findPick(content);
  if (picks !== undefined) {
    const reply = { kind: 'decision', source: 'reply', life: 'durable', position: 0 } as const;
    return cut([{ ...reply, text: content, quote: content, picks }]);
  }
  return cut(statementsOfWords(content));
}

const TICKET = /^\W*[A-Z]+-\d+\W+/;

/** A plan that repairs something or goes through a list decides nothing. */
function statementsOfPlan(heading: string): readonly StatementFact[] {
  if (findSignals(heading.replace(TICKET, '')).has('task')) return [];
  return [{ kind: 'decision', source: 'plan', text: heading, quote: heading, life: 'durable', position: 0 }];
}

function statementsOfWords(content: string): readonly StatementFact[] {
  return findSayings(content).flatMap(({ text, line, position, signals, score }) => {
    if (score < MIN_SCORE) return [];
    const isCorrection = signals.has('objection') || DENIAL.test(line);
    const kind = isCorrection ? ('correction' as const) : ('decision' as const);
    const life = PASSING.test(text) ? ('session' as const) : ('durable' as const);
    const words = { kind, source: 'words', text, quote: line, life, position } as const;
    return [refersBack(text) ? { ...words, needsContext: true as const } : words];
  });
}

const DENIAL = /^(?:no|nope|not)\b/i;
const PASSING =
  /\b(?:for now|for the moment|right now|this time|today|(?:in|for) this (?:session|pr|branch|commit))\b/i;
/** An identifier, a path, an option, a term with a hyphen, or something quoted as code. */
const NAME =
  /`[^`]+`|\b[a-z]+(?:[A-Z][a-z0-9]*)+\b|\b[A-Z]\w*[A-Z]\w*\b|\b\w+(?:[-_./@:]\w+)+|#\d+|--\w+|(?<=\w\s)[A-Z][a-z]{2,}\b/;
const REFERENCE = /\b(?:this|that|it|them|these|those|him)\b/i;
/** In longer sentences a pronoun refers to something in them. */
const MAX_WORDS = 20;

function refersBack(text: string): boolean {
  return !NAME.test(text) && REFERENCE.test(text) && text.split(/\s+/).length < MAX_WORDS;
}

function cut(statements: readonly StatementFact[]): readonly StatementFact[] {
  return statements.flatMap((statement) => toStatement(statement) ?? []);
}
