import { join } from 'node:path';
import { appendRecord, openSegmentPath } from '../log/index.ts';
import {
  type Message,
  NOTES_SESSION,
  newMessageId,
  newSessionId,
  type Problem,
  RECORD_VERSION,
  type Role,
  type SessionSummary,
  YoreError,
} from '../record/index.ts';
import { readImage, saveImages } from './images.ts';
import { NO_RECORDS, type SessionRecords, scanSessions } from './scan.ts';
import { SessionTally } from './summary.ts';

/** What the assistant says to a summary of earlier messages when a compacted session is read for the context. */
export const SUMMARY_ACKNOWLEDGEMENT = 'Ok.';

/** A message to append; the store adds what is missing. */
export type NewMessage = Pick<Message, 'role' | 'content'> &
  Partial<Omit<Message, 'v' | 'role' | 'content' | 'imageRefs' | 'images'>> & {
    /** Data URIs. */
    readonly images?: readonly string[];
  };

/** A whole message, its images as data URIs. */
export type DisplayMessage = Omit<Message, 'images'> & { readonly images?: readonly string[] };

/** What a model is sent of a message. */
export interface ContextMessage {
  readonly role: Role;
  readonly content: string;
  /** Data URIs. */
  readonly images?: readonly string[];
}

/** Finds records without reading whole logs. Answers undefined when it cannot say; then the logs are read. */
export interface HistoryIndex {
  readonly listSessions: (limit: number | undefined) => readonly SessionSummary[] | undefined;
  readonly readSession: (sessionId: string) => SessionRecords | undefined;
  /** Lines of this project's logs that could not be used. */
  readonly problems: () => readonly Problem[];
}

/** What a {@link HistoryStore} needs from its surroundings. */
export interface HistoryOptions {
  /** Id of the project, for summaries. */
  readonly project: string;
  readonly now?: () => number;
  /** When it answers false, messages are built and returned but not written. Default: always record. */
  readonly recording?: () => boolean;
  readonly index?: HistoryIndex;
  /** Told of lines that could not be used and images that are missing. */
  readonly onProblem?: (problem: Problem) => void;
}

/** Messages and sessions of one project, over its history log. */
export class HistoryStore {
  readonly #directory: string;
  readonly #options: HistoryOptions;
  readonly #now: () => number;
  #sessionId: string | undefined;

