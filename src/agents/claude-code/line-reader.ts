import { textHash } from '../../record/id.ts';
import { omitUndefined } from '../../record/object.ts';
import { redact } from '../../redact/redact.ts';
import { asFields, asList, asName, asObjects, asText, type Fields, listTexts } from '../transcript/fields.ts';
import type { LineReader } from '../transcript/line-reading.ts';
import {
  type MessageEvent,
  problem,
  type ResultEvent,
  type SessionEvent,
  skip,
  skipKnown,
  type TranscriptEvent,
  unknownType,
} from '../transcript/transcript.ts';
import {
  appendUnique,
  findSkipReasonInHead,
  isTitleLine,
  LINE_SKIP_REASONS,
  type Line,
  type PendingTitle,
  parseLine,
  parseState,
  parseTitle,
  type ReaderState,
  SYSTEM_SKIP_REASONS,
} from './lines.ts';
import { addBlock, parseUsage, Reply } from './reply.ts';
import { parseOutcome, type ReadSavedOutput } from './tool-outcome.ts';
import {
  parseImages,
  parseTaskNotices,
  parseTaskOutput,
  parseUserMessage,
  type TaskEnd,
  type UserMessage,
} from './user-message.ts';

/** What the location of a transcript says about it. */
export interface TranscriptFile {
  /** The session that the file is named after; for a sub-agent, `agent-<id>`. */
  readonly name: string;
  readonly readSaved: ReadSavedOutput;
}

/** Reads the lines of a Claude Code transcript. */
export class ClaudeCodeReader implements LineReader {
  readonly #file: TranscriptFile;
  #state: ReaderState;
  #reply: Reply | undefined;
  #lastLine: Line | undefined;

  /** The events of the current line. */
  #events: TranscriptEvent[] = [];

