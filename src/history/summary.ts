import type { Attempt, Message, Role, SessionSummary } from '../record/index.ts';

const PREVIEW_LENGTH = 100;

/** First 100 characters or so of a text, on one line. */
export function previewOf(text: string): string {
  const line = text
    .slice(0, PREVIEW_LENGTH * 4)
    .replace(/\s+/g, ' ')
    .trim();
  const characters = Array.from(line);
  return characters.length > PREVIEW_LENGTH ? `${characters.slice(0, PREVIEW_LENGTH).join('')}…` : line;
}

/** What a session that holds attempts but no message is shown by. */
export function previewOfAttempt(attempt: Attempt): string {
  return previewOf(
    attempt.context ?? attempt.command ?? attempt.path ?? attempt.pattern ?? attempt.tool ?? '',
  );
}

/** Builds the summary of one session from its records, added in any order. */
export class SessionTally {
  readonly #sessionId: string;
  readonly #project: string;
  #first: Message | undefined;
  #firstAttempt: Attempt | undefined;
  #last: Message | Attempt | undefined;
  #messages = 0;
  #failures = 0;
  #successes = 0;

  constructor(project: string, sessionId: string) {
    this.#project = project;
    this.#sessionId = sessionId;
  }

  addMessage(message: Message): void {
    this.#touch(message);
    if (message.kind === 'checkpoint') return;
    this.#messages++;
    if (!this.#first || message.timestamp < this.#first.timestamp) this.#first = message;
  }

  addAttempt(attempt: Attempt): void {
    this.#touch(attempt);
    if (attempt.outcome === 'failure') this.#failures++;
    if (attempt.outcome === 'success') this.#successes++;
    if (!this.#firstAttempt || attempt.timestamp < this.#firstAttempt.timestamp) this.#firstAttempt = attempt;
  }

  summary(): SessionSummary {
    const first = this.#first ?? this.#firstAttempt;
    const agent = first?.agent ?? this.#last?.agent;
    const branch = this.#last?.branch ?? first?.branch;
    return {
      sessionId: this.#sessionId,
      project: this.#project,
      timestamp: first?.timestamp ?? '',
      lastActivity: this.#last?.timestamp ?? '',
      messageCount: this.#messages,
      preview: this.#first
        ? previewOf(this.#first.content)
        : this.#firstAttempt
          ? previewOfAttempt(this.#firstAttempt)
          : '',
      firstRole: this.#first?.role ?? ('user' satisfies Role),
      ...(agent === undefined ? {} : { agent }),
      ...(branch === undefined ? {} : { branch }),
      failures: this.#failures,
      successes: this.#successes,
    };
  }

  #touch(record: Message | Attempt): void {
    if (!this.#last || record.timestamp >= this.#last.timestamp) this.#last = record;
  }
}
