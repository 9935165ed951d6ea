import { omitUndefined } from '../../record/index.ts';
import { asFields, asList, asName, asObjects, asText, type Fields } from '../transcript/fields.ts';
import type { LineReader } from '../transcript/line-reading.ts';
import {
  type MessageEvent,
  problem,
  type ResultEvent,
  type SessionEvent,
  skip,
  type TranscriptEvent,
  unknownType,
} from '../transcript/transcript-event.ts';
import {
  headReason,
  type Line,
  lineOf,
  lineReason,
  type ReaderState,
  readState,
  systemReason,
  withNewest,
} from './lines.ts';
import { addBlock, Reply, usageOf } from './reply.ts';
import { type SavedOutput, toolOutcome } from './tool-outcome.ts';
import { askedTaskEnd, imagesOf, type TaskEnd, taskEnds, type UserTurn, userTurn } from './user-turn.ts';

/** What a reader of Claude Code's lines has to know of the file. */
export interface TranscriptFile {
  /** The session that the file is named after; of a sub-agent's file, `agent-<id>`. */
  readonly name: string;
  readonly saved: SavedOutput;
}

/** Makes events of the lines of a Claude Code transcript. */
export class ClaudeCodeLines implements LineReader {
  readonly #file: TranscriptFile;
  #state: ReaderState;
  #reply: Reply | undefined;

  /** What the line that is being read tells. */
  #told: TranscriptEvent[] = [];