  constructor(file: TranscriptFile, state: Fields | undefined) {
    this.#file = file;
    this.#state = parseState(state);
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

  read(fields: Fields): readonly TranscriptEvent[] {
    this.#events = [];
    this.#read(fields);
    return this.#events;
  }

  #read(fields: Fields) {
    const type = asText(fields.type) ?? '';
    const reason = LINE_SKIP_REASONS.get(type);
    if (reason !== undefined) return this.#emit(skip(reason));
    if (isTitleLine(type)) return this.#title(fields);
    if (type === 'queue-operation') return this.#queue(fields);
    if (type !== 'user' && type !== 'assistant' && type !== 'system' && type !== 'attachment') {
      return this.#emit(unknownType('line', type));
    }
    const { line, chains } = parseLine(fields, this.#file.name, this.#state.chains);
    if (chains !== this.#state.chains) this.#change({ chains });
    this.#lastLine = line;
    if (type === 'assistant') this.#assistant(line);
    else if (type === 'user') this.#user(line);
    else if (type === 'system') this.#system(line);
    else this.#attachment(line);
    for (const title of this.#state.titles) if (title.of === line.id) this.#emitTitle(title, line.sessionId);
  }

  /** A title may come before the session that it belongs to, and then waits for it. */
  #title(fields: Fields) {
    const title = parseTitle(fields, this.#file.name);
    if (!title) return this.#emit(skip('empty title'));
    const isKnown = this.#state.sessions.some(({ id }) => id === title.of);
    if (isKnown) this.#emitTitle(title, title.of);
    else if (this.#lastLine?.id === title.of) this.#emitTitle(title, this.#lastLine.sessionId);
    else this.#change({ titles: appendUnique(this.#state.titles, title, ({ of }) => of === title.of) });
  }

  #emitTitle(title: PendingTitle, sessionId: string) {
    const { isChosen } = title;
    this.#change({ titles: this.#state.titles.filter((other) => other !== title) });
    this.#emit({ type: 'session', sessionId, title: title.title, ...(isChosen ? { isTitleChosen: true } : {}) });
  }

  #assistant(line: Line) {
    const message = asFields(line.fields.message);
    if (!message) return this.#emit(problem('reply without a message'));
    const model = asName(message.model);
    const isError = line.fields.isApiErrorMessage === true;
    const id = asName(message.id) ?? line.id ?? '';
    if (isError || model === SYNTHETIC || this.#reply?.id !== id || this.#reply.sessionId !== line.sessionId) {
      this.#endReply();
    }
    this.#reportSession(line);
    if (isError) {
      const text = joinTexts(message.content);
      return this.#emit({ type: 'message', ...toSource(line), role: 'assistant', text, isSystem: true });
    }
    if (model === SYNTHETIC) return this.#emit(skip('synthetic reply'));
    this.#reply ??= new Reply(line.sessionId, id, line.timestamp);
    this.#reply.setUsage(parseUsage(message), model);
    const content = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
    if (!Array.isArray(content)) this.#emit(problem('reply without content'));
    for (const block of asList(content)) {
      const skipped = addBlock(this.#reply, asFields(block) ?? {}, line);
      if (skipped) this.#emit(skipped);
    }
    if (this.#reply.isLarge()) this.#endReply();
  }

  #user(line: Line) {
    this.#endReply();
    const message = asFields(line.fields.message);
    if (!message) return this.#emit(problem('turn without a message'));
    // Claude Code starts sub-agents ahead of time, with this as their task.
    if (line.isSideChain && message.content === 'Warmup') return this.#emit(skip('warm-up'));
    if (line.fields.isCompactSummary === true) return this.#checkpoint(line, joinTexts(message.content));
    this.#reportSession(line);
    const results = asObjects(message.content).filter((block) => block.type === 'tool_result');
    for (const block of results) {
      // The extra data of the line belongs to a call only if there is just one.
      this.#result(line, block, results.length === 1 ? line.fields.toolUseResult : undefined);
    }
    const turn = parseUserMessage(message.content, line.fields);
    this.#parseUserTurn(line, message.content, turn);
    // The next prompt of the same words is another one.
    if (turn.text !== '' && this.#state.delivered.length > 0) this.#change({ delivered: [] });
  }

  #parseUserTurn(line: Line, content: unknown, turn: UserMessage) {
    for (const end of turn.notices.flatMap(parseTaskNotices)) this.#taskEnd(line, end);
    for (const skipped of turn.skipped) this.#emit(skipped);
    if (turn.summary !== undefined) this.#checkpoint(line, turn.summary);
    const images = turn.isInjected ? [] : parseImages(content);
    const isCopy = turn.text !== '' && this.#wasDelivered(line.sessionId, turn.text);
    if (isCopy) this.#emit(skip('copy of a message'));
    const text = isCopy ? '' : turn.text;
    if (text === '' && images.length === 0) return;
    const message: MessageEvent = { type: 'message', ...toSource(line), role: 'user', text };
    this.#emit(images.length > 0 ? { ...message, images } : message);
  }

  #result(line: Line, block: Fields, extra: unknown) {
    const callId = asName(block.tool_use_id);
    if (callId === undefined) return this.#emit(problem('result without a call'));
    const outcome = parseOutcome(block, extra, this.#file.readSaved);
    const taskEnd = parseTaskOutput(extra);
    if (taskEnd) this.#taskEnd(line, taskEnd);
    if (outcome.kind === 'background') {
      const task = [outcome.taskId ?? callId, callId] as const;
      this.#change({ tasks: appendUnique(this.#state.tasks, task, (known) => known[1] === callId) });
      return this.#emit(skip('call that continues in the background'));
    }
    const { result, userComment } = outcome;
    const isDenied = result.status === 'error' && this.#state.denied.includes(callId);
    this.#emit(toResult(line, callId, isDenied ? { ...result, status: 'denied' } : result));
    if (asObjects(block.content).some((part) => part.type === 'image')) this.#emit(skip('image in a result'));
    if (userComment === undefined) return;
    this.#emit({ type: 'message', ...toSource(line), id: `${callId}:said`, role: 'user', text: userComment });
  }

  #taskEnd(line: Line, end: TaskEnd) {
    const task = this.#state.tasks.find(([taskId, callId]) => taskId === end.taskId || callId === end.callId);
    if (!task) return;
    this.#change({ tasks: this.#state.tasks.filter((known) => known !== task) });
    this.#emit(toResult(line, task[1], end.result));
  }

  /**
   * What the user types while the agent works. What leaves the queue by `dequeue` becomes a prompt; what is removed has
   * reached the agent in its turn, of which older versions of Claude Code write nothing else.
   */
  #queue(fields: Fields) {
    const { line } = parseLine(fields, this.#file.name, this.#state.chains);
    const { sessionId, timestamp = '' } = line;
    const { queued, delivered } = this.#state;
    const text = redact(parseUserMessage(fields.content, fields).text).slice(0, MAX_QUEUED_LENGTH);
    const isOwn = (each: { readonly sessionId: string }): boolean => each.sessionId === sessionId;
    const first = queued.find((each) => isOwn(each) && (text === '' || each.text === text));
    if (fields.operation === 'enqueue') {
      if (text !== '') this.#change({ queued: appendUnique(queued, { sessionId, text, timestamp }, () => false) });
    } else if (fields.operation === 'popAll') {
      this.#change({ queued: queued.filter((each) => !isOwn(each)) });
    } else if (first !== undefined) {
      this.#change({ queued: queued.filter((each) => each !== first) });
      if (fields.operation === 'remove') {
        this.#change({ delivered: appendUnique(delivered, hashPrompt(sessionId, first.text), () => false) });
        this.#endReply();
        this.#reportSession(line);
        const id = `queued ${first.timestamp}`;
        return this.#emit({ type: 'message', ...toSource(line), id, role: 'user', text: first.text });
      }
    }
    this.#emit(skip('prompt queue'));
  }

  /** Whether a prompt was reported when it left the queue. */
  #wasDelivered(sessionId: string, text: string): boolean {
    const hash = hashPrompt(sessionId, redact(text).slice(0, MAX_QUEUED_LENGTH));
    const isCopy = this.#state.delivered.includes(hash);
    if (isCopy) this.#change({ delivered: this.#state.delivered.filter((each) => each !== hash) });
    return isCopy;
  }

  #system(line: Line) {
    const subtype = asText(line.fields.subtype) ?? '';
    if (subtype === 'compact_boundary') {
      this.#endReply();
      this.#reportSession(line);
      return this.#change({ boundary: toSource(line) });
    }
    if (subtype === 'local_command') {
      const turn = parseUserMessage(line.fields.content, line.fields);
      if (turn.text === '') return this.#emit(...turn.skipped);
      this.#endReply();
      this.#reportSession(line);
      return this.#parseUserTurn(line, undefined, turn);
    }
    this.#emit(skipKnown(SYSTEM_SKIP_REASONS, 'system line', subtype));
  }

