import type { CallResult } from '../../facts/call/tool-call.ts';
import { textHash } from '../../record/id.ts';
import type { Role, Usage } from '../../record/record.ts';
import { asCount, asFields, asName, asText, type Fields } from '../transcript/fields.ts';
import type { TextLineReader } from '../transcript/line-reading.ts';
import { skip, type TranscriptEvent } from '../transcript/transcript.ts';

/** What is stored between readings. */
interface State {
  readonly sessionId: string;
  /** Whether the session has been reported. */
  readonly isIntroduced: boolean;
  /** When the chat began, in epoch milliseconds; messages have no times of their own. */
  readonly begun: number | undefined;
  readonly count: number;
  /** Whether aider's lines end in two spaces, as they do unless an editor has removed them. */
  readonly isMarked: boolean | undefined;
  readonly running: RunningCall | undefined;
  readonly usage: Usage | undefined;
}

const START = /^# aider chat started at (\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})?/;
const LINE_MARK = '  ';
/** A longer turn is returned in parts, so that a damaged file cannot exhaust the memory. */
const MAX_TURN_LENGTH = 2_000_000;

/** Reads a chat history: turns of the user (`#### `), notices (`> `), and replies between them. */
export class ChatReader implements TextLineReader {
  readonly #folder: string;
  #state: State;
  /** The turn whose lines are being read. */
  #turn: { readonly role: Role; readonly lines: string[]; length: number } | undefined;
  #isInFence = false;