  constructor(file: TranscriptFile, state: Fields | undefined) {
    this.#file = file;
    this.#state = readState(state);
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

  read(fields: Fields): readonly TranscriptEvent[] {
    this.#told = [];
    this.#read(fields);
    return this.#told;
  }

  #read(fields: Fields) {
    const type = asText(fields.type) ?? '';
    const reason = lineReason(type);
    if (reason !== undefined) return this.#tell(skip(reason));
    if (type !== 'user' && type !== 'assistant' && type !== 'system' && type !== 'attachment') {
      return this.#tell(unknownType('line', type));
    }
    const { line, chains } = lineOf(fields, this.#file.name, this.#state.chains);
    if (chains !== this.#state.chains) this.#change({ chains });
    if (type === 'assistant') this.#assistant(line);
    else if (type === 'user') this.#user(line);
    else if (type === 'system') this.#system(line);
    else this.#attachment(line);
  }

  #assistant(line: Line) {
    const message = asFields(line.fields.message);
    if (!message) return this.#tell(problem('reply without a message'));
    const model = asName(message.model);
    const isError = line.fields.isApiErrorMessage === true;
    const id = asName(message.id) ?? line.id ?? '';
    if (
      isError ||
      model === SYNTHETIC ||
      this.#reply?.id !== id ||
      this.#reply.sessionId !== line.sessionId
    ) {
      this.#endReply();
    }
    this.#introduce(line);
    if (isError) return this.#tell(systemMessage(line, textOf(message.content)));
    if (model === SYNTHETIC) return this.#tell(skip('reply that the program made up'));
    this.#reply ??= new Reply(line.sessionId, id, line.timestamp);
    this.#reply.setUsage(usageOf(message.usage), model);
    const content =
      typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
    if (!Array.isArray(content)) this.#tell(problem('reply without content'));
    for (const block of asList(content)) {
      const skipped = addBlock(this.#reply, asFields(block) ?? {}, line);
      if (skipped) this.#tell(skipped);
    }
    if (this.#reply.isLarge()) this.#endReply();
  }

  #user(line: Line) {
    this.#endReply();
    const message = asFields(line.fields.message);
    if (!message) return this.#tell(problem('turn without a message'));
    // Claude Code starts sub-agents ahead of time, with this as their task.
    if (line.isSideChain && message.content === 'Warmup') return this.#tell(skip('warm-up'));
    if (line.fields.isCompactSummary === true) return this.#checkpoint(line, textOf(message.content));
    this.#introduce(line);
    const results = asObjects(message.content).filter((block) => block.type === 'tool_result');
    for (const block of results) {
      // What is kept beside the line belongs to a call only where it is the only one.
      this.#result(line, block, results.length === 1 ? line.fields.toolUseResult : undefined);
    }
    this.#userTurn(line, message.content, userTurn(message.content, line.fields));
  }

  #userTurn(line: Line, content: unknown, turn: UserTurn) {
    for (const end of turn.notices.flatMap(taskEnds)) this.#taskEnd(line, end);
    for (const skipped of turn.skipped) this.#tell(skipped);
    if (turn.summary !== undefined) this.#checkpoint(line, turn.summary);
    const images = turn.isInjected ? [] : imagesOf(content);
    if (turn.text === '' && images.length === 0) return;
    const message: MessageEvent = {
      type: 'message',
      sessionId: line.sessionId,
      role: 'user',
      text: turn.text,
      ...omitUndefined({ id: line.id, timestamp: line.timestamp }),
      ...(images.length > 0 ? { images } : {}),
    };
    this.#tell(message);
  }

  #result(line: Line, block: Fields, extra: unknown) {
    const callId = asName(block.tool_use_id);
    if (callId === undefined) return this.#tell(problem('result without a call'));
    const outcome = toolOutcome(block, extra, this.#file.saved);
    const asked = askedTaskEnd(extra);
    if (asked) this.#taskEnd(line, asked);
    if (outcome.kind === 'background') {
      const task = [outcome.taskId ?? callId, callId] as const;
      this.#change({ tasks: withNewest(this.#state.tasks, task, (known) => known[1] === callId) });
      return this.#tell(skip('call that goes on in the background'));
    }
    const { result, said } = outcome;
    const isDenied = result.status === 'error' && this.#state.denied.includes(callId);
    this.#tell(resultEvent(line, callId, isDenied ? { ...result, status: 'denied' } : result));
    if (asObjects(block.content).some((part) => part.type === 'image')) this.#tell(skip('image in a result'));
    if (said === undefined) return;
    const message: MessageEvent = {
      type: 'message',
      sessionId: line.sessionId,
      id: `${callId}:said`,
      role: 'user',
      text: said,
      ...omitUndefined({ timestamp: line.timestamp }),
    };
    this.#tell(message);
  }

  #taskEnd(line: Line, end: TaskEnd) {
    const task = this.#state.tasks.find(([taskId, callId]) => taskId === end.taskId || callId === end.callId);
    if (!task) return;
    this.#change({ tasks: this.#state.tasks.filter((known) => known !== task) });
    this.#tell(resultEvent(line, task[1], end.result));
  }

