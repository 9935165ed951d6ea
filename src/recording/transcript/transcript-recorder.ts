import type {
  CallEvent,
  MessageEvent,
  ResultEvent,
  TranscriptEvent,
} from '../../agents/transcript/transcript-event.ts';
import type { TextLists } from '../../config/index.ts';
import {
  buildAttemptFromFields,
  buildFeedbackAttempt,
  CallContext,
  type CallResult,
  describeCall,
  isFollowUp,
  isOwnTool,
} from '../../memory/index.ts';
import { type Attempt, type Message, RECORD_VERSION, textHash } from '../../record/index.ts';
import { ImportCounter, type ImportCounts } from './import-counts.ts';
import { type Ancestor, findLineage, type KnownRecords, transcriptRecordId } from './known-records.ts';
import { RecordBuffer, storeImages } from './record-buffer.ts';
import { type OpenCall, type SessionState, sumUsage, TranscriptSession } from './session-state.ts';

/** What an {@link TranscriptRecorder} needs to know. */
export interface TranscriptRecorderOptions {
  /** The folder that holds the project's logs. */
  readonly directory: string;
  readonly agent: string;
  /** The checkout that a folder is in: paths are kept relative to it. Undefined for a session without a folder. */
  readonly findRoot: (cwd: string | undefined) => string | undefined;
  /** What the logs hold already. */
  readonly known: KnownRecords;
  /** The setting `tags.extra`. */
  readonly extraTags: TextLists;
  /** For what has no time, and nothing before it had one. */
  readonly clock: () => number;
  /** What was kept of the sessions at the end of the reading before. */
  readonly sessions?: readonly SessionState[];
  /** With false nothing is written: only counted. Default true. */
  readonly write?: boolean;
  /** Told of each attempt that is new, after it was written. */
  readonly onAttempt?: (attempt: Attempt) => void;
  /** Told of what a person typed, when it is new. */
  readonly onPrompt?: (text: string, timestamp: string) => void;
}

/** More open calls at once than any agent makes in parallel. */
const MAX_OPEN_CALLS = 32;
/** A message may be queued while a call runs; after the next one the call is over, whatever became of it. */
const MAX_PROMPTS_WHILE_OPEN = 2;
/** Sessions whose state is kept between readings. */
const MAX_STORED_SESSIONS = 200;
const UNKNOWN: CallResult = { status: 'unknown' };

/**
 * Makes records of what a transcript tells and writes them to a project's logs, each once. A call is recorded when its
 * result comes. One whose result never comes is recorded as unclear when the user has spoken twice since, when more
 * than 32 others are open in the session, or when {@link endOpenCalls} says that the session is over.
 */
export class TranscriptRecorder {
  readonly #options: TranscriptRecorderOptions;
  readonly #context: CallContext;
  readonly #buffer: RecordBuffer;
  readonly #tally = new ImportCounter();
  readonly #sessions = new Map<string, TranscriptSession>();
  readonly #touched = new Set<TranscriptSession>();
  #session: TranscriptSession | undefined;
  #unreported: Attempt[] = [];

  constructor(options: TranscriptRecorderOptions) {
    this.#options = options;
    this.#context = new CallContext(options.extraTags);
    this.#buffer = new RecordBuffer(options.directory);
    for (const state of options.sessions ?? []) {
      this.#sessions.set(state.sessionId, new TranscriptSession(state));
    }
  }

  /** What became of the events so far. */
  get counts(): ImportCounts {
    return this.#tally;
  }