  constructor(directory: string, options: HistoryOptions) {
    this.#directory = directory;
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** The session that messages are appended to; undefined before the first one. */
  get currentSessionId(): string | undefined {
    return this.#sessionId;
  }

  /** Starts a fresh session and returns its id. Nothing is written before its first message. */
  newSession(): string {
    this.#sessionId = newSessionId(this.#now());
    return this.#sessionId;
  }

  /**
   * Appends a message to its `sessionId`, or to the current session, or to a new one. Images are stored
   * first. Returns the message as written, before redaction.
   */
  append(message: NewMessage): Message {
    const { images = [], role, content, ...optional } = message;
    const now = this.#now();
    const recording = this.#options.recording?.() ?? true;
    const imageRefs = recording && images.length > 0 ? saveImages(this.#imageDirectory, images) : [];
    const record: Message = {
      v: RECORD_VERSION,
      id: optional.id ?? newMessageId(now),
      sessionId: optional.sessionId ?? this.#sessionId ?? this.newSession(),
      timestamp: optional.timestamp ?? new Date(now).toISOString(),
      role,
      content,
      ...withoutEmpty({ ...optional, imageRefs }),
    };
    if (recording) appendRecord(openSegmentPath(this.#directory, 'history'), record);
    return record;
  }

  /**
   * Notes that the session was compacted: what came before `keptFrom` is replaced by `summary` when the
   * session is read for the context. The messages themselves stay readable and searchable.
   */
  checkpoint(
    sessionId: string,
    compaction: { readonly summary: string; readonly keptFrom?: string },
  ): Message {
    return this.append({
      role: 'user',
      content: compaction.summary,
      kind: 'checkpoint',
      sessionId,
      ...(compaction.keptFrom === undefined ? {} : { keptFrom: compaction.keptFrom }),
    });
  }

  /** Makes a session the current one and returns it. Unknown or empty: NOT_FOUND, and nothing changes. */
  loadSession(sessionId: string): {
    readonly summary: SessionSummary;
    readonly messages: readonly DisplayMessage[];
  } {
    const records = this.#sessionRecords(sessionId);
    const messages = records.messages.map((message) => this.#withImages(message));
    if (messages.length === 0) {
      throw new YoreError(
        'NOT_FOUND',
        `There is no session ${sessionId} in this project. \`yore sessions\` lists them.`,
      );
    }
    this.#sessionId = sessionId;
    return { summary: this.summarise(sessionId, records), messages };
  }

  /** A session's messages for display: whole, with metadata and images. Unknown session: empty. */
  getSessionMessages(sessionId: string): readonly DisplayMessage[] {
    return this.#sessionRecords(sessionId).messages.map((message) => this.#withImages(message));
  }

  /**
   * A session's messages for the context: role and content only, with images as data URIs, in the state after
   * its last compaction. Unknown session: empty.
   */
  getSessionMessagesForContext(sessionId: string): readonly ContextMessage[] {
    const all = this.#sessionRecords(sessionId).messages;
    const checkpoint = all.findLast((message) => message.kind === 'checkpoint');
    const messages = all.filter((message) => message.kind !== 'checkpoint');
    if (!checkpoint) return messages.map((message) => this.#forContext(message));
    const keptFrom = messages.findIndex((message) => message.id === checkpoint.keptFrom);
    const after = messages.findIndex((message) => all.indexOf(message) > all.indexOf(checkpoint));
    const start = keptFrom >= 0 ? keptFrom : after >= 0 ? after : messages.length;
    return [
      ...summaryPair(checkpoint.content),
      ...messages.slice(start).map((message) => this.#forContext(message)),
    ];
  }

  /** Messages and attempts of one session, in the order they were written. Unknown session: both empty. */
  getSessionRecords(sessionId: string): SessionRecords {
    return this.#sessionRecords(sessionId);
  }

  /** Summaries, most recently active first. */
  listSessions(limit?: number): readonly SessionSummary[] {
    const sessions = this.#options.index?.listSessions(limit) ?? this.#scanSessions();
    return limit === undefined ? sessions : sessions.slice(0, Math.max(0, limit));
  }

  get #imageDirectory(): string {
    return join(this.#directory, 'images');
  }

  #sessionRecords(sessionId: string): SessionRecords {
    return (
      this.#options.index?.readSession(sessionId) ??
      this.#scan((id) => id === sessionId).get(sessionId) ??
      NO_RECORDS
    );
  }

  #scan(wanted: (sessionId: string) => boolean): ReadonlyMap<string, SessionRecords> {
    return scanSessions(this.#directory, wanted, (problem) => this.#options.onProblem?.(problem));
  }

  #scanSessions(): readonly SessionSummary[] {
    return [...this.#scan(() => true)]
      .filter(([sessionId, { messages }]) => sessionId !== NOTES_SESSION || messages.length > 0)
      .map(([sessionId, records]) => this.summarise(sessionId, records))
      .sort((a, b) =>
        a.lastActivity < b.lastActivity
          ? 1
          : a.lastActivity > b.lastActivity
            ? -1
            : a.sessionId < b.sessionId
              ? -1
              : 1,
      );
  }

  /** The summary of a session whose records are at hand. */
  summarise(sessionId: string, records: SessionRecords): SessionSummary {
    const tally = new SessionTally(this.#options.project, sessionId);
    for (const message of records.messages) tally.addMessage(message);
    for (const attempt of records.attempts) tally.addAttempt(attempt);
    return tally.summary();
  }

  #withImages(message: Message): DisplayMessage {
    const { images: _legacyCount, ...rest } = message;
    const images = this.#imagesOf(message);
    return images.length > 0 ? { ...rest, images } : rest;
  }

  #forContext(message: Message): ContextMessage {
    const images = this.#imagesOf(message);
    return { role: message.role, content: message.content, ...(images.length > 0 ? { images } : {}) };
  }

  #imagesOf(message: Message): readonly string[] {
    const images: string[] = [];
    for (const name of message.imageRefs ?? []) {
      const image = readImage(this.#imageDirectory, name);
      if (image !== undefined) images.push(image);
      else
        this.#options.onProblem?.({
          path: join(this.#imageDirectory, name),
          reason: 'missing',
          detail: `the image of message ${message.id} is not there`,
        });
    }
    return images;
  }
}

function summaryPair(summary: string): readonly ContextMessage[] {
  if (summary === '') return [];
  return [
    { role: 'user', content: summary },
    { role: 'assistant', content: SUMMARY_ACKNOWLEDGEMENT },
  ];
}

function withoutEmpty<T extends object>(fields: T): T {
  const kept = Object.entries(fields).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(kept) as T;
}
