import { isAbsolute, join } from 'node:path';
import { omitUndefined, textHash } from '../../record/index.ts';
import { asFields, asName, asPath, asText, asTime, type Fields } from '../transcript/fields.ts';
import type { LineReader } from '../transcript/line-reading.ts';
import {
  type MessageEvent,
  problem,
  skip,
  type TranscriptEvent,
  unknownType,
} from '../transcript/transcript-event.ts';
import {
  CallBook,
  type CallFacts,
  type CallNews,
  callOf,
  type ItemCall,
  isCallItem,
  resultOf,
} from './call-tracker.ts';
import {
  commandFacts,
  imagesOf,
  mcpFacts,
  patchFacts,
  sessionOf,
  textsOf,
  turnItem,
  usageOf,
  userWords,
} from './items.ts';
import {
  gateFor,
  headReason,
  partReason,
  passGate,
  type RolloutState,
  readState,
  withNewest,
} from './rollout-state.ts';

/** Makes events of the lines of a Codex rollout. */
export class RolloutLines implements LineReader {
  /** The id in the name of the file, for a rollout whose first line is lost. */
  readonly #fileSession: string;
  readonly #calls: CallBook;
  #state: RolloutState;
  /** The reply told last, to which the tokens that follow belong. */
  #reply: MessageEvent | undefined;
  #timestamp: string | undefined;

  /** What the line that is being read tells. */
  #told: TranscriptEvent[] = [];

  constructor(fileSession: string, state: Fields | undefined) {
    this.#fileSession = fileSession;
    this.#state = readState(state);
    this.#calls = new CallBook(this.#state.calls);
  }

  skipReason(head: string): string | undefined {
    return headReason(head);
  }

  state(): Fields {
    return this.#state;
  }

  isOpen(): boolean {
    return this.#reply !== undefined;
  }

  finish(): readonly TranscriptEvent[] {
    this.#told = [];
    this.#endReply();
    return this.#told;
  }

  read(line: Fields): readonly TranscriptEvent[] {
    this.#told = [];
    this.#read(line);
    return this.#told;
  }

