import type { Turn } from '../context/message.ts';
import type { HistoryStore, NewMessage } from '../history/index.ts';
import { CHAT_AGENT, type Message, type SessionSummary, YoreError } from '../record/index.ts';
import { omitUndefined } from '../record/object.ts';

/** How many of the newest chat sessions are searched for one with a message. */
const MAX_SESSIONS = 20;

/**
 * The current session of a chat in the history. Keeps the message id of each turn that the model is sent; turns that were
 * never written, such as a summary, have none.
 */
export class ChatSession {
  readonly #history: HistoryStore;
  #sessionId: string | undefined;
  #ids: (string | undefined)[] = [];

  constructor(history: HistoryStore) {
    this.#history = history;
  }

  /** Undefined before the first message of a session. */
  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  /** The id of the current session; starts one if there is none. Nothing is written before its first message. */
  begin(): string {
    this.#sessionId ??= this.#history.newSession();
    return this.#sessionId;
  }

  /** Appends a message to the current session. */
  write(message: Omit<NewMessage, 'sessionId' | 'agent'>): Message {
    return this.#history.append({ ...message, sessionId: this.begin(), agent: CHAT_AGENT });
  }

  /** Adds the ids of messages that are now turns. */
  addTurns(ids: readonly (string | undefined)[]): void {
    this.#ids.push(...ids);
  }

  /** Drops the ids of the oldest turns, which are no longer sent. */
  dropTurns(count: number): void {
    this.#ids = this.#ids.slice(count);
  }

  /**
   * Records that the oldest turns of a session were replaced by a summary, so that a restart restores the session in this
   * state.
   */
  compact(sessionId: string, removed: number, summary: { readonly text: string; readonly turns: number }): void {
    const kept = this.#ids.slice(removed);
    const keptFrom = kept.find((id) => id !== undefined);
    this.#history.checkpoint(sessionId, {
      summary: summary.text,
      ...omitUndefined({ keptFrom }),
    });
    this.#ids = [...new Array<undefined>(summary.turns).fill(undefined), ...kept];
  }

  /** Starts a new session and returns its id. */
  startNew(): string {
    this.#sessionId = undefined;
    this.#ids = [];
    return this.begin();
  }

  /**
   * Makes a session current and returns its turns since its last compaction. Throws NOT_FOUND, or USAGE for a foreign
   * session, and then changes nothing.
   */
  load(sessionId: string): { readonly summary: SessionSummary; readonly turns: readonly Turn[] } {
    const { summary, messages } = this.#history.loadSession(sessionId);
    // The model would take what a stranger wrote for the user's words.
    if (summary.foreign) {
      throw new YoreError('USAGE', 'This session is from a foreign transcript and cannot be continued. Use yore show.');
    }
    if (summary.author !== undefined) {
      throw new YoreError('USAGE', "This session is a colleague's and cannot be continued. Use yore show.");
    }
    const forContext = this.#history.getSessionMessagesForContext(sessionId);
    const turns = forContext.map(({ role, content }) => ({ role, content }));
    const written = messages.filter((message) => message.kind !== 'checkpoint');
    // The turns are the newest messages, preceded by a summary if the session was compacted.
    this.#ids = turns.map((_, index) => {
      const message = written[written.length - turns.length + index];
      return message?.content === turns[index]?.content ? message?.id : undefined;
    });
    this.#sessionId = sessionId;
    return { summary, turns };
  }

  /** The most recently active session that the chat started or continued; those without a message are skipped. */
  findNewest(): SessionSummary | undefined {
    return this.#history.listSessions(MAX_SESSIONS, CHAT_AGENT).find(({ messageCount }) => messageCount > 0);
  }
}