  #attachment(line: Line) {
    const attachment = asFields(line.fields.attachment) ?? {};
    if (attachment.type === 'queued_command') {
      this.#endReply();
      this.#reportSession(line);
      return this.#parseUserTurn(line, attachment.prompt, parseUserMessage(attachment.prompt, attachment));
    }
    const callId = asName(attachment.toolUseID);
    if (callId !== undefined && isDenial(attachment)) {
      this.#change({ denied: appendUnique(this.#state.denied, callId, (known) => known === callId) });
    }
    this.#emit(skip('attachment'));
  }

  /** One checkpoint per compaction: its time comes from the boundary before, its text from the summary. */
  #checkpoint(line: Line, text: string) {
    const { boundary, ...rest } = this.#state;
    this.#state = rest;
    this.#reportSession(line);
    this.#emit(toCheckpoint({ ...toSource(line), ...boundary }, text));
  }

  /** Reports a session before its first event and whenever its folder or branch changes. */
  #reportSession(line: Line) {
    const { boundary, ...rest } = this.#state;
    if (boundary) {
      this.#state = rest;
      this.#emit(toCheckpoint(boundary, ''));
    }
    const { sessionId } = line;
    const known = this.#state.sessions.find(({ id }) => id === sessionId);
    const cwd = line.cwd ?? known?.cwd;
    const branch = line.branch ?? known?.branch;
    if (known && known.cwd === cwd && known.branch === branch) return;
    const location = omitUndefined({ cwd, branch });
    const sessions = appendUnique(this.#state.sessions, { id: sessionId, ...location }, ({ id }) => id === sessionId);
    const parent = known ? {} : this.#findParent(line);
    this.#change(line.isSideChain ? { sessions } : { sessions, main: sessionId });
    this.#emit({ type: 'session', sessionId, ...parent, ...location });
    for (const title of this.#state.titles) if (title.of === sessionId) this.#emitTitle(title, sessionId);
  }

  #findParent(line: Line): Pick<SessionEvent, 'parentSessionId' | 'isFork'> {
    if (line.isSideChain) return omitUndefined({ parentSessionId: line.parentSessionId });
    const forked = asName(asFields(line.fields.forkedFrom)?.sessionId);
    // A session resumed under a new id begins with the lines of the previous one, under the previous id.
    const parentSessionId = forked ?? this.#state.main;
    return parentSessionId === undefined || parentSessionId === line.sessionId ? {} : { parentSessionId, isFork: true };
  }

  #endReply() {
    const reply = this.#reply;
    if (!reply) return;
    this.#reply = undefined;
    const messages = this.#state.replies.find(([id]) => id === reply.id)?.[1] ?? 0;
    const events = reply.events(messages);
    if (messages === 0 || reply.hasText())
      this.#change({
        replies: appendUnique(this.#state.replies, [reply.id, messages + 1], ([id]) => id === reply.id),
      });
    this.#emit(...events);
  }

  #emit(...events: readonly TranscriptEvent[]) {
    this.#events.push(...events);
  }

  #change(change: Partial<ReaderState>) {
    this.#state = { ...this.#state, ...change };
  }
}

const SYNTHETIC = '<synthetic>';
const MAX_QUEUED_LENGTH = 4_000;

function hashPrompt(sessionId: string, text: string): number {
  return textHash(`${sessionId} ${text}`);
}

function joinTexts(content: unknown): string {
  return listTexts(content).join('\n\n');
}

type MessageSource = Pick<MessageEvent, 'sessionId' | 'id' | 'timestamp'>;

function toSource({ sessionId, id, timestamp }: Line): MessageSource {
  return { sessionId, ...omitUndefined({ id, timestamp }) };
}

function toCheckpoint(source: MessageSource, text: string): MessageEvent {
  return { type: 'message', ...source, role: 'user', text, kind: 'checkpoint', isSystem: true };
}

function toResult({ sessionId, timestamp }: Line, callId: string, result: ResultEvent['result']): ResultEvent {
  return { type: 'result', sessionId, callId, ...omitUndefined({ timestamp }), result };
}

/** Whether a hook denied a call before it ran. */
function isDenial(attachment: Fields): boolean {
  if (attachment.type === 'hook_blocking_error') return attachment.hookEvent === 'PreToolUse';
  return attachment.type === 'hook_permission_decision' && attachment.decision === 'deny';
}