  #system(line: Line) {
    const subtype = asText(line.fields.subtype) ?? '';
    if (subtype === 'compact_boundary') {
      this.#endReply();
      this.#introduce(line);
      const boundary = omitUndefined({ sessionId: line.sessionId, id: line.id, timestamp: line.timestamp });
      return this.#change({ boundary });
    }
    if (subtype === 'local_command') {
      const turn = userTurn(line.fields.content, line.fields);
      if (turn.text === '') return this.#tell(...turn.skipped);
      this.#endReply();
      this.#introduce(line);
      return this.#userTurn(line, undefined, turn);
    }
    const reason = systemReason(subtype);
    this.#tell(reason === undefined ? unknownType('system line', subtype) : skip(reason));
  }

  #attachment(line: Line) {
    const attachment = asFields(line.fields.attachment) ?? {};
    if (attachment.type === 'queued_command') {
      this.#endReply();
      this.#introduce(line);
      return this.#userTurn(line, attachment.prompt, userTurn(attachment.prompt, attachment));
    }
    const callId = asName(attachment.toolUseID);
    if (callId !== undefined && isDenial(attachment)) {
      this.#change({ denied: withNewest(this.#state.denied, callId, (known) => known === callId) });
    }
    this.#tell(skip('attachment'));
  }

  /** One checkpoint for a compaction: the boundary before it tells when, the summary what. */
  #checkpoint(line: Line, text: string) {
    const { boundary, ...rest } = this.#state;
    this.#state = rest;
    this.#introduce(line);
    const own = omitUndefined({ id: line.id, timestamp: line.timestamp });
    this.#tell({
      type: 'message',
      sessionId: line.sessionId,
      ...own,
      ...boundary,
      role: 'user',
      text,
      kind: 'checkpoint',
      isSystem: true,
    });
  }

  /** What has to be known of a session before anything else of it, when it is new or something changed. */
  #introduce(line: Line) {
    const { boundary, ...rest } = this.#state;
    if (boundary) {
      this.#state = rest;
      this.#tell({
        type: 'message',
        ...boundary,
        role: 'user',
        text: '',
        kind: 'checkpoint',
        isSystem: true,
      });
    }
    const known = this.#state.sessions.find((session) => session.id === line.sessionId);
    const now = omitUndefined({
      id: line.sessionId,
      cwd: line.cwd ?? known?.cwd,
      branch: line.branch ?? known?.branch,
    });
    if (known && known.cwd === now.cwd && known.branch === now.branch) return;
    const sessions = withNewest(this.#state.sessions, now, (session) => session.id === line.sessionId);
    const parent = known ? {} : this.#parentOf(line);
    this.#change(line.isSideChain ? { sessions } : { sessions, main: line.sessionId });
    const event: SessionEvent = {
      type: 'session',
      sessionId: line.sessionId,
      ...parent,
      ...omitUndefined({ cwd: now.cwd, branch: now.branch }),
    };
    this.#tell(event);
  }

  #parentOf(line: Line): Pick<SessionEvent, 'parentSessionId' | 'isFork'> {
    if (line.isSideChain) return omitUndefined({ parentSessionId: line.parentSessionId });
    const forked = asName(asFields(line.fields.forkedFrom)?.sessionId);
    // A session that was resumed under a new id begins with the lines of the one before, under the id of that.
    const parentSessionId = forked ?? this.#state.main;
    return parentSessionId === undefined || parentSessionId === line.sessionId
      ? {}
      : { parentSessionId, isFork: true };
  }

  #endReply() {
    const reply = this.#reply;
    if (!reply) return;
    this.#reply = undefined;
    const messages = this.#state.told.find(([id]) => id === reply.id)?.[1] ?? 0;
    const events = reply.events(messages);
    const isTold = messages === 0 || reply.hasText();
    if (isTold)
      this.#change({
        told: withNewest(this.#state.told, [reply.id, messages + 1], ([id]) => id === reply.id),
      });
    this.#tell(...events);
  }

  #tell(...events: readonly TranscriptEvent[]) {
    this.#told.push(...events);
  }

  #change(change: Partial<ReaderState>) {
    this.#state = { ...this.#state, ...change };
  }
}

const SYNTHETIC = '<synthetic>';

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return asObjects(content)
    .flatMap((block) => (block.type === 'text' ? (asText(block.text) ?? []) : []))
    .join('\n\n');
}

function systemMessage(line: Line, text: string): MessageEvent {
  const own = omitUndefined({ id: line.id, timestamp: line.timestamp });
  return { type: 'message', sessionId: line.sessionId, ...own, role: 'assistant', text, isSystem: true };
}

function resultEvent(line: Line, callId: string, result: ResultEvent['result']): ResultEvent {
  return {
    type: 'result',
    sessionId: line.sessionId,
    callId,
    ...omitUndefined({ timestamp: line.timestamp }),
    result,
  };
}

/** Whether a hook refused a call before it was run. */
function isDenial(attachment: Fields): boolean {
  if (attachment.type === 'hook_blocking_error') return attachment.hookEvent === 'PreToolUse';
  return attachment.type === 'hook_permission_decision' && attachment.decision === 'deny';
}