  constructor(folder: string, state: Fields | undefined) {
    this.#folder = folder;
    this.#state = {
      sessionId: asName(state?.sessionId) ?? this.#sessionId(''),
      isIntroduced: state?.isIntroduced === true,
      begun: asCount(state?.begun),
      count: asCount(state?.count) ?? 0,
      isMarked: typeof state?.isMarked === 'boolean' ? state.isMarked : undefined,
      running: parseRunningCall(state?.running),
      usage: asFields(state?.usage),
    };
  }

  state(): Fields {
    return this.#state as unknown as Fields;
  }

  isOpen(): boolean {
    return this.#turn !== undefined || this.#state.running?.kind === 'failed';
  }

  *finish(): Generator<TranscriptEvent> {
    yield* this.#reportSessionFirst(this.#end());
  }

  *read(line: string): Generator<TranscriptEvent> {
    yield* this.#reportSessionFirst(this.#line(line));
  }

  /** A truncated file does not begin with the start of a chat: the session is reported before its first event. */
  *#reportSessionFirst(events: Iterable<TranscriptEvent>): Generator<TranscriptEvent> {
    for (const event of events) {
      if (event.type !== 'skip' && event.type !== 'session' && !this.#state.isIntroduced) {
        this.#state = { ...this.#state, isIntroduced: true };
        yield { type: 'session', sessionId: this.#state.sessionId, cwd: this.#folder };
      }
      yield event;
    }
  }

  *#end(): Generator<TranscriptEvent> {
    yield* this.#endTurn();
    if (this.#state.running?.kind === 'failed') yield* this.#endCall();
  }

  *#line(line: string): Generator<TranscriptEvent> {
    const start = START.exec(line);
    if (start) yield* this.#begin(start);
    else if (this.#isWrittenByAider(line, '####')) yield* this.#userLine(line.slice(5).trimEnd());
    else if (this.#isWrittenByAider(line, '>')) yield* this.#notice(line.slice(1).trimEnd().replace(/^ /, ''));
    else yield* this.#replyLine(line);
  }

  *#begin([, day = '', time]: RegExpExecArray): Generator<TranscriptEvent> {
    yield* this.#endTurn();
    yield* this.#endCall();
    const begun = Date.parse(`${day}T${time ?? '00:00:00'}`);
    this.#state = {
      sessionId: this.#sessionId(`${day}T${time ?? ''}`),
      isIntroduced: true,
      begun: Number.isNaN(begun) ? undefined : begun,
      count: 0,
      isMarked: undefined,
      running: undefined,
      usage: undefined,
    };
    yield { type: 'session', sessionId: this.#state.sessionId, cwd: this.#folder };
  }

  *#userLine(text: string): Generator<TranscriptEvent> {
    if (this.#turn?.role !== 'user') {
      yield* this.#endTurn();
      yield* this.#endCall();
    }
    yield* this.#addLine('user', text);
  }

  *#replyLine(line: string): Generator<TranscriptEvent> {
    const isBlank = line.trim() === '';
    if (this.#turn?.role === 'user' || (isBlank && !this.#turn)) yield* this.#endTurn();
    if (isBlank && !this.#turn) return;
    if (!this.#turn) yield* this.#endCall();
    if (line.startsWith('```')) this.#isInFence = !this.#isInFence;
    yield* this.#addLine('assistant', line);
  }

  *#addLine(role: Role, line: string): Generator<TranscriptEvent> {
    this.#turn ??= { role, lines: [], length: 0 };
    this.#turn.lines.push(line);
    this.#turn.length += line.length + 1;
    if (this.#turn.length > MAX_TURN_LENGTH) yield* this.#endTurn();
  }

  *#endTurn(usage?: Usage): Generator<TranscriptEvent> {
    const turn = this.#turn;
    this.#turn = undefined;
    this.#isInFence = false;
    if (!turn) return;
    const text = turn.lines.join('\n').trim();
    if (turn.role === 'assistant') {
      const replyUsage = usage ?? this.#state.usage;
      this.#state = { ...this.#state, usage: undefined };
      const message = { role: 'assistant' as const, text, ...(replyUsage ? { usage: replyUsage } : {}) };
      if (text !== '') yield { type: 'message', id: this.#nextId(), ...message, ...this.#base() };
      return;
    }
    const typed = parseTyped(text);
    if (typed.type === 'text') {
      yield { type: 'message', id: this.#nextId(), role: 'user', text: typed.text, ...this.#base() };
    } else if (typed.type === 'command') yield* this.#call(typed.command, typed.isTest ? 'test' : 'run');
    else yield skip('command to aider');
  }

  *#notice(line: string): Generator<TranscriptEvent> {
    const notice = parseNotice(line);
    if (notice.type === 'usage' && this.#turn?.role === 'assistant') return yield* this.#endTurn(notice.usage);
    yield* this.#endTurn();
    if (notice.type === 'other') {
      if (this.#state.running) this.#state = { ...this.#state, running: addOutputLine(this.#state.running, line) };
      else yield skip('notice of aider');
    } else yield* this.#handleNotice(notice);
  }

  *#handleNotice(notice: Exclude<Notice, { readonly type: 'other' }>): Generator<TranscriptEvent> {
    const { running, sessionId } = this.#state;
    if (notice.type === 'outputAdded') {
      if (running?.kind === 'test') this.#state = { ...this.#state, running: { ...running, kind: 'failed' } };
      return;
    }
    // After a command aider asks whether to add its output; the command is not over until that is answered.
    if (notice.type === 'question' && running?.kind !== 'failed') return;
    yield* this.#endCall();
    if (notice.type === 'usage') this.#state = { ...this.#state, usage: notice.usage };
    else if (notice.type === 'model') {
      const cwd = this.#folder;
      this.#state = { ...this.#state, isIntroduced: true };
      yield { type: 'session', sessionId, cwd, model: notice.model };
    } else if (notice.type === 'runs') yield* this.#call(notice.command, 'run');
    else if (notice.type === 'lints') yield* this.#call(notice.command, 'failed');
    else if (notice.type === 'edited') yield* this.#endedCall('edit_file', { path: notice.path });
    else if (notice.type === 'editFailed') yield* this.#startedCall('edit_file', { path: notice.path }, 'failed');
    else if (notice.type === 'committed') {
      const command = `git commit -m ${JSON.stringify(notice.message)}`;
      yield* this.#endedCall('run_command', { command }, `${notice.hash} ${notice.message}`);
    }
  }

  #call(command: string, kind: RunningCall['kind']): Iterable<TranscriptEvent> {
    return this.#startedCall('run_command', { command }, kind);
  }

  *#startedCall(tool: string, input: Fields, kind: RunningCall['kind']): Generator<TranscriptEvent> {
    const callId = this.#nextId();
    this.#state = { ...this.#state, running: startCall(callId, kind) };
    yield { type: 'call', callId, tool, input, ...this.#base() };
  }

  *#endedCall(tool: string, input: Fields, output?: string): Generator<TranscriptEvent> {
    const callId = this.#nextId();
    yield { type: 'call', callId, tool, input, ...this.#base() };
    const result = { status: 'ok' as const, ...(output === undefined ? {} : { output }) };
    yield { type: 'result', callId, result, ...this.#base() };
  }

  *#endCall(): Generator<TranscriptEvent> {
    const { running } = this.#state;
    if (!running) return;
    this.#state = { ...this.#state, running: undefined };
    yield { type: 'result', callId: running.callId, result: toResult(running), ...this.#base() };
  }

  /** Whether a line with this prefix is aider's own, and not a line of a reply that looks like it. */
  #isWrittenByAider(line: string, prefix: string): boolean {
    if (!line.startsWith(prefix)) return false;
    const next = line[prefix.length];
    if (next !== undefined && next !== ' ') return false;
    const isMarked = line.endsWith(LINE_MARK);
    if (this.#state.isMarked === undefined) this.#state = { ...this.#state, isMarked };
    return this.#state.isMarked ? isMarked : !this.#isInFence;
  }

  #nextId(): string {
    this.#state = { ...this.#state, count: this.#state.count + 1 };
    return `${this.#state.sessionId}-${this.#state.count}`;
  }

  #base(): { readonly sessionId: string; readonly timestamp?: string } {
    const { sessionId, begun, count } = this.#state;
    return {
      sessionId,
      ...(begun === undefined ? {} : { timestamp: new Date(begun + count).toISOString() }),
    };
  }

  #sessionId(begun: string): string {
    const folderHash = textHash(this.#folder).toString(36).slice(0, 6);
    return `aider-${begun.replace(/\D/g, '') || 'unknown'}-${folderHash}`;
  }
}

