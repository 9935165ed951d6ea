import { oneLine } from '../../text/one-line.ts';

/** What a statement is: what was chosen, or what an agent was told to do otherwise. */
type StatementKind = 'decision' | 'correction';

/**
 * Where a statement is from, the surest first: the answer to a question of an agent, a plan that was approved, what was said
 * after a call was refused, an instruction file, a short reply to a proposal, the user's own words.
 */
type StatementSource = 'answer' | 'plan' | 'refusal' | 'instructions' | 'reply' | 'words';

/** For how long a statement is meant: until it is replaced, or for its session. */
type StatementLife = 'durable' | 'session';

/** A decision or a correction that one record states. */
export interface StatementFact {
  readonly kind: StatementKind;
  readonly source: StatementSource;
  /** The smallest fragment that states it, at most 160 characters. */
  readonly text: string;
  /** The words that it rests on. */
  readonly quote: string;
  readonly life: StatementLife;
  /** Which part of its record it is: tells it apart from others of the record. */
  readonly position: number;
  /** It says "that" or "it", so that what was said before has to be told with it. */
  readonly needsContext?: true;
  /** Of a reply to a proposal: which part of it was chosen, as {@link ProposalFact.label}. */
  readonly picks?: string;
}

/** Something that an agent proposed, to which the next message may be a reply. */
export interface ProposalFact {
  /** `b` or `2` of a list, in lower case; `yes` for what it recommends. */
  readonly label: string;
  readonly text: string;
}

/** The longest text of a statement. */
export const MAX_STATEMENT_LENGTH = 160;
const MAX_QUOTE_LENGTH = 400;

/** A statement with its texts cut to what a row holds. Undefined when nothing is left of it. */
export function toStatement(statement: StatementFact): StatementFact | undefined {
  const text = oneLine(statement.text, MAX_STATEMENT_LENGTH);
  return text === '' ? undefined : { ...statement, text, quote: oneLine(statement.quote, MAX_QUOTE_LENGTH) };
}
