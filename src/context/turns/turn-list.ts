import { YoreError } from '../../record/index.ts';
import { contentHash } from '../content-hash.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';

/** A turn with what was once found out about it: both are worked out at the first question and never again. */
interface HeldTurn {
  readonly turn: Turn;
  tokens?: number;
  hash?: string;
}

/**
 * The working copy of a session: its turns in order, without the system prompt. Nothing that is handed in or out can change
 * it later. Every turn is counted once, however often the total is asked for, also across `replace`.
 */
export class TurnList {
  readonly #counter: TokenCounter;
  #held: HeldTurn[] = [];
  #countedTokens = 0;
  #countedTurns = 0;
  #generation = 0;

  constructor(counter: TokenCounter) {
    this.#counter = counter;
  }

  get length(): number {
    return this.#held.length;
  }

  /** Another number after turns were replaced or cleared; the same while turns were added only. */
  get generation(): number {
    return this.#generation;
  }

  /** Appends a turn. Keeps its role and content only; throws when either is missing or of another kind. */
  add(turn: Turn): void {
    this.#held.push({ turn: checkedTurn(turn) });
  }

  /** Appends a question and its answer: both or, when either is no text, neither. */
  addExchange(user: string, assistant: string): void {
    const question = checkedTurn({ role: 'user', content: user });
    const answer = checkedTurn({ role: 'assistant', content: assistant });
    this.#held.push({ turn: question }, { turn: answer });
  }

  /** A copy of all turns: changing it changes nothing here. */
  all(): Turn[] {
    return this.#held.map(({ turn }) => ({ ...turn }));
  }

  /** Puts other turns in place of all. What is known of turns that stay is kept. Throws, and changes nothing, at a bad turn. */
  replace(turns: readonly Turn[]): void {
    const checked = turns.map(checkedTurn);
    const known = new Map(this.#held.map((held) => [keyOf(held.turn), held]));
    this.#held = checked.map((turn) => known.get(keyOf(turn)) ?? { turn });
    this.#startAnew();
  }

  /** Removes all turns. */
  clear(): void {
    this.#held = [];
    this.#startAnew();
  }

  /** Tokens of all turns as messages. After an addition only the new turns are counted. */
  tokens(): number {
    for (; this.#countedTurns < this.#held.length; this.#countedTurns++) {
      this.#countedTokens += this.tokensOf(this.#countedTurns);
    }
    return this.#countedTokens;
  }

  /** Tokens of one turn as a message; 0 when there is no such turn. */
  tokensOf(index: number): number {
    const held = this.#held[index];
    if (held === undefined) return 0;
    held.tokens ??= this.#counter.countMessage(held.turn);
    return held.tokens;
  }

  /** Something that differs when role or content of a turn differ; empty when there is no such turn. */
  hashOf(index: number): string {
    const held = this.#held[index];
    if (held === undefined) return '';
    held.hash ??= contentHash(keyOf(held.turn));
    return held.hash;
  }

  #startAnew(): void {
    this.#generation++;
    this.#countedTokens = 0;
    this.#countedTurns = 0;
  }
}

function keyOf(turn: Turn): string {
  return `${turn.role}:${turn.content}`;
}

function checkedTurn(turn: Turn): Turn {
  const { role, content }: { readonly role?: unknown; readonly content?: unknown } = turn ?? {};
  if (role !== 'user' && role !== 'assistant') {
    throw new YoreError(
      'USAGE',
      `A turn has the role ${JSON.stringify(role)}. Give "user" or "assistant"; the system prompt is not a turn.`,
    );
  }
  if (typeof content !== 'string') {
    throw new YoreError(
      'USAGE',
      `The content of a turn of role "${role}" is ${content === null ? 'null' : `of type ${typeof content}`}. Give a string.`,
    );
  }
  return Object.freeze({ role, content });
}

/** One message of the working copy of a session: what was said and by whom, nothing else. */
export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}
