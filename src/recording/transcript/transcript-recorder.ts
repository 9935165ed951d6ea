import type {
  CallEvent,
  MessageEvent,
  NoteEvent,
  ResultEvent,
  TranscriptEvent,
  TranscriptSource,
} from '../../agents/transcript/transcript.ts';
import type { TextLists } from '../../config/settings.ts';
import { buildAttemptFromFields, type Checkout, RequestDescriber } from '../../facts/attempt/build-attempt.ts';
import { buildFeedbackAttempt } from '../../facts/attempt/feedback.ts';
import { isFollowUp } from '../../facts/attempt/follow-up.ts';
import { describeCall } from '../../facts/call/describe-call.ts';
import { findFileEdits } from '../../facts/call/file-edits.ts';
import { type CallResult, isOwnTool } from '../../facts/call/tool-call.ts';
import { textHash } from '../../record/id.ts';
import { omitUndefined } from '../../record/object.ts';
import { type Attempt, type Message, RECORD_VERSION } from '../../record/record.ts';
import type { Checkouts } from '../checkout.ts';
import { ImportCounter, type ImportCounts } from './import-counts.ts';
import {
  type Ancestor,
  findLineage,
  hasMessage,
  isDeletedAt,
  type KnownRecords,
  transcriptRecordId,
} from './known-records.ts';
import { RecordBuffer, storeImages } from './record-buffer.ts';
import {
  addUsage,
  type OpenCall,
  type ReadingState,
  type TranscriptSession,
  TranscriptSessions,
} from './session-state.ts';

/** Options of a {@link TranscriptRecorder}. */
export interface TranscriptRecorderOptions {
  /** The project's data folder. */
  readonly directory: string;
  readonly agent: string;
  /** The checkouts of the user's own calls. Default: none is asked. */
  readonly checkouts?: Checkouts | undefined;
  /** The checkout that contains a working directory; paths are stored relative to it. */
  readonly findRoot: (cwd: string | undefined) => string | undefined;
  /** What the logs already contain. */
  readonly known: KnownRecords;
  /** The setting `tags.extra`. */
  readonly extraTags: TextLists;
  /** Time of events without one, as long as no earlier event had one. */
  readonly defaultTime: () => number;
  /** State of the sessions at the end of the previous reading. */
  readonly sessions?: readonly ReadingState[];
  /** Only count, write nothing. Default false. */
  readonly dryRun?: boolean;
  readonly isForeign?: TranscriptSource['isForeign'];
  /** Called for each new attempt after it was written. */
  readonly onAttempt?: (attempt: Attempt) => void;
  /** Called for each new prompt of the user. */
  readonly onPrompt?: (prompt: TypedMessage) => void;
}

/** A prompt of the user. */
export type TypedMessage = Pick<MessageEvent, 'text' | 'uses'> & { readonly timestamp: string };

/** More than any agent makes in parallel. */
const MAX_OPEN_CALLS = 32;
/** One message may be queued while a call runs; with the second one the call must be over. */
const MAX_PROMPTS_WHILE_OPEN = 2;
const UNKNOWN_RESULT: CallResult = { status: 'unknown' };

/**
 * Writes the events of a transcript to a project's logs, each once. A call is recorded with its result; one without a
 * result as unclear after two more prompts, when more than 32 calls are open in the session, or by {@link endOpenCalls}.
 */
export class TranscriptRecorder {
  readonly #options: TranscriptRecorderOptions;
  readonly #context: RequestDescriber;
  readonly #buffer: RecordBuffer;
  readonly #counter = new ImportCounter();
  readonly #sessions: TranscriptSessions;
  #unreported: Attempt[] = [];

  constructor(options: TranscriptRecorderOptions) {
    this.#options = options;
    this.#context = new RequestDescriber(options.extraTags);
    this.#buffer = new RecordBuffer(options.directory, options.isForeign ? { foreign: true } : {});
    this.#sessions = new TranscriptSessions(options.sessions ?? []);
  }

  /** What was recorded so far. */
  get counts(): ImportCounts {
    return this.#counter;
  }

  /** State of the sessions, to be stored. Call {@link flush} first. Deleted sessions are left out. */
  get sessions(): readonly ReadingState[] {
    return this.#sessions.states((session) => !this.#endsDeleted(session));
  }

