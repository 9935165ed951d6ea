import { join } from 'node:path';
import { appendRecord, openSegmentPath } from '../log/index.ts';
import {
  type Message,
  newMessageId,
  newSessionId,
  omitUndefined,
  type Problem,
  RECORD_VERSION,
  type Role,
  type SessionSummary,
  YoreError,
} from '../record/index.ts';
import { compareText } from '../text/compare-text.ts';
import { readImage, saveImages } from './images.ts';
import { isListedSession, NO_RECORDS, type SessionRecords, scanSessions, summariseSession } from './records.ts';

/** The assistant's reply to the summary of earlier messages in a compacted session. */
export const SUMMARY_ACKNOWLEDGEMENT = 'Ok.';

/** A message to append; the store adds missing fields. */
export type NewMessage = Pick<Message, 'role' | 'content'> &
  Partial<Omit<Message, 'v' | 'role' | 'content' | 'imageRefs' | 'images'>> & {
    /** Data URIs. */
    readonly images?: readonly string[];
  };

/** A message with its images as data URIs. */
export type SessionMessage = Omit<Message, 'images'> & { readonly images?: readonly string[] };

/** A message as it is sent to a model. */
export interface ContextMessage {
  readonly role: Role;
  readonly content: string;
  /** Data URIs. */
  readonly images?: readonly string[];
}

/** Finds records without reading the logs. A method may return undefined to have the logs read instead. */
export interface HistoryIndex {
  /** `agent`: only sessions that this agent started, or whose latest record is from it. */
  readonly listSessions: (limit?: number, agent?: string) => readonly SessionSummary[] | undefined;
  readonly readSession: (sessionId: string) => SessionRecords | undefined;
  /** Lines of the project's logs that could not be read. */
  readonly problems: () => readonly Problem[];
}

/** Options of a {@link HistoryStore}. */
export interface HistoryOptions {
  /** Id of the project. */
  readonly project: string;
  readonly now?: () => number;
  /** When it returns false, messages are returned but not written. Default: always true. */
  readonly isRecording?: () => boolean;
  readonly index?: HistoryIndex;
  /** Called for lines that cannot be read and for missing images. */
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

  /** Whether messages are written. */
  get isRecording(): boolean {
    return this.#options.isRecording?.() ?? true;
  }

  /** Starts a new session and returns its id. Nothing is written before its first message. */
  newSession(): string {
    this.#sessionId = newSessionId(this.#now());
    return this.#sessionId;
  }

