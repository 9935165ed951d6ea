import type { Turn } from '../context/turns/turn.ts';
import type { HistoryStore, NewMessage } from '../history/index.ts';
import type { Message, SessionSummary } from '../record/index.ts';

/** Who speaks in sessions of yore's own chat. */
export const CHAT_AGENT = 'yore';

/** So many of the newest sessions are looked through for one of the chat. */
const LOOKED_THROUGH = 200;

/**
 * The current session of a chat in the history, in step with the turns that the model is sent: for each turn, the message
 * it was written as. A turn that was never written, such as a summary, has none.
 */
export class SessionLog {
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

  /** The id of the current session, which begins if there is none. Nothing is written before its first message. */
  begin(): string {
    this.#sessionId ??= this.#history.newSession();
    return this.#sessionId;
  }

  /** Writes a message of the current session. */
  write(message: Omit<NewMessage, 'sessionId' | 'agent'>): Message {
    return this.#history.append({ ...message, sessionId: this.begin(), agent: CHAT_AGENT });
  }

  /** Notes that messages are turns now. */
  addTurns(ids: readonly (string | undefined)[]): void {
    this.#ids.push(...ids);
  }

  /** Notes that the oldest turns are no longer sent. */
  dropTurns(count: number): void {
    this.#ids = this.#ids.slice(count);
  }

  /**
   * Notes that the oldest turns of a session were replaced by a summary of `summaryTurns` turns, so that a restart finds
   * the session as it is now.
   */
  compact(
    sessionId: string,
    removed: number,
    summary: { readonly text: string; readonly turns: number },
  ): void {
    const kept = this.#ids.slice(removed);
    const keptFrom = kept.find((id) => id !== undefined);
    this.#history.checkpoint(sessionId, {
      summary: summary.text,
      ...(keptFrom === undefined ? {} : { keptFrom }),
    });
    this.#ids = [...new Array<undefined>(summary.turns).fill(undefined), ...kept];
  }

  /** The next message begins a session. */
  startNew(): void {
    this.#sessionId = undefined;
    this.#ids = [];
  }

  /** Makes a session the current one; its turns in the state after its last compaction. NOT_FOUND changes nothing. */
  load(sessionId: string): { readonly summary: SessionSummary; readonly turns: readonly Turn[] } {
    const { summary, messages } = this.#history.loadSession(sessionId);
    const forContext = this.#history.getSessionMessagesForContext(sessionId);
    const turns = forContext.map(({ role, content }) => ({ role, content }));
    const written = messages.filter((message) => message.kind !== 'checkpoint');
    // The turns are the newest messages, after the summary of the older ones where there is one.
    this.#ids = turns.map((_, index) => {
      const message = written[written.length - turns.length + index];
      return message?.content === turns[index]?.content ? message?.id : undefined;
    });
    this.#sessionId = sessionId;
    return { summary, turns };
  }

  /** The session of the chat that was active last; those of other agents are theirs. */
  newest(): SessionSummary | undefined {
    return this.#history.listSessions(LOOKED_THROUGH).find(({ agent }) => agent === CHAT_AGENT);
  }
}
