import { type Attempt, type Message, omitUndefined, type Role, type SessionSummary } from '../record/index.ts';

const PREVIEW_LENGTH = 100;

/** The first 100 characters of a text, on one line. */
export function formatPreview(text: string): string {
  const line = text
    .slice(0, PREVIEW_LENGTH * 4)
    .replace(/\s+/g, ' ')
    .trim();
  const characters = Array.from(line);
  return characters.length > PREVIEW_LENGTH ? `${characters.slice(0, PREVIEW_LENGTH).join('')}…` : line;
}

/** The preview of a session without messages, from its first attempt. */
export function formatAttemptPreview(attempt: Attempt): string {
  return formatPreview(attempt.context ?? attempt.command ?? attempt.path ?? attempt.pattern ?? attempt.tool ?? '');
}

/** Builds the summary of one session from its records, added in any order. */
export class SessionSummaryBuilder {
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
        ? formatPreview(this.#first.content)
        : this.#firstAttempt
          ? formatAttemptPreview(this.#firstAttempt)
          : '',
      firstRole: this.#first?.role ?? ('user' satisfies Role),
      ...omitUndefined({ agent, branch }),
      failures: this.#failures,
      successes: this.#successes,
    };
  }

  #touch(record: Message | Attempt): void {
    if (!this.#last || record.timestamp >= this.#last.timestamp) this.#last = record;
  }
}