/** A line that aider itself writes between the turns. */
type Notice =
  | { readonly type: 'model'; readonly model: string }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'edited'; readonly path: string }
  | { readonly type: 'committed'; readonly hash: string; readonly message: string }
  /** A command that the model proposed and the user allowed. */
  | { readonly type: 'runs'; readonly command: string }
  /** A linter that found something; its output follows. */
  | { readonly type: 'lints'; readonly command: string }
  /** An edit whose text was not found; details follow. */
  | { readonly type: 'editFailed'; readonly path: string }
  /** Output of a command was added to the chat; for a test only when it failed. */
  | { readonly type: 'outputAdded' }
  /** A question to the user with the answer: ends the output of a command or linter. */
  | { readonly type: 'question' }
  /** The following lines are about something else. */
  | { readonly type: 'heading' }
  | { readonly type: 'other' };

const PATTERNS: readonly (readonly [RegExp, (found: RegExpExecArray) => Notice])[] = [
  [/^(?:Main model|Models?): (\S{1,200})/, ([, model = '']) => ({ type: 'model', model })],
  [/^Applied edit to (.{1,1000})$/, ([, path = '']) => ({ type: 'edited', path })],
  [/^Commit ([0-9a-f]{7,40}) (.{1,1000})$/, ([, hash = '', message = '']) => ({ type: 'committed', hash, message })],
  [/^## Running: (.{1,8000})$/, ([, command = '']) => ({ type: 'lints', command })],
  [/^Running (?!:)(\S.{0,8000})$/, ([, command = '']) => ({ type: 'runs', command })],
  [/failed to exactly match lines in (.{1,1000})$/, ([, path = '']) => ({ type: 'editFailed', path })],
  [/^Added \d+ lines? of output to the chat/, () => ({ type: 'outputAdded' })],
  [/\? (?:\(Y\)es|\[?y\/n|yes\b|no\b|y\b|n\b)/i, () => ({ type: 'question' })],
  [/^(?:# Fix any errors below|## See relevant lines below)/, () => ({ type: 'heading' })],
];
const TOKENS =
  /([\d.,]+[kM]?) (?:sent|prompt tokens)(?:, ([\d.,]+[kM]?) cache write)?(?:, ([\d.,]+[kM]?) cache hit)?,? ?([\d.,]+[kM]?) (?:received|completion tokens)/;

function parseNotice(line: string): Notice {
  const text = line.trim();
  const usage = parseUsage(text);
  if (usage) return { type: 'usage', usage };
  for (const [pattern, make] of PATTERNS) {
    const found = pattern.exec(text);
    if (found) return make(found);
  }
  return { type: 'other' };
}

/** `Tokens: 2.4k sent, 1.1k cache hit, 133 received.` Sent includes cached tokens. */
function parseUsage(text: string): Usage | undefined {
  const found = TOKENS.exec(text.slice(0, 300));
  if (!found) return undefined;
  const [sent = 0, written, hit, received = 0] = found.slice(1).map(parseCount);
  return {
    inputTokens: Math.max(0, sent - (written ?? 0) - (hit ?? 0)),
    outputTokens: received,
    ...(hit === undefined ? {} : { cacheReadTokens: hit }),
    ...(written === undefined ? {} : { cacheWriteTokens: written }),
  };
}

function parseCount(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const unit = text.endsWith('k') ? 1000 : text.endsWith('M') ? 1_000_000 : 1;
  const count = Number(text.replace(/,/g, '').replace(/[kM]$/, '')) * unit;
  return Number.isFinite(count) ? Math.round(count) : undefined;
}

/** A call whose output is still coming, line by line. Small plain JSON. */
interface RunningCall {
  readonly callId: string;
  /** `run`: aider does not say how it ended; `test`: only when it failed; `failed`: it failed. */
  readonly kind: 'run' | 'test' | 'failed';
  readonly head: string;
  readonly tail: string;
  readonly isCut: boolean;
}

/** Only the two ends of an output are kept. */
const END_LENGTH = 1500;

/** A call without output yet. */
function startCall(callId: string, kind: RunningCall['kind']): RunningCall {
  return { callId, kind, head: '', tail: '', isCut: false };
}

/** The call with one more line of output. */
function addOutputLine(call: RunningCall, line: string): RunningCall {
  if (call.tail === '' && call.head.length + line.length < END_LENGTH) {
    return { ...call, head: call.head === '' ? line : `${call.head}\n${line}` };
  }
  const tail = call.tail === '' ? line : `${call.tail}\n${line}`;
  const isCut = call.isCut || tail.length > END_LENGTH;
  return { ...call, tail: tail.slice(-END_LENGTH), isCut };
}

/** The result, as far as the text shows it. */
function toResult(call: RunningCall): CallResult {
  const output = [call.head, ...(call.isCut ? ['…'] : []), call.tail].filter((part) => part !== '').join('\n');
  if (call.kind === 'failed') return { status: 'error', output };
  // aider writes nothing about a test that passed.
  if (call.kind === 'test' && output === '') return { status: 'ok' };
  return { status: 'unknown', ...(output === '' ? {} : { output }) };
}

/** Parses a stored call; undefined when it is malformed. */
function parseRunningCall(value: unknown): RunningCall | undefined {
  const fields: Fields | undefined = asFields(value);
  const callId = asText(fields?.callId);
  const kind = fields?.kind;
  if (!fields || callId === undefined || (kind !== 'run' && kind !== 'test' && kind !== 'failed')) return undefined;
  return {
    callId,
    kind,
    head: asText(fields.head) ?? '',
    tail: asText(fields.tail) ?? '',
    isCut: fields.isCut === true,
  };
}

/** What the user typed at aider's prompt. */
type TypedText =
  | { readonly type: 'text'; readonly text: string }
  /** A shell command: `/run`, `/test`, `/git` or `!`. */
  | { readonly type: 'command'; readonly command: string; readonly isTest: boolean }
  /** A command to aider that does not reach the model. */
  | { readonly type: 'control' };

const SLASH_COMMAND = /^\/([a-z-]+)(?:\s+([\s\S]*))?$/;
/** Commands whose text goes to the model. */
const PROMPT_COMMANDS: ReadonlySet<string> = new Set(['architect', 'ask', 'chat', 'code', 'context', 'help']);

function parseTyped(text: string): TypedText {
  if (text === '' || text === '<blank>') return { type: 'control' };
  if (text.startsWith('!')) return toShell(text.slice(1), false);
  const found = SLASH_COMMAND.exec(text);
  if (!found) return { type: 'text', text };
  const [, name = '', rest = ''] = found;
  if (name === 'run' || name === 'test') return toShell(rest, name === 'test');
  if (name === 'git') return toShell(rest === '' ? '' : `git ${rest}`, false);
  if (PROMPT_COMMANDS.has(name) && rest.trim() !== '') return { type: 'text', text: rest.trim() };
  return { type: 'control' };
}

function toShell(command: string, isTest: boolean): TypedText {
  const trimmed = command.trim();
  return trimmed === '' ? { type: 'control' } : { type: 'command', command: trimmed, isTest };
}