  /**
   * Appends a message to its `sessionId`, the current session, or a new one. Images are stored first. Returns the
   * message before redaction.
   */
  append(message: NewMessage): Message {
    const { images = [], role, content, ...optional } = message;
    const now = this.#now();
    const { isRecording } = this;
    const imageRefs = isRecording && images.length > 0 ? saveImages(this.#imageDirectory, images) : [];
    const record: Message = {
      v: RECORD_VERSION,
      id: optional.id ?? newMessageId(now),
      sessionId: optional.sessionId ?? this.#sessionId ?? this.newSession(),
      timestamp: optional.timestamp ?? new Date(now).toISOString(),
      role,
      content,
      ...omitEmpty({ ...optional, imageRefs }),
    };
    if (isRecording) appendRecord(openSegmentPath(this.#directory, 'history'), record);
    return record;
  }

  /**
   * Records that the session was compacted: when it is read for the context, `summary` replaces the messages before
   * `keptFrom`. They can still be displayed and searched.
   */
  checkpoint(sessionId: string, compaction: { readonly summary: string; readonly keptFrom?: string }): Message {
    return this.append({
      role: 'user',
      content: compaction.summary,
      kind: 'checkpoint',
      sessionId,
      ...omitUndefined({ keptFrom: compaction.keptFrom }),
    });
  }

  /** Makes a session the current one and returns it. Throws NOT_FOUND when it is unknown or has no messages. */
  loadSession(sessionId: string): {
    readonly summary: SessionSummary;
    readonly messages: readonly SessionMessage[];
  } {
    const records = this.getSessionRecords(sessionId);
    const messages = records.messages.map((message) => this.withImages(message));
    if (messages.length === 0) {
      throw new YoreError(
        'NOT_FOUND',
        `There is no session ${sessionId} in this project. \`yore sessions\` lists them.`,
      );
    }
    this.#sessionId = sessionId;
    return { summary: this.summarise(sessionId, records), messages };
  }

  /** The messages of a session for display, with metadata and images. Empty for an unknown session. */
  getSessionMessages(sessionId: string): readonly SessionMessage[] {
    return this.getSessionRecords(sessionId).messages.map((message) => this.withImages(message));
  }

  /**
   * The messages of a session for the context: role, content and images, after its last compaction. Empty for an
   * unknown session.
   */
  getSessionMessagesForContext(sessionId: string): readonly ContextMessage[] {
    const all = this.getSessionRecords(sessionId).messages;
    const checkpoint = all.findLast((message) => message.kind === 'checkpoint');
    const messages = all.filter((message) => message.kind !== 'checkpoint');
    if (!checkpoint) return messages.map((message) => this.#forContext(message));
    const keptFrom = messages.findIndex((message) => message.id === checkpoint.keptFrom);
    const after = messages.findIndex((message) => all.indexOf(message) > all.indexOf(checkpoint));
    const start = keptFrom >= 0 ? keptFrom : after >= 0 ? after : messages.length;
    return [
      ...summaryExchange(checkpoint.content),
      ...messages.slice(start).map((message) => this.#forContext(message)),
    ];
  }

  /** Messages and attempts of one session, in the order they were written. Both empty for an unknown session. */
  getSessionRecords(sessionId: string): SessionRecords {
    return (
      this.#options.index?.readSession(sessionId) ?? this.#scan((id) => id === sessionId).get(sessionId) ?? NO_RECORDS
    );
  }

  /** Summaries of the sessions, most recently active first; with `agent`, of those that it started or continued last. */
  listSessions(limit?: number, agent?: string): readonly SessionSummary[] {
    const indexed = this.#options.index?.listSessions(limit, agent);
    const sessions = indexed ?? this.#scanSessions().filter((each) => agent === undefined || each.agent === agent);
    return limit === undefined ? sessions : sessions.slice(0, Math.max(0, limit));
  }

  get #imageDirectory(): string {
    return join(this.#directory, 'images');
  }

  #scan(isWanted: (sessionId: string) => boolean): ReadonlyMap<string, SessionRecords> {
    return scanSessions(this.#directory, isWanted, (problem) => this.#options.onProblem?.(problem));
  }

  #scanSessions(): readonly SessionSummary[] {
    return [...this.#scan(() => true)]
      .filter(([sessionId, records]) => isListedSession(sessionId, records))
      .map(([sessionId, records]) => this.summarise(sessionId, records))
      .sort((a, b) => compareText(b.lastActivity, a.lastActivity) || compareText(a.sessionId, b.sessionId));
  }

  /** Summarises a session from its records. */
  summarise(sessionId: string, records: SessionRecords): SessionSummary {
    return summariseSession(this.#options.project, sessionId, records);
  }

  /** A message with its images as data URIs. */
  withImages(message: Message): SessionMessage {
    const { images: _legacyCount, ...rest } = message;
    const images = this.readImages(message);
    return images.length > 0 ? { ...rest, images } : rest;
  }

  #forContext(message: Message): ContextMessage {
    const images = this.readImages(message);
    return { role: message.role, content: message.content, ...(images.length > 0 ? { images } : {}) };
  }

  /** The images of a message as data URIs. Missing ones are reported and left out. */
  readImages(message: Pick<Message, 'id' | 'imageRefs'>): readonly string[] {
    const images: string[] = [];
    for (const name of message.imageRefs ?? []) {
      const image = readImage(this.#imageDirectory, name);
      if (image !== undefined) images.push(image);
      else
        this.#options.onProblem?.({
          path: join(this.#imageDirectory, name),
          reason: 'missing',
          detail: `the image of message ${message.id} is missing`,
        });
    }
    return images;
  }
}

function summaryExchange(summary: string): readonly ContextMessage[] {
  if (summary === '') return [];
  return [
    { role: 'user', content: summary },
    { role: 'assistant', content: SUMMARY_ACKNOWLEDGEMENT },
  ];
}

function omitEmpty<T extends object>(fields: T): T {
  const kept = Object.entries(fields).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(kept) as T;
}
