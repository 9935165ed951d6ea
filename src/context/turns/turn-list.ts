import { YoreError } from '../../record/index.ts';
import { contentHash } from '../content-hash.ts';
import type { Turn } from '../message.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';

/** A turn with its token count and hash, computed on first use. */
interface Entry {
  readonly turn: Turn;
  tokens?: number;
  hash?: string;
}

/**
 * The turns of a session in order, without the system prompt. Turns are copied in and out. Each turn is counted once, even
 * across `replace`.
 */
export class TurnList {
  readonly #counter: TokenCounter;
  #entries: Entry[] = [];
  #countedTokens = 0;
  #countedTurns = 0;
  #generation = 0;

  constructor(counter: TokenCounter) {
    this.#counter = counter;
  }

  get length(): number {
    return this.#entries.length;
  }

  /** Changes when turns are replaced or cleared, but not when turns are added. */
  get generation(): number {
    return this.#generation;
  }

  /** Appends a turn. Keeps its role and content only; throws if either is missing or invalid. */
  add(turn: Turn): void {
    this.#entries.push({ turn: checkedTurn(turn) });
  }

  /** Appends a question and its answer; neither if one of them is invalid. */
  addExchange(user: string, assistant: string): void {
    const question = checkedTurn({ role: 'user', content: user });
    const answer = checkedTurn({ role: 'assistant', content: assistant });
    this.#entries.push({ turn: question }, { turn: answer });
  }

  /** A copy of all turns. */
  all(): Turn[] {
    return this.#entries.map(({ turn }) => ({ ...turn }));
  }

  /** Replaces all turns; counts of turns that stay are kept. Throws at an invalid turn and then changes nothing. */
  replace(turns: readonly Turn[]): void {
    const checked = turns.map(checkedTurn);
    const known = new Map(this.#entries.map((entry) => [keyOf(entry.turn), entry]));
    this.#entries = checked.map((turn) => known.get(keyOf(turn)) ?? { turn });
    this.#resetCount();
  }

  clear(): void {
    this.#entries = [];
    this.#resetCount();
  }

  /** Tokens of all turns as messages. Only turns added since the last call are counted. */
  tokens(): number {
    for (; this.#countedTurns < this.#entries.length; this.#countedTurns++) {
      this.#countedTokens += this.tokensOf(this.#countedTurns);
    }
    return this.#countedTokens;
  }

  /** Tokens of a turn as a message; 0 if there is no such turn. */
  tokensOf(index: number): number {
    const entry = this.#entries[index];
    if (entry === undefined) return 0;
    entry.tokens ??= this.#counter.countMessage(entry.turn);
    return entry.tokens;
  }

  /** A hash of a turn's role and content; empty if there is no such turn. */
  hashOf(index: number): string {
    const entry = this.#entries[index];
    if (entry === undefined) return '';
    entry.hash ??= contentHash(keyOf(entry.turn));
    return entry.hash;
  }

  #resetCount(): void {
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
