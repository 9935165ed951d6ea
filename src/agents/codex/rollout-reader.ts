import { isAbsolute, join } from 'node:path';
import { omitUndefined } from '../../record/object.ts';
import { asFields, asName, asPath, asText, asTime, type Fields } from '../transcript/fields.ts';
import { appendBounded, type LineReader } from '../transcript/line-reading.ts';
import {
  type MessageEvent,
  problem,
  skip,
  skipKnown,
  type TranscriptEvent,
  unknownType,
} from '../transcript/transcript.ts';
import { CALL_ITEMS, CallTracker, type CallUpdate, type ItemCall, parseCall, toCodexResult } from './call-tracker.ts';
import {
  listMessageTexts,
  parseCommandEnd,
  parseImages,
  parseMcpEnd,
  parsePatchEnd,
  parseSessionMeta,
  parseTurnItem,
  parseUsage,
  parseUserText,
  toTurnItem,
} from './items.ts';
import {
  advanceForkFilter,
  appendRecent,
  type CallFacts,
  createForkFilter,
  findSkipReasonInHead,
  hashMessage,
  MAX_SCRIPTS,
  type OpenScript,
  parseState,
  type RolloutState,
  SKIP_REASONS,
} from './rollout-state.ts';
import { parseScript, parseScriptEnd } from './scripts.ts';

/** Reads the lines of a Codex rollout. */
export class RolloutReader implements LineReader {
  /** The session id in the file name, for a rollout without its first line. */
  readonly #fileSessionId: string;
  readonly #calls: CallTracker;
  #state: RolloutState;
  /** The last reply, which waits for the token counts that follow it. */
  #reply: MessageEvent | undefined;
  #timestamp: string | undefined;

  /** The events of the current line. */
  #events: TranscriptEvent[] = [];

  constructor(fileSessionId: string, state: Fields | undefined) {
    this.#fileSessionId = fileSessionId;
    this.#state = parseState(state);
    this.#calls = new CallTracker(this.#state.calls);
  }

  skipReason(head: string): string | undefined {
    return findSkipReasonInHead(head);
  }

  state(): Fields {
    return this.#state;
  }

  isOpen(): boolean {
    return this.#reply !== undefined;
  }

  finish(): readonly TranscriptEvent[] {
    this.#events = [];
    this.#endReply();
    return this.#events;
  }

  read(line: Fields): readonly TranscriptEvent[] {
    this.#events = [];
    this.#read(line);
    return this.#events;
  }

