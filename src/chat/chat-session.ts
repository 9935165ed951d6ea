import type { Turn } from '../context/message.ts';
import type { HistoryStore, NewMessage, SessionMessage } from '../history/index.ts';
import { CHAT_AGENT, type Message, type SessionSummary, YoreError } from '../record/index.ts';
import { omitUndefined } from '../record/object.ts';

/** A session that was loaded. */
export type LoadedSession = SessionSummary & {
  /** The session of another agent that it is a copy of. */
  readonly forkedFrom?: string;
};

/** Whether another agent started a session, and the chat has said nothing in it. */
function isOfOtherAgent({ agent }: SessionSummary, messages: readonly SessionMessage[]): boolean {
  return agent !== undefined && !messages.some((message) => message.agent === CHAT_AGENT);
}

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
   * Makes a session current and returns its turns since its last compaction. A session of another agent is forked: the
   * chat continues a copy, and what the agent recorded stays as it is. Throws NOT_FOUND, or USAGE for a foreign session,
   * and then changes nothing.
   */
  load(sessionId: string): { readonly summary: LoadedSession; readonly turns: readonly Turn[] } {
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
    if (!this.#history.isRecording || !isOfOtherAgent(summary, messages)) {
      this.#sessionId = sessionId;
      return { summary, turns };
    }
    const ids = this.#ids;
    const copies = this.#fork(sessionId, messages);
    this.#ids = ids.map((id) => (id === undefined ? undefined : copies.get(id)));
    return { summary: { ...summary, sessionId: this.begin(), forkedFrom: sessionId }, turns };
  }

  /** Copies messages to a new session, which becomes the current one. Returns the new ids by the old ones. */
  #fork(parentSessionId: string, messages: readonly SessionMessage[]): ReadonlyMap<string, string> {
    const sessionId = this.startNew();
    const ids = new Map<string, string>();
    for (const { id, v: _version, imageRefs: _names, keptFrom, ...message } of messages) {
      const kept = keptFrom === undefined ? undefined : ids.get(keptFrom);
      const copy = { ...message, ...omitUndefined({ keptFrom: kept }), sessionId, parentSessionId, isFork: true };
      ids.set(id, this.#history.append(copy).id);
    }
    return ids;
  }

  /** The most recently active session that the chat started or continued; those without a message are skipped. */
  findNewest(): SessionSummary | undefined {
    return this.#history.listSessions(MAX_SESSIONS, CHAT_AGENT).find(({ messageCount }) => messageCount > 0);
  }
}
