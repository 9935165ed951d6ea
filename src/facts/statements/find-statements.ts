import type { Attempt } from '../../record/record.ts';
import type { ToolFamily } from '../call/tool-call.ts';
import { statementsOfAnswers } from './answers.ts';
import { type StatementFact, toStatement } from './statement.ts';

/** What the user decided in a tool call. What a sub-agent was answered is no word of the user's. */
export function statementsOfCall(attempt: Attempt, family: ToolFamily): readonly StatementFact[] {
  if (family !== 'ask' || attempt.outcome !== 'success' || attempt.parentSessionId !== undefined) return [];
  return cut(statementsOfAnswers(attempt));
}

function cut(statements: readonly StatementFact[]): readonly StatementFact[] {
  return statements.flatMap((statement) => toStatement(statement) ?? []);
}
