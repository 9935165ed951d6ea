import type { CallResult } from '../../memory/index.ts';
import { type Role, textHash, type Usage } from '../../record/index.ts';
import { asCount, asFields, asName, asText, type Fields } from '../transcript/fields.ts';
import type { TextLineReader } from '../transcript/line-reading.ts';
import { skip, type TranscriptEvent } from '../transcript/transcript-event.ts';

/** Goes on over readings. */
interface State {
  readonly sessionId: string;
  /** Whether the session was told. */
  readonly isIntroduced: boolean;
  /** When the chat began, in milliseconds; what follows has only its order. */
  readonly begun: number | undefined;
  readonly count: number;
  /** Whether the lines that aider writes end in two spaces, as they do unless an editor took them away. */
  readonly isMarked: boolean | undefined;
  readonly running: RunningCall | undefined;
  readonly usage: Usage | undefined;
}

const START = /^# aider chat started at (\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})?/;
const MARK = '  ';
/** A longer turn is told in parts: damage must not fill the memory. */
const LONGEST_TURN = 2_000_000;

/** Makes events of the lines of a chat history: turns of the user (`#### `), notices (`> `), and replies between them. */
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
      running: asRunningCall(state?.running),
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
    yield* this.#introduced(this.#end());
  }

  *read(line: string): Generator<TranscriptEvent> {
    yield* this.#introduced(this.#line(line));
  }

  /** A file whose beginning was cut off does not begin with the start of a chat. */
  *#introduced(events: Iterable<TranscriptEvent>): Generator<TranscriptEvent> {
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
    else if (this.#isOf(line, '####')) yield* this.#userLine(line.slice(5).trimEnd());
    else if (this.#isOf(line, '>')) yield* this.#notice(line.slice(1).trimEnd().replace(/^ /, ''));
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
    if (this.#turn.length > LONGEST_TURN) yield* this.#endTurn();
  }

  *#endTurn(usage?: Usage): Generator<TranscriptEvent> {
    const turn = this.#turn;
    this.#turn = undefined;
    this.#isInFence = false;
    if (!turn) return;
    const text = turn.lines.join('\n').trim();
    if (turn.role === 'assistant') {
      const spent = usage ?? this.#state.usage;
      this.#state = { ...this.#state, usage: undefined };
      const message = { role: 'assistant' as const, text, ...(spent ? { usage: spent } : {}) };
      if (text !== '') yield { type: 'message', id: this.#nextId(), ...message, ...this.#scene() };
      return;
    }
    const typed = typedText(text);
    if (typed.type === 'words') {
      yield { type: 'message', id: this.#nextId(), role: 'user', text: typed.text, ...this.#scene() };
    } else if (typed.type === 'command') yield* this.#call(typed.command, typed.isTest ? 'test' : 'run');
    else yield skip('command to aider');
  }

  *#notice(line: string): Generator<TranscriptEvent> {
    const notice = noticeOf(line);
    if (notice.type === 'usage' && this.#turn?.role === 'assistant') {
      yield* this.#endTurn(notice.usage);
      return;
    }
    yield* this.#endTurn();
    if (notice.type === 'other') {
      if (this.#state.running) this.#state = { ...this.#state, running: withLine(this.#state.running, line) };
      else yield skip('notice of aider');
    } else yield* this.#act(notice);
  }

  *#act(notice: Exclude<Notice, { readonly type: 'other' }>): Generator<TranscriptEvent> {
    const { running, sessionId } = this.#state;
    if (notice.type === 'outputAdded') {
      if (running?.kind === 'test') this.#state = { ...this.#state, running: { ...running, kind: 'failed' } };
      return;
    }
    // Whether to add the output is asked of a command, while it is still to be told how much that was.
    if (notice.type === 'question' && running?.kind !== 'failed') return;
    yield* this.#endCall();
    if (notice.type === 'usage') this.#state = { ...this.#state, usage: notice.usage };
    else if (notice.type === 'model') {
      const cwd = this.#folder;
      this.#state = { ...this.#state, isIntroduced: true };
      yield { type: 'session', sessionId, cwd, model: notice.model };
    } else if (notice.type === 'runs') yield* this.#call(notice.command, 'run');
    else if (notice.type === 'lints') yield* this.#call(notice.command, 'failed');
    else if (notice.type === 'edited') yield* this.#done('edit_file', { path: notice.path });
    else if (notice.type === 'editFailed') yield* this.#begun('edit_file', { path: notice.path }, 'failed');
    else if (notice.type === 'committed') {
      const command = `git commit -m ${JSON.stringify(notice.message)}`;
      yield* this.#done('run_command', { command }, `${notice.hash} ${notice.message}`);
    }
  }

  #call(command: string, kind: RunningCall['kind']): Iterable<TranscriptEvent> {
    return this.#begun('run_command', { command }, kind);
  }

  *#begun(tool: string, input: Fields, kind: RunningCall['kind']): Generator<TranscriptEvent> {
    const callId = this.#nextId();
    this.#state = { ...this.#state, running: beginCall(callId, kind) };
    yield { type: 'call', callId, tool, input, ...this.#scene() };
  }

  *#done(tool: string, input: Fields, output?: string): Generator<TranscriptEvent> {
    const callId = this.#nextId();
    yield { type: 'call', callId, tool, input, ...this.#scene() };
    const result = { status: 'ok' as const, ...(output === undefined ? {} : { output }) };
    yield { type: 'result', callId, result, ...this.#scene() };
  }

  *#endCall(): Generator<TranscriptEvent> {
    const { running } = this.#state;
    if (!running) return;
    this.#state = { ...this.#state, running: undefined };
    yield { type: 'result', callId: running.callId, result: resultOf(running), ...this.#scene() };
  }

  /** Whether a line is one that aider wrote with this at its beginning, and not one of a reply that looks like it. */
  #isOf(line: string, beginning: string): boolean {
    if (!line.startsWith(beginning)) return false;
    const next = line[beginning.length];
    if (next !== undefined && next !== ' ') return false;
    const isMarked = line.endsWith(MARK);
    if (this.#state.isMarked === undefined) this.#state = { ...this.#state, isMarked };
    return this.#state.isMarked ? isMarked : !this.#isInFence;
  }

  #nextId(): string {
    this.#state = { ...this.#state, count: this.#state.count + 1 };
    return `${this.#state.sessionId}-${this.#state.count}`;
  }

  #scene(): { readonly sessionId: string; readonly timestamp?: string } {
    const { sessionId, begun, count } = this.#state;
    return {
      sessionId,
      ...(begun === undefined ? {} : { timestamp: new Date(begun + count).toISOString() }),
    };
  }

  #sessionId(begun: string): string {
    const place = textHash(this.#folder).toString(36).slice(0, 6);
    return `aider-${begun.replace(/\D/g, '') || 'unknown'}-${place}`;
  }
}