  #read(line: Fields) {
    this.#timestamp = asTime(line.timestamp);
    const wrapped = asFields(line.payload);
    // Files of 2025 have the items themselves as lines, and a first line without a type.
    const type = wrapped ? asText(line.type) : line.type === undefined ? 'session_meta' : 'response_item';
    const payload = wrapped ?? line;
    if (type === 'session_meta') return this.#sessionMeta(line, payload);
    if (this.#state.gate) {
      const { gate, ...open } = this.#state;
      const next = passGate(gate, line, payload);
      this.#state = next ? { ...open, gate: next } : open;
      if (next) return this.#tell(skip('copied from the session before'));
    }
    this.#own(type ?? '', payload);
  }

  #own(type: string, payload: Fields) {
    switch (type) {
      case 'turn_context':
        this.#introduce(payload);
        return;
      case 'response_item':
        return this.#item(payload);
      case 'event_msg':
        return this.#event(payload);
      case 'compacted':
        this.#endReply();
        this.#introduce();
        return this.#tell(
          this.#message('user', asText(payload.message) ?? '', {
            kind: 'checkpoint',
            isSystem: true,
          }),
        );
      default: {
        const reason = partReason(type);
        this.#tell(reason === undefined ? unknownType('line', type) : skip(reason));
      }
    }
  }

  #sessionMeta(line: Fields, payload: Fields) {
    const meta = sessionOf(payload);
    if (!meta) return this.#tell(problem('session without an id'));
    const { session, gate } = this.#state;
    if (session) {
      // The one that was copied: what follows is a copy too, up to the first turn of this session.
      if (meta.sessionId === session.id) return this.#tell(skip('repeated head'));
      const copied = gate ?? gateFor(session.id, asText(line.timestamp));
      this.#change(copied ? { gate: copied } : {});
      return this.#tell(skip('copied from the session before'));
    }
    const known = omitUndefined({ id: meta.sessionId, cwd: meta.cwd, model: meta.model });
    const started = asTime(payload.timestamp) ?? this.#timestamp;
    const forkGate =
      asName(payload.forked_from_id) === undefined ? undefined : gateFor(meta.sessionId, started);
    this.#change(forkGate ? { session: known, gate: forkGate } : { session: known });
    this.#tell(meta);
  }

  /** What has to be known of the session before anything else of it, when it is new or a turn changes something. */
  #introduce(turn: Fields = {}) {
    const known = this.#state.session;
    const cwd = asPath(turn.cwd) ?? known?.cwd;
    const model = asName(turn.model) ?? known?.model;
    if (known && known.cwd === cwd && known.model === model) return;
    const id = known?.id ?? this.#fileSession;
    this.#change({ session: omitUndefined({ id, cwd, model }) });
    this.#tell({ type: 'session', sessionId: id, ...omitUndefined({ cwd, model }) });
  }

  #item(payload: Fields) {
    const type = asText(payload.type) ?? '';
    if (type === 'message') return this.#messageItem(payload);
    // An item of this name is said by one agent to another; an event of this name is a reply.
    const reason = partReason(type === 'agent_message' ? 'agent_message_item' : type);
    if (reason !== undefined) return this.#tell(skip(reason));
    if (isCallItem(type)) return this.#call(payload);
    if (type.endsWith('_output')) return this.#output(payload);
    this.#tell(unknownType('item', type));
  }

  #messageItem(payload: Fields) {
    const { role, content } = payload;
    if (role === 'developer' || role === 'system') return this.#tell(skip('instructions'));
    if (role !== 'user' && role !== 'assistant') return this.#tell(problem('message without a role'));
    const texts = textsOf(content);
    if (role === 'assistant') {
      for (const text of texts) this.#said('item', 'assistant', text, { id: asName(payload.id) });
      return;
    }
    this.#endReply();
    const words: string[] = [];
    for (const text of texts) {
      const found = userWords(text, false);
      if ('text' in found) words.push(found.text);
      else this.#tell(skip(found.injected));
    }
    const images = imagesOf(content);
    if (words.length === 0 && images.length === 0) return;
    this.#said('item', 'user', words.join('\n'), { id: asName(payload.id), images });
  }

  #event(payload: Fields) {
    const type = asText(payload.type) ?? '';
    switch (type) {
      case 'user_message':
        return this.#userMessage(payload);
      case 'agent_message':
        return this.#said('event', 'assistant', asText(payload.message) ?? '', {});
      case 'token_count':
        return this.#tokens(payload);
      case 'turn_aborted':
        this.#endReply();
        this.#tellNews(this.#calls.abort());
        return this.#tell(skip('interruption'));
      case 'exec_command_end':
        return this.#note(asName(payload.call_id), commandFacts(payload), asText(payload.aggregated_output));
      case 'patch_apply_end':
        return this.#note(asName(payload.call_id), patchFacts(payload));
      case 'mcp_tool_call_end':
        return this.#note(asName(payload.call_id), mcpFacts(payload));
      case 'item_completed':
        return this.#turnItem(payload);
      case 'error':
        this.#endReply();
        this.#introduce();
        return this.#tell(this.#message('assistant', asText(payload.message) ?? '', { isSystem: true }));
      default: {
        const reason = partReason(type);
        this.#tell(reason === undefined ? unknownType('event', type) : skip(reason));
      }
    }
  }

  #userMessage(payload: Fields) {
    this.#endReply();
    const kind = asText(payload.kind);
    if (kind !== undefined && kind !== 'plain') return this.#tell(skip('injected text'));
    const images = imagesOf(payload.images);
    const found = userWords(asText(payload.message) ?? '', true);
    if ('injected' in found && images.length === 0) return this.#tell(skip(found.injected));
    this.#said('event', 'user', 'text' in found ? found.text : '', { images });
  }

  /** Something that was said, unless it is the copy of what was told: items and events say the same. */
  #said(
    from: 'item' | 'event',
    role: 'user' | 'assistant',
    text: string,
    rest: { readonly id?: string | undefined; readonly images?: MessageEvent['images'] },
  ) {
    if (role === 'assistant' && text.trim() === '') return this.#tell(skip('empty text'));
    const hash = hashOf(role, text);
    const copied = this.#state.told.findIndex(
      (told) => told[0] !== from && told[1] === role && told[2] === hash,
    );
    if (copied >= 0) {
      this.#change({ told: this.#state.told.filter((_, at) => at !== copied) });
      return this.#tell(skip('copy of a message'));
    }
    this.#endReply();
    this.#introduce();
    this.#change({ told: withNewest(this.#state.told, [from, role, hash] as const) });
    const { id, images = [] } = rest;
    const message = this.#message(role, text, {
      ...omitUndefined({ id }),
      ...(images.length > 0 ? { images } : {}),
    });
    if (role === 'user') return this.#tell(message);
    this.#reply = { ...message, ...omitUndefined({ model: this.#state.session?.model }) };
  }

  #endReply() {
    if (!this.#reply) return;
    const reply = this.#reply;
    this.#reply = undefined;
    this.#tell(reply);
  }

  #tokens(payload: Fields) {
    const found = usageOf(payload);
    if (!found || found.total === this.#state.tokens) return this.#tell(skip('token counts without news'));
    this.#change({ tokens: found.total });
    if (this.#reply) {
      this.#reply = { ...this.#reply, usage: found.usage };
      return this.#endReply();
    }
    this.#introduce();
    const model = this.#state.session?.model;
    this.#tell(this.#message('assistant', '', { usage: found.usage, ...omitUndefined({ model }) }));
  }

  #call(payload: Fields) {
    this.#endReply();
    this.#introduce();
    const call = callOf(payload, this.#timestamp);
    if (!call) return this.#tell(problem('call without an id or a name'));
    this.#tellCall(call);
    if (call.result) return this.#tellNews([this.#calls.end(call.callId, call.result)]);
    this.#calls.start(call.callId, call.tool, call.input);
    this.#change({ calls: this.#calls.state() });
  }

  #output(payload: Fields) {
    this.#endReply();
    this.#introduce();
    const callId = asName(payload.call_id) ?? asName(payload.id);
    if (callId === undefined) return this.#tell(problem('result without a call'));
    this.#tellNews(this.#calls.output(callId, payload.output ?? payload.tools));
  }

  #note(callId: string | undefined, facts: CallFacts, output?: string) {
    if (callId === undefined) return this.#tell(problem('result without a call'));
    this.#tellNews(this.#calls.note(callId, facts, output));
  }

  #turnItem(payload: Fields) {
    const item = turnItem(asFields(payload.item) ?? {});
    switch (item.kind) {
      case 'said':
        if (item.role === 'user') this.#endReply();
        return this.#said('event', item.role, item.text, {});
      case 'skipped':
        return this.#tell(item.event);
      case 'call':
        if (this.#calls.isKnown(item.callId)) return this.#note(item.callId, item.facts, item.output);
        this.#endReply();
        this.#introduce();
        this.#tellCall(item);
        return this.#tellNews([this.#calls.end(item.callId, resultOf(item.facts, item.output))]);
    }
  }

  #tellCall({ callId, tool, input }: Pick<ItemCall, 'callId' | 'tool' | 'input'>) {
    const cwd = folderOf(input, this.#state.session?.cwd);
    const rest = omitUndefined({ timestamp: this.#timestamp, cwd });
    this.#tell({ type: 'call', sessionId: this.#sessionId(), callId, tool, input, ...rest });
  }

  #tellNews(news: readonly CallNews[]) {
    this.#change({ calls: this.#calls.state() });
    const common = {
      type: 'result',
      sessionId: this.#sessionId(),
      ...omitUndefined({ timestamp: this.#timestamp }),
    } as const;
    for (const one of news) {
      this.#tell(one.type === 'skip' ? one : { ...common, callId: one.callId, result: one.result });
    }
  }

  #sessionId(): string {
    return this.#state.session?.id ?? this.#fileSession;
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

  #tell(...events: readonly TranscriptEvent[]) {
    this.#told.push(...events);
  }

  #change(change: Partial<RolloutState>) {
    this.#state = { ...this.#state, ...change };
  }
}

/** As much of a text as tells it from what else is said around it. */
const COMPARED = 500;

/** What the user said may be in parts, which items and events put together with other spaces. */
function hashOf(role: 'user' | 'assistant', text: string): number {
  if (role === 'assistant') return textHash(text.slice(0, COMPARED));
  return textHash(
    text
      .slice(0, 4 * COMPARED)
      .replace(/\s+/g, '')
      .slice(0, COMPARED),
  );
}

/** The folder that a command runs in. */
function folderOf(input: Fields, cwd: string | undefined): string | undefined {
  const folder = asPath(input.workdir) ?? asPath(input.cwd);
  if (folder === undefined || isAbsolute(folder)) return folder ?? cwd;
  return cwd === undefined ? undefined : join(cwd, folder);
}