  #read(line: Fields) {
    this.#timestamp = asTime(line.timestamp);
    const wrapped = asFields(line.payload);
    // Files of 2025 have items as lines, and a first line without a type.
    const type = wrapped ? asText(line.type) : line.type === undefined ? 'session_meta' : 'response_item';
    const payload = wrapped ?? line;
    if (type === 'session_meta') return this.#sessionMeta(line, payload);
    if (this.#state.forkFilter) {
      const { forkFilter, ...rest } = this.#state;
      const next = advanceForkFilter(forkFilter, line, payload);
      this.#state = next ? { ...rest, forkFilter: next } : rest;
      if (next) return this.#emit(skip('copied from the parent session'));
    }
    this.#own(type ?? '', payload);
  }

  #own(type: string, payload: Fields) {
    switch (type) {
      case 'turn_context':
        this.#reportSession(payload);
        return;
      case 'response_item':
        return this.#item(payload);
      case 'event_msg':
        return this.#event(payload);
      case 'compacted':
        this.#endReply();
        this.#reportSession();
        return this.#emit(
          this.#message('user', asText(payload.message) ?? '', {
            kind: 'checkpoint',
            isSystem: true,
          }),
        );
      default:
        this.#emit(skipKnown(SKIP_REASONS, 'line', type));
    }
  }

  #sessionMeta(line: Fields, payload: Fields) {
    const meta = parseSessionMeta(payload);
    if (!meta) return this.#emit(problem('session without an id'));
    const { session } = this.#state;
    if (session) {
      if (meta.sessionId === session.id) return this.#emit(skip('repeated head'));
      // The head of the copied session: what follows is a copy, up to the first turn of this session.
      const forkFilter = this.#state.forkFilter ?? createForkFilter(session.id, asText(line.timestamp));
      this.#change(omitUndefined({ forkFilter }));
      return this.#emit(skip('copied from the parent session'));
    }
    const known = omitUndefined({ id: meta.sessionId, cwd: meta.cwd, model: meta.model });
    const started = asTime(payload.timestamp) ?? this.#timestamp;
    const isFork = asName(payload.forked_from_id) !== undefined;
    const forkFilter = isFork ? createForkFilter(meta.sessionId, started) : undefined;
    this.#change({ session: known, ...omitUndefined({ forkFilter }) });
    this.#emit(meta);
  }

  /** Reports the session before its first event and whenever a turn changes its folder or model. */
  #reportSession(turn: Fields = {}) {
    const known = this.#state.session;
    const cwd = asPath(turn.cwd) ?? known?.cwd;
    const model = asName(turn.model) ?? known?.model;
    if (known && known.cwd === cwd && known.model === model) return;
    const id = known?.id ?? this.#fileSessionId;
    this.#change({ session: omitUndefined({ id, cwd, model }) });
    this.#emit({ type: 'session', sessionId: id, ...omitUndefined({ cwd, model }) });
  }

  #item(payload: Fields) {
    const type = asText(payload.type) ?? '';
    if (type === 'message') return this.#messageItem(payload);
    // An item of this name is a message between agents; an event of this name is a reply.
    const reason = SKIP_REASONS.get(type === 'agent_message' ? 'agent_message_item' : type);
    if (reason !== undefined) return this.#emit(skip(reason));
    if (CALL_ITEMS.has(type)) return this.#call(payload);
    if (type.endsWith('_output')) return this.#output(payload);
    this.#emit(unknownType('item', type));
  }

  #messageItem(payload: Fields) {
    const { role, content } = payload;
    if (role === 'developer' || role === 'system') return this.#emit(skip('instructions'));
    if (role !== 'user' && role !== 'assistant') return this.#emit(problem('message without a role'));
    const texts = listMessageTexts(content);
    if (role === 'assistant') {
      for (const text of texts) this.#addMessage('item', 'assistant', text, { id: asName(payload.id) });
      return;
    }
    this.#endReply();
    const typed: string[] = [];
    for (const text of texts) {
      const found = parseUserText(text, false);
      if ('text' in found) typed.push(found.text);
      else this.#emit(skip(found.injected));
    }
    const images = parseImages(content);
    if (typed.length === 0 && images.length === 0) return;
    this.#addMessage('item', 'user', typed.join('\n'), { id: asName(payload.id), images });
  }

  #event(payload: Fields) {
    const type = asText(payload.type) ?? '';
    switch (type) {
      case 'user_message':
        return this.#userMessage(payload);
      case 'agent_message':
        return this.#addMessage('event', 'assistant', asText(payload.message) ?? '', {});
      case 'token_count':
        return this.#tokens(payload);
      case 'turn_aborted':
        this.#endReply();
        this.#change({ scripts: [] });
        this.#emitUpdates(this.#calls.abort());
        return this.#emit(skip('interruption'));
      case 'exec_command_end':
        return this.#addFacts(asName(payload.call_id), parseCommandEnd(payload), asText(payload.aggregated_output));
      case 'patch_apply_end':
        if (this.#isNestedCall(payload)) return this.#turnItem(toTurnItem(payload));
        return this.#addFacts(asName(payload.call_id), parsePatchEnd(payload));
      case 'mcp_tool_call_end':
        if (this.#isNestedCall(payload)) return this.#turnItem(toTurnItem(payload));
        return this.#addFacts(asName(payload.call_id), parseMcpEnd(payload));
      case 'thread_name_updated':
        this.#reportSession();
        return this.#emit({
          type: 'session',
          sessionId: this.#sessionId(),
          ...omitUndefined({ title: asText(payload.thread_name) }),
        });
      case 'item_completed':
        return this.#turnItem(asFields(payload.item) ?? {});
      case 'error':
        this.#endReply();
        this.#reportSession();
        return this.#emit(this.#message('assistant', asText(payload.message) ?? '', { isSystem: true }));
      default:
        this.#emit(skipKnown(SKIP_REASONS, 'event', type));
    }
  }

  #userMessage(payload: Fields) {
    this.#endReply();
    const kind = asText(payload.kind);
    if (kind !== undefined && kind !== 'plain') return this.#emit(skip('injected text'));
    const images = parseImages(payload.images);
    const found = parseUserText(asText(payload.message) ?? '', true);
    if ('injected' in found && images.length === 0) return this.#emit(skip(found.injected));
    this.#addMessage('event', 'user', 'text' in found ? found.text : '', { images });
  }

  /** Reports a message unless it is a copy: items and events hold the same messages. */
  #addMessage(
    from: 'item' | 'event',
    role: 'user' | 'assistant',
    text: string,
    rest: { readonly id?: string | undefined; readonly images?: MessageEvent['images'] },
  ) {
    if (role === 'assistant' && text.trim() === '') return this.#emit(skip('empty text'));
    const hash = hashMessage(role, text);
    const { reported } = this.#state;
    const original = reported.findIndex(
      ([otherFrom, otherRole, otherHash]) => otherFrom !== from && otherRole === role && otherHash === hash,
    );
    if (original >= 0) {
      this.#change({ reported: reported.filter((_, index) => index !== original) });
      return this.#emit(skip('copy of a message'));
    }
    this.#endReply();
    this.#reportSession();
    this.#change({ reported: appendRecent(this.#state.reported, [from, role, hash] as const) });
    const { id, images = [] } = rest;
    const message = this.#message(role, text, {
      ...omitUndefined({ id }),
      ...(images.length > 0 ? { images } : {}),
    });
    if (role === 'user') return this.#emit(message);
    this.#reply = { ...message, ...omitUndefined({ model: this.#state.session?.model }) };
  }

  #endReply() {
    if (!this.#reply) return;
    const reply = this.#reply;
    this.#reply = undefined;
    this.#emit(reply);
  }

  #tokens(payload: Fields) {
    const found = parseUsage(payload);
    if (!found || found.total === this.#state.tokens) return this.#emit(skip('unchanged token counts'));
    this.#change({ tokens: found.total });
    if (this.#reply) {
      this.#reply = { ...this.#reply, usage: found.usage };
      return this.#endReply();
    }
    this.#reportSession();
    const model = this.#state.session?.model;
    this.#emit(this.#message('assistant', '', { usage: found.usage, ...omitUndefined({ model }) }));
  }

  #call(payload: Fields) {
    this.#endReply();
    this.#reportSession();
    const call = parseCall(payload, this.#timestamp);
    if (!call) return this.#emit(problem('call without an id or a name'));
    const script = parseScript(call);
    if (script) {
      this.#change({ scripts: appendBounded(this.#state.scripts, script, MAX_SCRIPTS) });
      return this.#emit(skip('script around calls'));
    }
    this.#emitCall(call);
    if (call.result) return this.#emitUpdates([this.#calls.end(call.callId, call.result)]);
    this.#calls.start(call.callId, call.tool, call.input);
    this.#change({ calls: this.#calls.state() });
  }

  #output(payload: Fields) {
    this.#endReply();
    this.#reportSession();
    const callId = asName(payload.call_id) ?? asName(payload.id);
    if (callId === undefined) return this.#emit(problem('result without a call'));
    const script = this.#state.scripts.find((open) => open.callId === callId);
    if (script) return this.#scriptOutput(script, payload.output);
    this.#emitUpdates(this.#calls.output(callId, payload.output ?? payload.tools));
  }

  #scriptOutput(script: OpenScript, output: unknown) {
    const end = parseScriptEnd(script, output);
    if (!end) return this.#emit(skip('progress'));
    this.#change({ scripts: this.#state.scripts.filter((open) => open !== script) });
    const { result = { status: 'unknown' } } = end.call ?? {};
    const ended = this.#calls.end(script.callId, result);
    if (end.call) this.#emitCall(end.call);
    this.#emitUpdates([end.call ? ended : skip('script around calls')]);
  }

  /** Whether an event is about a call that a script made, and that is not known otherwise. */
  #isNestedCall({ call_id }: Fields): boolean {
    const callId = asName(call_id);
    return callId?.startsWith('exec-') === true && !this.#calls.isKnown(callId);
  }

  #addFacts(callId: string | undefined, facts: CallFacts, output?: string) {
    if (callId === undefined) return this.#emit(problem('result without a call'));
    this.#emitUpdates(this.#calls.addFacts(callId, facts, output));
  }

  #turnItem(fields: Fields) {
    const item = parseTurnItem(fields);
    switch (item.kind) {
      case 'message':
        if (item.role === 'user') this.#endReply();
        return this.#addMessage('event', item.role, item.text, {});
      case 'skipped':
        return this.#emit(item.event);
      case 'call':
        this.#change({ scripts: this.#state.scripts.map((script) => ({ ...script, isCovered: true })) });
        if (this.#calls.isKnown(item.callId)) return this.#addFacts(item.callId, item.facts, item.output);
        this.#endReply();
        this.#reportSession();
        this.#emitCall(item);
        return this.#emitUpdates([this.#calls.end(item.callId, toCodexResult(item.facts, item.output))]);
    }
  }

  #emitCall({ callId, tool, input }: Pick<ItemCall, 'callId' | 'tool' | 'input'>) {
    const cwd = getFolder(input, this.#state.session?.cwd);
    const rest = omitUndefined({ timestamp: this.#timestamp, cwd });
    this.#emit({ type: 'call', sessionId: this.#sessionId(), callId, tool, input, ...rest });
  }

  #emitUpdates(updates: readonly CallUpdate[]) {
    this.#change({ calls: this.#calls.state() });
    const base = {
      type: 'result',
      sessionId: this.#sessionId(),
      ...omitUndefined({ timestamp: this.#timestamp }),
    } as const;
    for (const update of updates) {
      const { type } = update;
      this.#emit(type === 'skip' ? update : { ...base, callId: update.callId, result: update.result });
    }
  }

  #sessionId(): string {
    return this.#state.session?.id ?? this.#fileSessionId;
  }

  #message(role: MessageEvent['role'], text: string, rest: Partial<MessageEvent>): MessageEvent {
    return {
      type: 'message',
      sessionId: this.#sessionId(),
      ...omitUndefined({ timestamp: this.#timestamp }),
      role,
      text,
      ...rest,
    };
  }

  #emit(...events: readonly TranscriptEvent[]) {
    this.#events.push(...events);
  }

  #change(change: Partial<RolloutState>) {
    this.#state = { ...this.#state, ...change };
  }
}

/** The folder that a command runs in. */
function getFolder(input: Fields, cwd: string | undefined): string | undefined {
  const folder = asPath(input.workdir) ?? asPath(input.cwd);
  if (folder === undefined || isAbsolute(folder)) return folder ?? cwd;
  return cwd === undefined ? undefined : join(cwd, folder);
}