/** What aider itself says between the turns, one line of it. */
type Notice =
  | { readonly type: 'model'; readonly model: string }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'edited'; readonly path: string }
  | { readonly type: 'committed'; readonly hash: string; readonly message: string }
  /** A command that the model proposed and the person allowed. */
  | { readonly type: 'runs'; readonly command: string }
  /** A linter that found something; what it said follows. */
  | { readonly type: 'lints'; readonly command: string }
  /** An edit whose text was not found; more about it follows. */
  | { readonly type: 'editFailed'; readonly path: string }
  /** Output of a command was added to the chat, which is said of a test only when it failed. */
  | { readonly type: 'outputAdded' }
  /** A question to the person with the answer: ends what a command or linter said. */
  | { readonly type: 'question' }
  /** What follows is about something else. */
  | { readonly type: 'heading' }
  | { readonly type: 'other' };

const PATTERNS: readonly (readonly [RegExp, (found: RegExpExecArray) => Notice])[] = [
  [/^(?:Main model|Models?): (\S{1,200})/, ([, model = '']) => ({ type: 'model', model })],
  [/^Applied edit to (.{1,1000})$/, ([, path = '']) => ({ type: 'edited', path })],
  [
    /^Commit ([0-9a-f]{7,40}) (.{1,1000})$/,
    ([, hash = '', message = '']) => ({ type: 'committed', hash, message }),
  ],
  [/^## Running: (.{1,8000})$/, ([, command = '']) => ({ type: 'lints', command })],
  [/^Running (?!:)(\S.{0,8000})$/, ([, command = '']) => ({ type: 'runs', command })],
  [/failed to exactly match lines in (.{1,1000})$/, ([, path = '']) => ({ type: 'editFailed', path })],
  [/^Added \d+ lines? of output to the chat/, () => ({ type: 'outputAdded' })],
  [/\? (?:\(Y\)es|\[?y\/n|yes\b|no\b|y\b|n\b)/i, () => ({ type: 'question' })],
  [/^(?:# Fix any errors below|## See relevant lines below)/, () => ({ type: 'heading' })],
];
const TOKENS =
  /([\d.,]+[kM]?) (?:sent|prompt tokens)(?:, ([\d.,]+[kM]?) cache write)?(?:, ([\d.,]+[kM]?) cache hit)?,? ?([\d.,]+[kM]?) (?:received|completion tokens)/;

/** What a line of aider's says. */
function noticeOf(line: string): Notice {
  const text = line.trim();
  const usage = usageOf(text);
  if (usage) return { type: 'usage', usage };
  for (const [pattern, make] of PATTERNS) {
    const found = pattern.exec(text);
    if (found) return make(found);
  }
  return { type: 'other' };
}

/** `Tokens: 2.4k sent, 1.1k cache hit, 133 received.` What came from a cache is in what was sent. */
function usageOf(text: string): Usage | undefined {
  const found = TOKENS.exec(text.slice(0, 300));
  if (!found) return undefined;
  const [sent = 0, written, hit, received = 0] = found.slice(1).map(countOf);
  return {
    inputTokens: Math.max(0, sent - (written ?? 0) - (hit ?? 0)),
    outputTokens: received,
    ...(hit === undefined ? {} : { cacheReadTokens: hit }),
    ...(written === undefined ? {} : { cacheWriteTokens: written }),
  };
}

function countOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const unit = text.endsWith('k') ? 1000 : text.endsWith('M') ? 1_000_000 : 1;
  const count = Number(text.replace(/,/g, '').replace(/[kM]$/, '')) * unit;
  return Number.isFinite(count) ? Math.round(count) : undefined;
}

/** A call whose result is still being told, line by line. Plain JSON, and small. */
interface RunningCall {
  readonly callId: string;
  /** `run`: how it ended is not told; `test`: told when it failed; `failed`: it failed. */
  readonly kind: 'run' | 'test' | 'failed';
  readonly head: string;
  readonly tail: string;
  readonly isCut: boolean;
}

/** Of an output, its two ends are enough. */
const END_LENGTH = 1500;

/** A call that just began. */
function beginCall(callId: string, kind: RunningCall['kind']): RunningCall {
  return { callId, kind, head: '', tail: '', isCut: false };
}

/** The call with one more line of output. */
function withLine(call: RunningCall, line: string): RunningCall {
  if (call.tail === '' && call.head.length + line.length < END_LENGTH) {
    return { ...call, head: call.head === '' ? line : `${call.head}\n${line}` };
  }
  const tail = call.tail === '' ? line : `${call.tail}\n${line}`;
  const isCut = call.isCut || tail.length > END_LENGTH;
  return { ...call, tail: tail.slice(-END_LENGTH), isCut };
}

/** How it ended, as far as the text shows it. */
function resultOf(call: RunningCall): CallResult {
  const output = [call.head, ...(call.isCut ? ['…'] : []), call.tail]
    .filter((part) => part !== '')
    .join('\n');
  if (call.kind === 'failed') return { status: 'error', output };
  // Of a test that passed, nothing at all is said.
  if (call.kind === 'test' && output === '') return { status: 'ok' };
  return { status: 'unknown', ...(output === '' ? {} : { output }) };
}

/** A call that was kept; undefined when it makes no sense. */
function asRunningCall(value: unknown): RunningCall | undefined {
  const fields: Fields | undefined = asFields(value);
  const callId = asText(fields?.callId);
  const kind = fields?.kind;
  if (!fields || callId === undefined || (kind !== 'run' && kind !== 'test' && kind !== 'failed'))
    return undefined;
  return {
    callId,
    kind,
    head: asText(fields.head) ?? '',
    tail: asText(fields.tail) ?? '',
    isCut: fields.isCut === true,
  };
}

/** What a person typed at aider's prompt. */
type TypedText =
  | { readonly type: 'words'; readonly text: string }
  /** A command of the shell: `/run`, `/test`, `/git` or `!`. */
  | { readonly type: 'command'; readonly command: string; readonly isTest: boolean }
  /** Something that steers aider and says nothing to the model. */
  | { readonly type: 'control' };

const SLASH_COMMAND = /^\/([a-z-]+)(?:\s+([\s\S]*))?$/;
/** Commands whose text goes to the model. */
const SPEAKING: ReadonlySet<string> = new Set(['architect', 'ask', 'chat', 'code', 'context', 'help']);

/** Tells words from commands. */
function typedText(text: string): TypedText {
  if (text === '' || text === '<blank>') return { type: 'control' };
  if (text.startsWith('!')) return shell(text.slice(1), false);
  const found = SLASH_COMMAND.exec(text);
  if (!found) return { type: 'words', text };
  const [, name = '', rest = ''] = found;
  if (name === 'run' || name === 'test') return shell(rest, name === 'test');
  if (name === 'git') return shell(rest === '' ? '' : `git ${rest}`, false);
  if (SPEAKING.has(name) && rest.trim() !== '') return { type: 'words', text: rest.trim() };
  return { type: 'control' };
}

function shell(command: string, isTest: boolean): TypedText {
  const trimmed = command.trim();
  return trimmed === '' ? { type: 'control' } : { type: 'command', command: trimmed, isTest };
}
