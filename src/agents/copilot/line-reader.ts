import type { CallResult } from '../../facts/call/tool-call.ts';
import { omitUndefined, parseObject } from '../../record/object.ts';
import type { Usage } from '../../record/record.ts';
import {
  asCount,
  asFields,
  asName,
  asNumber,
  asObjects,
  asText,
  asTime,
  type Fields,
  listImage,
} from '../transcript/fields.ts';
import type { LineReader } from '../transcript/line-reading.ts';
import {
  type MessageBase,
  type MessageEvent,
  problem,
  type SessionEvent,
  skip,
  type TranscriptEvent,
  unknownType,
} from '../transcript/transcript.ts';
import {
  addTokens,
  appendRecent,
  type BackgroundCall,
  findSkipReason,
  INITIAL_STATE,
  NO_TOKENS,
  parseState,
  parseUsageRecord,
  type ReaderState,
  type StartedCall,
  subtractReported,
  sumTotals,
  toUsage,
} from './reader-state.ts';
import { findStoppedShell, parseCallEnd } from './tool-result.ts';

/** What the location of a file says about its session, for files that do not say it themselves. */
export interface SessionFile {
  readonly sessionId: string;
  readonly cwd?: string;
}

/** The session that a line belongs to. */
interface LineContext {
  readonly sessionId: string;
  readonly agentId?: string;
  readonly timestamp?: string;
}

/** Reads a session of Copilot CLI. Its sub-agents are in the same file, as sessions of their own. */
export class CopilotLineReader implements LineReader {
  readonly #file: SessionFile;
  #state: ReaderState;

  constructor(state: Fields | undefined, file: SessionFile) {
    this.#file = file;
    this.#state = state ? parseState(state) : INITIAL_STATE;
  }

  state(): Fields {
    return this.#state;
  }

  skipReason(head: string): string | undefined {
    const type = /^\{"type":"([a-z_.]{1,80})"/.exec(head)?.[1];
    return type === undefined ? undefined : findSkipReason(type);
  }

  *read(line: Fields): Generator<TranscriptEvent> {
    const type = asName(line.type);
    const reason = type === undefined ? undefined : findSkipReason(type);
    if (type === undefined || reason !== undefined)
      return yield reason === undefined ? unknownType('line', line.type) : skip(reason);
    const data = asFields(line.data) ?? {};
    if (type === 'session.start' || type === 'session.resume') return yield* this.#session(data);
    if (this.#state.sessionId === undefined) yield* this.#session({});
    yield* this.#readLine(type, line, data);
  }

  *#readLine(type: string, line: Fields, data: Fields): Generator<TranscriptEvent> {
    switch (type) {
      case 'user.message':
        return yield* this.#userMessage(line, data);
      case 'assistant.message':
        return yield* this.#reply(line, data);
      case 'tool.user_requested':
      case 'tool.execution_start':
        return yield* this.#call(yield* this.#enter(line, data), data.toolCallId, data.toolName, data.arguments);
      case 'tool.execution_complete':
        return yield* this.#callEnd(line, data);
      case 'subagent.started':
        return yield* this.#enter(line, { parentToolCallId: data.toolCallId });
      case 'system.notification':
        this.#noteShellEnd(asFields(data.kind));
        return yield skip('notice');
      case 'abort':
        this.#change({ isAborted: true });
        return yield skip('abort');
      default:
        yield* this.#sessionLine(type, line, data);
    }
  }

  *#sessionLine(type: string, line: Fields, data: Fields): Generator<TranscriptEvent> {
    const { sessionId } = this.#getSession();
    switch (type) {
      case 'session.context_changed':
        return yield { type: 'session', sessionId, ...parseContext(data) };
      case 'session.model_change':
        return yield { type: 'session', sessionId, ...omitUndefined({ model: asName(data.newModel) }) };
      case 'session.title_changed':
        return yield { type: 'session', sessionId, ...omitUndefined({ title: asText(data.title) }) };
      case 'session.info':
        return yield* this.#trustedFolder(data);
      case 'session.error':
        return yield this.#systemMessage(line, asText(data.message) ?? '');
      case 'session.truncation':
        if ((asCount(data.messagesRemovedDuringTruncation) ?? 0) > 0) yield this.#checkpoint(line, '');
        else yield skip('bookkeeping of the session');
        return;
      case 'session.compaction_complete':
        if (data.success === false) yield skip('failed compaction');
        else yield this.#checkpoint(line, asText(data.summaryContent) ?? '');
        return;
      case 'session.usage_record':
        this.#change(omitUndefined({ request: parseUsageRecord(data) }));
        return yield skip('usage of one request');
      case 'session.shutdown':
        return yield* this.#shutdown(line, data);
      default:
        yield unknownType('line', type);
    }
  }