  /** What has to be kept of the sessions to go on later. Call {@link flush} before. */
  get sessions(): readonly SessionState[] {
    return [...this.#sessions.values()].slice(-MAX_STORED_SESSIONS).map((session) => session.state());
  }

  /** The sessions that the events so far were of, and when something happened there last. */
  get touched(): readonly { readonly id: string; readonly lastTime: string | undefined }[] {
    return [...this.#touched];
  }

  /** Takes in the next event of a transcript. */
  add(event: TranscriptEvent): void {
    switch (event.type) {
      case 'skip':
        this.#tally.skip(event.reason, event.isProblem);
        return;
      case 'session':
        this.#of(event.sessionId).update(event);
        return;
      case 'message':
        this.#message(event);
        break;
      case 'call':
        this.#call(event);
        break;
      case 'result':
        this.#result(event);
    }
    if (this.#buffer.isFull) this.flush();
  }

  /** Calls without a result are over, in all sessions or in those where nothing has happened since a time (ISO 8601). */
  endOpenCalls(quietSince?: string): void {
    for (const session of this.#sessions.values()) {
      if (quietSince !== undefined && (session.lastTime ?? '') > quietSince) continue;
      for (const call of session.open.values()) this.#finish(session, call, UNKNOWN, call.timestamp);
      session.open.clear();
    }
  }

  /** Writes what has been taken in. */
  flush(): void {
    this.#buffer.flush();
    const written = this.#unreported;
    this.#unreported = [];
    for (const attempt of written) this.#options.onAttempt?.(attempt);
  }

  #of(sessionId: string): TranscriptSession {
    if (this.#session?.id === sessionId) return this.#session;
    const session = this.#sessions.get(sessionId) ?? TranscriptSession.begin(sessionId);
    // The one touched last is the last.
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, session);
    this.#session = session;
    this.#touched.add(session);
    return session;
  }

  #message(event: MessageEvent): void {
    const session = this.#of(event.sessionId);
    const timestamp = session.normaliseTime(event.timestamp, this.#options.clock);
    const isSaid = event.text.trim() !== '' || event.kind === 'checkpoint' || (event.images?.length ?? 0) > 0;
    if (!isSaid) {
      session.usage = sumUsage(session.usage, event.usage);
      return;
    }
    const isPrompt = event.role === 'user' && event.isSystem !== true && event.kind === undefined;
    if (isPrompt) this.#endCallsBefore(session);
    const own = event.id ?? `${event.role} ${session.nextOrdinal(event.role)} ${textHash(event.text)}`;
    const id = transcriptRecordId(this.#options.agent, session.id, 'message', own);
    if (this.#isForgotten(session, timestamp)) this.#tally.skip('forgotten session');
    else if (this.#isKnownMessage(session, event, { own, id }, timestamp)) this.#tally.duplicates++;
    else this.#record(session, event, id, timestamp, isPrompt);
    if (isPrompt && (session.request === undefined || !isFollowUp(event.text))) {
      session.request = this.#context.describe(event.text);
    }
  }

  /** The calls that the user's words leave behind. */
  #endCallsBefore(session: TranscriptSession): void {
    for (const call of session.open.values()) {
      const promptsSince = call.promptsSince + 1;
      if (promptsSince < MAX_PROMPTS_WHILE_OPEN) {
        session.open.set(call.callId, { ...call, promptsSince });
        continue;
      }
      session.open.delete(call.callId);
      this.#finish(session, call, UNKNOWN, call.timestamp);
    }
  }

  #record(
    session: TranscriptSession,
    event: MessageEvent,
    id: string,
    timestamp: string,
    isPrompt: boolean,
  ): void {
    const { agent } = this.#options;
    const { role, text, kind } = event;
    const model = event.model ?? (role === 'assistant' ? session.model : undefined);
    const usage = role === 'assistant' ? sumUsage(session.usage, event.usage) : event.usage;
    if (role === 'assistant') session.usage = undefined;
    const imageRefs = this.#storeImages(event);
    const message: Message = {
      v: RECORD_VERSION,
      id,
      sessionId: session.id,
      timestamp,
      role,
      content: text,
      ...(kind === undefined ? {} : { kind }),
      ...(usage === undefined ? {} : { usage }),
      ...(session.parentSessionId === undefined ? {} : { parentSessionId: session.parentSessionId }),
      ...(imageRefs.length === 0 ? {} : { imageRefs }),
      agent,
      ...(model === undefined ? {} : { model }),
      ...(session.branch === undefined ? {} : { branch: session.branch }),
      ...(event.isSystem === true ? { systemEvent: true } : {}),
    };
    this.#options.known.session(session.id).addId(id);
    this.#tally.messages++;
    if (this.#options.write !== false) this.#buffer.addMessage(message);
    if (!isPrompt || session.isSubagent) return;
    this.#feedback(session, message);
    this.#options.onPrompt?.(text, timestamp);
  }

  #storeImages({ images }: MessageEvent): readonly string[] {
    if (images === undefined || this.#options.write === false) return [];
    const names = storeImages(this.#options.directory, images, (reason) => this.#tally.skip(reason));
    this.#tally.images += names.length;
    return names;
  }

  /** Where the user says of the request before that it worked or failed. */
  #feedback(session: TranscriptSession, { id, timestamp, content, agent, branch }: Message): void {
    if (session.request === undefined) return;
    const draft = buildFeedbackAttempt(
      {
        sessionId: session.id,
        timestamp,
        text: content,
        ...(agent === undefined ? {} : { agent }),
        ...(branch === undefined ? {} : { branch }),
      },
      session.request.text,
      () => session.lastCall,
    );
    if (draft === undefined) return;
    this.#write({
      v: RECORD_VERSION,
      id: transcriptRecordId(this.#options.agent, session.id, 'feedback', id),
      ...draft,
    });
  }

  #call(event: CallEvent): void {
    const session = this.#of(event.sessionId);
    const timestamp = session.normaliseTime(event.timestamp, this.#options.clock);
    const { callId, tool, input } = event;
    if (isOwnTool(tool)) {
      // Its result is then one whose call is known.
      this.#options.known.session(session.id).addCall(callId);
      this.#tally.skip("call of yore's own tool");
      return;
    }
    if (this.#isForgotten(session, timestamp)) {
      this.#tally.skip('forgotten session');
      return;
    }
    if (session.open.has(callId) || this.#isKnownCall(session, callId)) {
      this.#tally.duplicates++;
      return;
    }
    const cwd = event.cwd ?? session.cwd;
    const root = this.#options.findRoot(cwd);
    const fields = describeCall({
      sessionId: session.id,
      agent: this.#options.agent,
      tool,
      input,
      timestamp,
      ...(cwd === undefined ? {} : { cwd }),
      ...(root === undefined ? {} : { root }),
      ...(session.branch === undefined ? {} : { branch: session.branch }),
      ...(session.commit === undefined ? {} : { commit: session.commit }),
    });
    const request = event.request === undefined ? {} : { request: this.#context.describe(event.request) };
    session.open.set(callId, { callId, timestamp, fields, ...request, promptsSince: 0 });
    const [oldest] = session.open.values();
    if (oldest === undefined || session.open.size <= MAX_OPEN_CALLS) return;
    session.open.delete(oldest.callId);
    this.#finish(session, oldest, UNKNOWN, oldest.timestamp);
  }

  #result(event: ResultEvent): void {
    const session = this.#of(event.sessionId);
    const timestamp = session.normaliseTime(event.timestamp, this.#options.clock);
    const call = session.open.get(event.callId);
    if (call !== undefined) {
      session.open.delete(event.callId);
      this.#finish(session, call, event.result, timestamp);
    } else if (!this.#isForgotten(session, timestamp) && !this.#isKnownCall(session, event.callId)) {
      this.#tally.skip('result without its call');
    }
  }

  #finish(session: TranscriptSession, call: OpenCall, result: CallResult, endedAt: string): void {
    const { callId, timestamp, fields } = call;
    // It may have been recorded live since it was read.
    if (this.#isKnownCall(session, callId)) {
      this.#tally.duplicates++;
      return;
    }
    const draft = buildAttemptFromFields(
      { sessionId: session.id, callId, timestamp },
      fields,
      result,
      this.#context.of(call.request ?? session.request),
    );
    const { command, path, tags } = draft;
    session.lastCall = {
      ...(command === undefined ? {} : { command }),
      ...(path === undefined ? {} : { path }),
      ...(tags === undefined ? {} : { tags }),
    };
    const known = this.#options.known.session(session.id);
    known.addCall(callId);
    if (draft.signature !== undefined && known.claimCall(draft.signature, timestamp, endedAt)) {
      this.#tally.duplicates++;
      return;
    }
    const id = transcriptRecordId(this.#options.agent, session.id, 'call', callId);
    this.#write({ v: RECORD_VERSION, id, ...draft });
  }

  #write(attempt: Attempt): void {
    this.#tally.addAttempt(attempt.outcome);
    if (this.#options.write === false) return;
    this.#buffer.addAttempt(attempt);
    if (this.#options.onAttempt !== undefined) this.#unreported.push(attempt);
  }

  #isForgotten(session: TranscriptSession, timestamp: string): boolean {
    const { deletedAt: forgottenAt } = this.#options.known.session(session.id);
    return forgottenAt !== undefined && timestamp <= forgottenAt;
  }

  /** `id`: of the record it would be here; `own`: what that is made of, in a session that this one was forked from too. */
  #isKnownMessage(
    session: TranscriptSession,
    event: MessageEvent,
    { own, id }: { readonly own: string; readonly id: string },
    timestamp: string,
  ): boolean {
    const ancestors = this.#lineage(session);
    for (const { id: sessionId, records } of ancestors) {
      const there =
        sessionId === session.id ? id : transcriptRecordId(this.#options.agent, sessionId, 'message', own);
      if (records.hasId(there)) return true;
    }
    if (event.kind === 'checkpoint') return false;
    return ancestors.some(({ records }) => records.claimMessage(event.role, event.text, timestamp));
  }

  #isKnownCall(session: TranscriptSession, callId: string): boolean {
    return this.#lineage(session).some(({ records }) => records.hasCall(callId));
  }

  #lineage(session: TranscriptSession): readonly Ancestor[] {
    return findLineage(this.#options.known, session.id, session.parentSessionId, session.isFork);
  }
}
