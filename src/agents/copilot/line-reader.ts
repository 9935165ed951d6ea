import type { CallResult } from '../../memory/index.ts';
import { omitUndefined } from '../../record/index.ts';
import {
  asCount,
  asFields,
  asName,
  asNumber,
  asObjects,
  asText,
  asTime,
  type Fields,
  parseFields,
} from '../transcript/fields.ts';
import type { LineReader } from '../transcript/line-reading.ts';
import {
  problem,
  type SessionEvent,
  skip,
  type TranscriptEvent,
  type TranscriptImage,
  unknownType,
} from '../transcript/transcript-event.ts';
import {
  asReaderState,
  type BackgroundCall,
  NOTHING_READ,
  type OpenCall,
  type ReaderState,
  reasonToSkip,
  remembering,
  shutdownTotals,
  usageSince,
} from './reader-state.ts';
import { copilotCallEnd, stoppedShell } from './tool-result.ts';

/** What the file's place tells, for sessions that do not say it themselves. */
export interface FilePlace {
  readonly sessionId: string;
  readonly cwd?: string;
}

/** Who a line is about. */
interface Scene {
  readonly sessionId: string;
  readonly agentId?: string;
  readonly timestamp?: string;
}

/** Reads the events of a session of Copilot CLI. Its sub-agents are in the same file, as sessions of their own. */
export class CopilotLineReader implements LineReader {
  readonly #place: FilePlace;
  #state: ReaderState;
  #stateFields: Fields;

  constructor(state: Fields | undefined, place: FilePlace) {
    this.#place = place;
    this.#state = state ? asReaderState(state) : NOTHING_READ;
    this.#stateFields = { ...this.#state };
  }

  state(): Fields {
    return this.#stateFields;
  }

  skipReason(head: string): string | undefined {
    const type = /^\{"type":"([a-z_.]{1,80})"/.exec(head)?.[1];
    return type === undefined ? undefined : reasonToSkip(type);
  }

  *read(line: Fields): Generator<TranscriptEvent> {
    const type = asName(line.type);
    const reason = type === undefined ? undefined : reasonToSkip(type);
    if (type === undefined || reason !== undefined) {
      yield reason === undefined ? unknownType('line', line.type) : skip(reason);
      return;
    }
    const data = asFields(line.data) ?? {};
    if (type === 'session.start' || type === 'session.resume') {
      yield* this.#session(data);
      return;
    }
    if (this.#state.sessionId === undefined) yield* this.#session({});
    yield* this.#tell(type, line, data);
  }

  *#tell(type: string, line: Fields, data: Fields): Generator<TranscriptEvent> {
    switch (type) {
      case 'user.message':
        yield* this.#userMessage(line, data);
        return;
      case 'assistant.message':
        yield* this.#reply(line, data);
        return;
      case 'tool.user_requested':
      case 'tool.execution_start':
        yield* this.#call(yield* this.#scene(line, data), data.toolCallId, data.toolName, data.arguments);
        return;
      case 'tool.execution_complete':
        yield* this.#callEnd(line, data);
        return;
      case 'subagent.started':
        yield* this.#scene(line, { parentToolCallId: data.toolCallId });
        return;
      case 'system.notification':
        this.#notice(asFields(data.kind));
        yield skip('notice');
        return;
      case 'abort':
        this.#change({ isAborted: true });
        yield skip('abort');
        return;
      default:
        yield* this.#aboutSession(type, line, data);
    }
  }

  *#aboutSession(type: string, line: Fields, data: Fields): Generator<TranscriptEvent> {
    const { sessionId } = this.#scope();
    switch (type) {
      case 'session.context_changed':
        yield { type: 'session', sessionId, ...contextOf(data) };
        return;
      case 'session.model_change':
        yield { type: 'session', sessionId, ...omitUndefined({ model: asName(data.newModel) }) };
        return;
      case 'session.info':
        yield* this.#trustedFolder(data);
        return;
      case 'session.error':
        yield { ...this.#said(line), role: 'assistant', text: asText(data.message) ?? '', isSystem: true };
        return;
      case 'session.truncation':
        if ((asCount(data.messagesRemovedDuringTruncation) ?? 0) > 0) yield this.#checkpoint(line, '');
        else yield skip('bookkeeping of the session');
        return;
      case 'session.compaction_complete':
        if (data.success === false) yield skip('compaction that failed');
        else yield this.#checkpoint(line, asText(data.summaryContent) ?? '');
        return;
      case 'session.shutdown':
        yield* this.#shutdown(line, data);
        return;
      default:
        yield unknownType('line', type);
    }
  }

  *#session(data: Fields): Generator<TranscriptEvent> {
    yield* this.#announcedEnds();
    const sessionId = asName(data.sessionId) ?? this.#state.sessionId ?? this.#place.sessionId;
    const context = contextOf(asFields(data.context) ?? {});
    const cwd = context.cwd ?? this.#state.cwd ?? this.#place.cwd;
    this.#change({ sessionId, ...omitUndefined({ cwd }) });
    const model = asName(data.selectedModel) ?? asName(data.model);
    yield { type: 'session', sessionId, ...context, ...omitUndefined({ cwd, model }) };
  }