  /** Whether the session that was read last is deleted: the position of its reader may contain text of it. */
  get isDeleted(): boolean {
    return this.#sessions.last !== undefined && this.#endsDeleted(this.#sessions.last);
  }

  /** The sessions that had events, with the time of the last one. */
  get touched(): readonly { readonly id: string; readonly lastTime: string | undefined }[] {
    return [...this.#sessions.touched];
  }

  /** Adds the next event. */
  add(event: TranscriptEvent): void {
    switch (event.type) {
      case 'skip':
        this.#counter.skip(event.reason, event.isProblem);
        return;
      case 'session':
        this.#sessions.get(event.sessionId).update(event);
        return;
      case 'message':
        this.#addMessage(event);
        break;
      case 'call':
        this.#addCall(event);
        break;
      case 'result':
        this.#addResult(event);
        break;
      case 'note':
        this.#addNote(event);
    }
    if (this.#buffer.isFull) this.flush();
  }

  /** Records calls without a result as unclear, in all sessions or in those without events since a time (ISO 8601). */
  endOpenCalls(quietSince?: string): void {
    for (const session of this.#sessions.all()) {
      if (quietSince !== undefined && (session.lastTime ?? '') > quietSince) continue;
      for (const call of session.open.values()) this.#recordCall(session, call, UNKNOWN_RESULT, call.timestamp);
      session.open.clear();
      this.#endTurn(session);
    }
  }

  /** Writes the buffered records. */
  flush(): void {
    for (const session of this.#sessions.touched) {
      this.#writeMessage(session.edits.release());
      this.#recordTitle(session);
    }
    this.#buffer.flush();
    const written = this.#unreported;
    this.#unreported = [];
    for (const attempt of written) this.#options.onAttempt?.(attempt);
  }

  #addMessage(event: MessageEvent): void {
    const session = this.#sessions.get(event.sessionId);
    const timestamp = session.normaliseTime(event.timestamp, this.#options.defaultTime);
    const hasContent = event.text.trim() !== '' || event.kind === 'checkpoint' || (event.images?.length ?? 0) > 0;
    if (!hasContent) {
      session.fields.usage = addUsage(session.fields.usage, event.usage);
      return;
    }
    const isPrompt = event.role === 'user' && event.isSystem !== true && event.kind === undefined;
    if (isPrompt) this.#endCallsBeforePrompt(session);
    if (event.role === 'user') this.#endTurn(session);
    else this.#writeMessage(session.edits.release());
    const key = event.id ?? `${event.role} ${session.nextOrdinal(event.role)} ${textHash(event.text)}`;
    const makeId = (sessionId: string): string =>
      event.keepsId ? key : transcriptRecordId(this.#options.agent, sessionId, 'message', key);
    const id = makeId(session.id);
    const isDeleted = this.#isDeleted(session, timestamp);
    if (isDeleted || hasMessage(this.#lineage(session), event, timestamp, makeId)) {
      if (isDeleted) {
        session.fields.title = undefined;
        this.#counter.skip('forgotten session');
      } else this.#counter.duplicates++;
      if (event.role === 'assistant') session.edits.skipReply();
    } else this.#recordMessage(session, event, id, timestamp, isPrompt);
    if (isPrompt && !isDeleted && (session.fields.request === undefined || !isFollowUp(event.text))) {
      session.fields.request = this.#context.describe(event.text);
    }
  }

  #endCallsBeforePrompt(session: TranscriptSession): void {
    for (const call of session.open.values()) {
      const promptsSince = call.promptsSince + 1;
      if (promptsSince < MAX_PROMPTS_WHILE_OPEN) {
        session.open.set(call.callId, { ...call, promptsSince });
        continue;
      }
      session.open.delete(call.callId);
      this.#recordCall(session, call, UNKNOWN_RESULT, call.timestamp);
    }
  }

  #recordMessage(
    session: TranscriptSession,
    event: MessageEvent,
    id: string,
    timestamp: string,
    isPrompt: boolean,
  ): void {
    const { role, text } = event;
    const imageRefs = this.#storeImages(event);
    const message = session.toMessage(event, { id, timestamp, agent: this.#options.agent, imageRefs });
    this.#options.known.session(session.id).addId(id);
    this.#counter.messages++;
    if (role === 'assistant') session.edits.hold(message);
    else this.#writeMessage(message);
    if (!isPrompt || session.isSubagent) return;
    this.#recordFeedback(session, message);
    this.#options.onPrompt?.({ text, timestamp, ...omitUndefined({ uses: event.uses }) });
  }

  #writeMessage(message: Message | undefined): void {
    if (message !== undefined && !this.#options.dryRun) this.#buffer.addMessage(message);
  }

  /** The turn is over: its last reply is complete, and edits that no reply of it mentions are a reply of their own. */
  #endTurn(session: TranscriptSession): void {
    this.#writeMessage(session.edits.endTurn());
    const { firstUnattached } = session.edits;
    if (firstUnattached === undefined || session.lastTime === undefined) return;
    const { agent } = this.#options;
    const id = transcriptRecordId(agent, session.id, 'message', `edits ${firstUnattached}`);
    const reply = { v: RECORD_VERSION, id, sessionId: session.id, timestamp: session.lastTime, agent, content: '' };
    const message = session.edits.attach({ ...reply, role: 'assistant' });
    const known = this.#options.known.session(session.id);
    if (known.hasId(id)) return;
    known.addId(id);
    this.#counter.messages++;
    this.#writeMessage(message);
  }

  /** Records the title of a session that has messages or attempts, if it is new. */
  #recordTitle(session: TranscriptSession): void {
    const { title, recordedTitle, timestamp } = session.fields;
    if (title === undefined || timestamp === undefined || String(title) === String(recordedTitle)) return;
    session.fields.recordedTitle = title;
    const { agent, known } = this.#options;
    const id = transcriptRecordId(agent, session.id, 'message', `title ${recordedTitle ?? ''} ${title}`);
    if (known.session(session.id).hasId(id) || this.#isDeleted(session, timestamp)) return;
    known.session(session.id).addId(id);
    const [content, isChosen] = title;
    const base = { v: RECORD_VERSION, id, sessionId: session.id, timestamp, content, agent };
    this.#writeMessage({ ...base, role: isChosen ? 'user' : 'assistant', kind: 'title', systemEvent: true });
  }

  #storeImages({ images }: MessageEvent): readonly string[] {
    if (images === undefined || this.#options.dryRun) return [];
    const names = storeImages(this.#options.directory, images, (reason) => this.#counter.skip(reason));
    this.#counter.images += names.length;
    return names;
  }

  /** Records the user's remark that the previous request worked or failed. */
  #recordFeedback(session: TranscriptSession, { id, timestamp, content, agent, branch }: Message): void {
    if (session.fields.request === undefined) return;
    const prompt = { sessionId: session.id, timestamp, text: content, ...omitUndefined({ agent, branch }) };
    const draft = buildFeedbackAttempt(prompt, session.fields.request.text, () => session.fields.lastCall);
    if (draft !== undefined) this.#recordAttempt(session, 'feedback', id, draft);
  }

  #addCall(event: CallEvent): void {
    const session = this.#sessions.get(event.sessionId);
    const timestamp = session.normaliseTime(event.timestamp, this.#options.defaultTime);
    const { callId, tool, input } = event;
    if (isOwnTool(tool)) {
      // So that its result is recognised as well.
      this.#options.known.session(session.id).addCall(callId);
      this.#counter.skip("call of yore's own tool");
      return;
    }
    if (this.#isDeleted(session, timestamp)) {
      this.#counter.skip('forgotten session');
      return;
    }
    const cwd = event.cwd ?? session.fields.cwd;
    const root = this.#options.findRoot(cwd);
    const [, ...ancestors] = this.#lineage(session);
    if (!ancestors.some(({ records }) => records.hasCall(callId))) {
      session.edits.start(callId, findFileEdits({ tool, input, ...omitUndefined({ cwd, root }) }));
    }
    if (session.open.has(callId) || this.#isKnownCall(session, callId)) {
      this.#counter.duplicates++;
      return;
    }
    const fields = describeCall({
      sessionId: session.id,
      agent: this.#options.agent,
      tool,
      input,
      timestamp,
      ...omitUndefined({
        cwd,
        root,
        branch: session.fields.branch,
        parentSessionId: session.startedBy,
      }),
    });
    const request = event.request === undefined ? undefined : this.#context.describe(event.request);
    const more = omitUndefined({ request, tags: event.tags });
    session.open.set(callId, { callId, timestamp, fields, ...more, promptsSince: 0 });
    const [oldest] = session.open.values();
    if (oldest === undefined || session.open.size <= MAX_OPEN_CALLS) return;
    session.open.delete(oldest.callId);
    this.#recordCall(session, oldest, UNKNOWN_RESULT, oldest.timestamp);
  }

  #addResult(event: ResultEvent): void {
    const session = this.#sessions.get(event.sessionId);
    const timestamp = session.normaliseTime(event.timestamp, this.#options.defaultTime);
    const call = session.open.get(event.callId);
    session.edits.end(event.callId, event.result.status);
    if (call !== undefined) {
      session.open.delete(event.callId);
      this.#recordCall(session, call, event.result, timestamp);
    } else if (!this.#isDeleted(session, timestamp) && !this.#isKnownCall(session, event.callId)) {
      this.#counter.skip('result without its call');
    }
  }

  #recordCall(session: TranscriptSession, call: OpenCall, result: CallResult, endedAt: string): void {
    const { callId, timestamp, fields } = call;
    // A hook may have recorded it since it was read.
    if (this.#isKnownCall(session, callId)) {
      this.#counter.duplicates++;
      return;
    }
    const draft = buildAttemptFromFields({ sessionId: session.id, callId, timestamp }, fields, result, {
      ...this.#context.of(call.request ?? session.fields.request),
      ...omitUndefined({ endedAt, checkout: this.#checkoutOf(session) }),
    });
    const { command, path, signature, outcome } = draft;
    const tags = call.tags === undefined ? draft.tags : [...new Set([...call.tags, ...(draft.tags ?? [])])];
    session.fields.lastCall = omitUndefined({ command, path, tags });
    const known = this.#options.known.session(session.id);
    known.addCall(callId);
    if (signature !== undefined && known.matchHookCall(signature, outcome, timestamp, endedAt)) {
      this.#counter.duplicates++;
      return;
    }
    this.#recordAttempt(session, 'call', callId, { ...draft, ...omitUndefined({ tags }) });
  }

  #checkoutOf(session: TranscriptSession): Checkout | undefined {
    const { checkouts, findRoot, isForeign, dryRun } = this.#options;
    const root = isForeign || dryRun ? undefined : findRoot(session.fields.cwd);
    return root === undefined ? undefined : checkouts?.at(root);
  }

  #addNote({ id, outcome, fields, ...event }: NoteEvent): void {
    const session = this.#sessions.get(event.sessionId);
    const timestamp = session.normaliseTime(event.timestamp, this.#options.defaultTime);
    if (this.#isDeleted(session, timestamp)) this.#counter.skip('forgotten session');
    else if (this.#isKnownCall(session, id)) this.#counter.duplicates++;
    else {
      this.#options.known.session(session.id).addCall(id);
      const note = { timestamp, sessionId: session.id, outcome, callId: id, agent: this.#options.agent, kind: 'note' };
      this.#recordAttempt(session, 'call', id, { ...note, ...fields });
    }
  }

  #recordAttempt(
    session: TranscriptSession,
    kind: 'call' | 'feedback',
    key: string,
    draft: Omit<Attempt, 'v' | 'id'>,
  ): void {
    this.#counter.addAttempt(draft.outcome);
    if (this.#options.dryRun) return;
    const id = transcriptRecordId(this.#options.agent, session.id, kind, key);
    const attempt = { v: RECORD_VERSION, id, ...draft };
    this.#buffer.addAttempt(attempt);
    if (this.#options.onAttempt !== undefined) this.#unreported.push(attempt);
  }

  #endsDeleted(session: TranscriptSession): boolean {
    return session.lastTime !== undefined && this.#isDeleted(session, session.lastTime);
  }

  #isDeleted(session: TranscriptSession, timestamp: string): boolean {
    return isDeletedAt(this.#options.known, session, timestamp);
  }

  #isKnownCall(session: TranscriptSession, callId: string): boolean {
    return this.#lineage(session).some(({ records }) => records.hasCall(callId));
  }

  #lineage(session: TranscriptSession): readonly Ancestor[] {
    const { parentSessionId, isFork = false } = session.fields;
    return findLineage(this.#options.known, session.id, parentSessionId, isFork);
  }
}