  *#session(data: Fields): Generator<TranscriptEvent> {
    yield* this.#endAnnounced();
    const sessionId = asName(data.sessionId) ?? this.#state.sessionId ?? this.#file.sessionId;
    const context = parseContext(asFields(data.context) ?? {});
    const cwd = context.cwd ?? this.#state.cwd ?? this.#file.cwd;
    this.#change({ sessionId, ...omitUndefined({ cwd }) });
    const model = asName(data.selectedModel) ?? asName(data.model);
    yield { type: 'session', sessionId, ...context, ...omitUndefined({ cwd, model }) };
  }

  /** Older versions name the folder of a session only when the user trusts it. */
  *#trustedFolder(data: Fields): Generator<TranscriptEvent> {
    const message = asText(data.message)?.slice(0, 5000) ?? '';
    const cwd = /^Folder (\S.*) has been added to trusted folders/.exec(message)?.[1];
    if (cwd === undefined || this.#state.cwd !== undefined) return yield skip('notice');
    this.#change({ cwd });
    yield { type: 'session', sessionId: this.#getSession().sessionId, cwd };
  }

  *#userMessage(line: Fields, data: Fields): Generator<TranscriptEvent> {
    const context = yield* this.#enter(line, data);
    const text = asText(data.content) ?? '';
    const images = asObjects(data.attachments).flatMap(listImage);
    const isTyped = data.source === undefined || data.source === null || data.source === 'user';
    if (!isTyped || (text === '' && images.length === 0))
      return yield skip(isTyped ? 'empty message' : 'injected text');
    if (context.agentId === undefined) yield* this.#startTurn();
    yield { ...this.#messageBase(line, context), role: 'user', text, ...(images.length === 0 ? {} : { images }) };
  }

  /** Calls still open when the user sends a message after stopping a turn were interrupted. */
  *#startTurn(): Generator<TranscriptEvent> {
    yield* this.#endAnnounced();
    const { isAborted, open } = this.#state;
    if (isAborted !== true) return;
    const stopped = open.filter((call) => call.agentId === undefined);
    this.#change({ isAborted: false, open: open.filter((call) => call.agentId !== undefined) });
    for (const call of stopped) yield this.#result(call, { status: 'interrupted' });
  }

  *#reply(line: Fields, data: Fields): Generator<TranscriptEvent> {
    const context = yield* this.#enter(line, data);
    const text = asText(data.content) ?? '';
    const calls = asObjects(data.toolRequests);
    const usage = this.#takeUsage(data);
    if (text !== '' || usage !== undefined) {
      yield {
        ...this.#messageBase(line, context),
        role: 'assistant',
        text,
        ...omitUndefined({ model: asName(data.model), usage }),
      };
    } else if (calls.length === 0) yield skip('empty message');
    for (const call of calls) yield* this.#call(context, call.toolCallId, call.name, call.arguments);
  }

  /** The usage of a reply: all tokens where they were recorded before it, else those of its text. */
  #takeUsage(data: Fields): Usage | undefined {
    const { request, reported } = this.#state;
    if (request !== undefined && request.id === data.apiCallId) {
      this.#change({ request: undefined, reported: addTokens(reported, request.tokens) });
      return toUsage(request.tokens);
    }
    const outputTokens = asCount(data.outputTokens);
    if (outputTokens === undefined) return undefined;
    this.#change({ reported: { ...reported, output: reported.output + outputTokens } });
    return { outputTokens };
  }

  /** A call is reported when the model requests it, so its start is skipped. */
  *#call(context: LineContext, id: unknown, name: unknown, input: unknown): Generator<TranscriptEvent> {
    const callId = asName(id);
    const tool = asName(name);
    if (callId === undefined || tool === undefined) return yield problem('tool call without id or name');
    if (this.#state.open.some((call) => call.callId === callId)) return yield skip('start of a call');
    const { sessionId, agentId, timestamp } = context;
    this.#change({ open: appendRecent(this.#state.open, { callId, ...omitUndefined({ agentId }) }) });
    yield { type: 'call', sessionId, callId, tool, input: parseInput(input), ...omitUndefined({ timestamp }) };
  }

  *#callEnd(line: Fields, data: Fields): Generator<TranscriptEvent> {
    const callId = asName(data.toolCallId);
    if (callId === undefined) return yield problem('result of no call');
    const { agentId, timestamp } = yield* this.#enter(line, data);
    const call: StartedCall = { callId, ...omitUndefined({ agentId }) };
    this.#change({ open: this.#state.open.filter((other) => other.callId !== callId) });
    const end = parseCallEnd(data);
    if ('runningIn' in end) {
      const background = appendRecent(this.#state.background, { ...call, shell: end.runningIn });
      this.#change({ background });
      return yield skip('command that continues in the background');
    }
    yield this.#result(call, end.result, timestamp);
    const stopped = findStoppedShell(data);
    yield* this.#endShell(stopped, { status: 'interrupted' }, timestamp);
    yield* this.#endShell(end.endedShell, end.result, timestamp);
  }

  /** A background command ends when its output is read, or when it is stopped. */
  *#endShell(shell: string | undefined, result: CallResult, timestamp: string | undefined): Generator<TranscriptEvent> {
    const call = this.#state.background.find((known) => known.shell === shell);
    if (!call) return;
    this.#change({ background: this.#state.background.filter((known) => known !== call) });
    yield this.#result(call, result, timestamp);
  }

  /** A background command ended with an exit code; its output may still be read. */
  #noteShellEnd(kind: Fields | undefined): void {
    const shell = asName(kind?.shellId);
    const exitCode = asNumber(kind?.exitCode);
    if (shell === undefined || exitCode === undefined) return;
    const background = this.#state.background.map(
      (call): BackgroundCall => (call.shell === shell ? { ...call, exitCode } : call),
    );
    this.#change({ background });
  }

  /** Background commands whose end was announced but whose output nobody read. */
  *#endAnnounced(): Generator<TranscriptEvent> {
    const ended = this.#state.background.filter((call) => call.exitCode !== undefined);
    if (ended.length === 0) return;
    this.#change({ background: this.#state.background.filter((call) => call.exitCode === undefined) });
    for (const { exitCode = 0, ...call } of ended) {
      yield this.#result(call, { status: exitCode === 0 ? 'ok' : 'error', output: '', exitCode });
    }
  }

  *#shutdown(line: Fields, data: Fields): Generator<TranscriptEvent> {
    yield* this.#endAnnounced();
    const totals = sumTotals(data);
    const usage = totals && subtractReported(totals, this.#state);
    if (totals) this.#change({ reported: NO_TOKENS, totals });
    if (!usage) return yield skip('bookkeeping of the session');
    yield { ...this.#systemMessage(line, 'The session ended.'), usage };
  }

  #result(call: StartedCall, result: CallResult, timestamp?: string): TranscriptEvent {
    const { sessionId } = this.#getSession(call.agentId);
    return { type: 'result', sessionId, callId: call.callId, ...omitUndefined({ timestamp }), result };
  }

  #systemMessage(line: Fields, text: string): MessageEvent {
    return { ...this.#messageBase(line), role: 'assistant', text, isSystem: true };
  }

  #checkpoint(line: Fields, text: string): TranscriptEvent {
    return { ...this.#messageBase(line), role: 'user', text, kind: 'checkpoint', isSystem: true };
  }

  #messageBase(line: Fields, { sessionId } = this.#getSession()): MessageBase {
    return { type: 'message', sessionId, ...omitUndefined({ id: asName(line.id), timestamp: asTime(line.timestamp) }) };
  }

  #getSession(agentId?: string): { readonly sessionId: string } {
    const sessionId = this.#state.sessionId ?? this.#file.sessionId;
    return { sessionId: agentId === undefined ? sessionId : `${sessionId}-agent-${agentId}` };
  }

  /** The session of a line. Reports a sub-agent's session when it first appears. */
  *#enter(line: Fields, data: Fields): Generator<TranscriptEvent, LineContext> {
    const agentId = asName(line.agentId) ?? asName(data.parentToolCallId);
    const timestamp = asTime(line.timestamp);
    const { sessionId } = this.#getSession(agentId);
    if (agentId !== undefined && !this.#state.agents.includes(agentId)) {
      this.#change({ agents: appendRecent(this.#state.agents, agentId) });
      const parentSessionId = this.#getSession().sessionId;
      yield { type: 'session', sessionId, parentSessionId, ...omitUndefined({ cwd: this.#state.cwd }) };
    }
    return { sessionId, ...omitUndefined({ agentId, timestamp }) };
  }

  #change(change: Partial<ReaderState>): void {
    this.#state = { ...this.#state, ...change };
  }
}

function parseContext(context: Fields): Pick<SessionEvent, 'cwd' | 'remote' | 'branch'> {
  const cwd = asText(context.cwd);
  const [host, repository] = [asName(context.repositoryHost), asName(context.repository)];
  return omitUndefined({
    cwd: cwd === '' ? undefined : cwd,
    remote: host === undefined || repository === undefined ? undefined : `https://${host}/${repository}`,
    branch: asName(context.branch),
  });
}

/** Most tools have named arguments, in older versions as JSON text; a patch is plain text. */
function parseInput(value: unknown): Fields {
  const text = asText(value);
  return asFields(value) ?? (text ? (parseObject(text) ?? { input: text }) : {});
}