  /** Older versions name the folder of a session only when it is trusted. */
  *#trustedFolder(data: Fields): Generator<TranscriptEvent> {
    const message = asText(data.message)?.slice(0, 5000) ?? '';
    const cwd = /^Folder (\S.*) has been added to trusted folders/.exec(message)?.[1];
    if (cwd === undefined || this.#state.cwd !== undefined) {
      yield skip('notice');
      return;
    }
    this.#change({ cwd });
    yield { type: 'session', sessionId: this.#scope().sessionId, cwd };
  }

  *#userMessage(line: Fields, data: Fields): Generator<TranscriptEvent> {
    const scene = yield* this.#scene(line, data);
    const text = asText(data.content) ?? '';
    const images = asObjects(data.attachments).flatMap(imageOf);
    const isTyped = data.source === undefined || data.source === null || data.source === 'user';
    if (!isTyped || (text === '' && images.length === 0)) {
      yield skip(isTyped ? 'empty message' : 'injected text');
      return;
    }
    if (scene.agentId === undefined) yield* this.#turnBegins();
    const said = { ...this.#said(line), sessionId: scene.sessionId };
    yield { ...said, role: 'user', text, ...(images.length === 0 ? {} : { images }) };
  }

  /** When the user speaks again after stopping a turn, what was not ended then never will be. */
  *#turnBegins(): Generator<TranscriptEvent> {
    yield* this.#announcedEnds();
    const { isAborted, open } = this.#state;
    if (isAborted !== true) return;
    const stopped = open.filter((call) => call.agentId === undefined);
    this.#change({ isAborted: false, open: open.filter((call) => call.agentId !== undefined) });
    for (const call of stopped) yield this.#result(call, { status: 'interrupted' });
  }

  *#reply(line: Fields, data: Fields): Generator<TranscriptEvent> {
    const scene = yield* this.#scene(line, data);
    const text = asText(data.content) ?? '';
    const outputTokens = asCount(data.outputTokens);
    const calls = asObjects(data.toolRequests);
    if (outputTokens !== undefined) this.#change({ outputTokens: this.#state.outputTokens + outputTokens });
    if (text !== '' || outputTokens !== undefined) {
      yield {
        ...this.#said(line),
        sessionId: scene.sessionId,
        role: 'assistant',
        text,
        ...omitUndefined({ model: asName(data.model) }),
        ...(outputTokens === undefined ? {} : { usage: { outputTokens } }),
      };
    } else if (calls.length === 0) yield skip('empty message');
    for (const call of calls) yield* this.#call(scene, call.toolCallId, call.name, call.arguments);
  }

  /** A call is told when the model asks for it; when it begins it is known already. */
  *#call(scene: Scene, id: unknown, name: unknown, input: unknown): Generator<TranscriptEvent> {
    const callId = asName(id);
    const tool = asName(name);
    if (callId === undefined || tool === undefined) {
      yield problem('tool call without id or name');
      return;
    }
    if (this.#state.open.some((call) => call.callId === callId)) {
      yield skip('beginning of a call');
      return;
    }
    const { sessionId, agentId, timestamp } = scene;
    this.#change({ open: remembering(this.#state.open, { callId, ...omitUndefined({ agentId }) }) });
    yield { type: 'call', sessionId, callId, tool, input: inputOf(input), ...omitUndefined({ timestamp }) };
  }

  *#callEnd(line: Fields, data: Fields): Generator<TranscriptEvent> {
    const callId = asName(data.toolCallId);
    if (callId === undefined) {
      yield problem('result of no call');
      return;
    }
    const { agentId, timestamp } = yield* this.#scene(line, data);
    const call: OpenCall = { callId, ...omitUndefined({ agentId }) };
    this.#change({ open: this.#state.open.filter((other) => other.callId !== callId) });
    const end = copilotCallEnd(data);
    if ('runningIn' in end) {
      const background = remembering(this.#state.background, { ...call, shell: end.runningIn });
      this.#change({ background });
      yield skip('command that goes on in the background');
      return;
    }
    yield this.#result(call, end.result, timestamp);
    const stopped = stoppedShell(data);
    yield* this.#shellEnds(stopped, { status: 'interrupted' }, timestamp);
    yield* this.#shellEnds(end.endedShell, end.result, timestamp);
  }

  /** The end of a command in the background is told with what is read of it, or when it was stopped. */
  *#shellEnds(
    shell: string | undefined,
    result: CallResult,
    timestamp: string | undefined,
  ): Generator<TranscriptEvent> {
    const call = this.#state.background.find((known) => known.shell === shell);
    if (!call) return;
    this.#change({ background: this.#state.background.filter((known) => known !== call) });
    yield this.#result(call, result, timestamp);
  }

  /** A command in the background ended: how is known, its output may still be read. */
  #notice(kind: Fields | undefined): void {
    const shell = asName(kind?.shellId);
    const exitCode = asNumber(kind?.exitCode);
    if (shell === undefined || exitCode === undefined) return;
    const background = this.#state.background.map(
      (call): BackgroundCall => (call.shell === shell ? { ...call, exitCode } : call),
    );
    this.#change({ background });
  }

  /** Commands in the background whose end was announced and whose output nobody read. */
  *#announcedEnds(): Generator<TranscriptEvent> {
    const ended = this.#state.background.filter((call) => call.exitCode !== undefined);
    if (ended.length === 0) return;
    this.#change({ background: this.#state.background.filter((call) => call.exitCode === undefined) });
    for (const { exitCode = 0, ...call } of ended) {
      yield this.#result(call, { status: exitCode === 0 ? 'ok' : 'error', output: '', exitCode });
    }
  }

  *#shutdown(line: Fields, data: Fields): Generator<TranscriptEvent> {
    yield* this.#announcedEnds();
    const totals = shutdownTotals(data);
    const usage = totals && usageSince(totals, this.#state.totals, this.#state.outputTokens);
    if (!usage) {
      yield skip('bookkeeping of the session');
      return;
    }
    this.#change({ outputTokens: 0, ...omitUndefined({ totals }) });
    yield { ...this.#said(line), role: 'assistant', text: 'The session ended.', isSystem: true, usage };
  }

  #result(call: OpenCall, result: CallResult, timestamp?: string): TranscriptEvent {
    const { sessionId } = this.#scope(call.agentId);
    return { type: 'result', sessionId, callId: call.callId, ...omitUndefined({ timestamp }), result };
  }

  #checkpoint(line: Fields, text: string): TranscriptEvent {
    return { ...this.#said(line), role: 'user', text, kind: 'checkpoint', isSystem: true };
  }

  #said(line: Fields): {
    readonly type: 'message';
    readonly sessionId: string;
    readonly id?: string;
    readonly timestamp?: string;
  } {
    const { sessionId } = this.#scope();
    return {
      type: 'message',
      sessionId,
      ...omitUndefined({ id: asName(line.id), timestamp: asTime(line.timestamp) }),
    };
  }

  #scope(agentId?: string): { readonly sessionId: string } {
    const sessionId = this.#state.sessionId ?? this.#place.sessionId;
    return { sessionId: agentId === undefined ? sessionId : `${sessionId}-agent-${agentId}` };
  }

  /** Who a line is about; tells a sub-agent's session when it is met first. */
  *#scene(line: Fields, data: Fields): Generator<TranscriptEvent, Scene> {
    const agentId = asName(line.agentId) ?? asName(data.parentToolCallId);
    const timestamp = asTime(line.timestamp);
    const { sessionId } = this.#scope(agentId);
    if (agentId !== undefined && !this.#state.agents.includes(agentId)) {
      this.#change({ agents: remembering(this.#state.agents, agentId) });
      const parentSessionId = this.#scope().sessionId;
      yield { type: 'session', sessionId, parentSessionId, ...omitUndefined({ cwd: this.#state.cwd }) };
    }
    return { sessionId, ...omitUndefined({ agentId, timestamp }) };
  }

  #change(change: Partial<ReaderState>): void {
    this.#state = { ...this.#state, ...change };
    this.#stateFields = { ...this.#state };
  }
}

function contextOf(context: Fields): Pick<SessionEvent, 'cwd' | 'branch' | 'commit'> {
  const cwd = asText(context.cwd);
  return omitUndefined({
    cwd: cwd === '' ? undefined : cwd,
    branch: asName(context.branch),
    commit: asName(context.headCommit),
  });
}

/** Most tools take named arguments, in older versions as JSON; a patch is one text. */
function inputOf(value: unknown): Fields {
  const text = asText(value);
  return asFields(value) ?? (text ? (parseFields(text) ?? { input: text }) : {});
}

function imageOf(attachment: Fields): readonly TranscriptImage[] {
  const base64 = asText(attachment.data);
  const mediaType = asName(attachment.mimeType);
  return base64 && mediaType?.startsWith('image/') ? [{ mediaType, base64 }] : [];
}
