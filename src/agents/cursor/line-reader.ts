import { asCount, asFields, asName, asObjects, asText, defined, type Fields } from '../transcript/fields.ts';
import type { LineReader } from '../transcript/json-lines.ts';
import { problem, skip, unknownType } from '../transcript/skip.ts';
import type { TranscriptEvent } from '../transcript/transcript-event.ts';
import { userWords } from './user-words.ts';

/** What is known of a session before its first line. */
interface CursorSession {
  readonly id: string;
  readonly parentId?: string;
  readonly cwd?: string;
}

/** Goes on over readings. */
interface State {
  /** Messages and calls so far: they have no ids but their order. */
  readonly messages: number;
  readonly calls: number;
  /** When the user spoke last, the only time there is. */
  readonly time?: string;
}

const THINKING = skip('thinking');
const INJECTED = skip('injected text');
const REDACTED = '[REDACTED]';

/** Makes events of a transcript's lines: `{role, message: {content: [text | tool_use]}}`. */
export class CursorLineReader implements LineReader {
  readonly #session: CursorSession;
  #state: State;
  #isIntroduced: boolean;

  constructor(session: CursorSession, state: Fields | undefined) {
    this.#session = session;
    this.#isIntroduced = state !== undefined;
    const time = asName(state?.time);
    this.#state = {
      messages: asCount(state?.messages) ?? 0,
      calls: asCount(state?.calls) ?? 0,
      ...(time === undefined ? {} : { time }),
    };
  }

  state(): Fields {
    return this.#state as unknown as Fields;
  }

  *read(line: Fields): Generator<TranscriptEvent> {
    const content = contentOf(line);
    if (line.role === 'user' && content) yield* this.#user(content);
    else if (line.role === 'assistant' && content) yield* this.#assistant(content);
    else if (line.type === 'turn_ended') yield skip('end of a turn');
    else yield unknownType('line', line.type ?? line.role);
  }

  *#user(content: readonly Fields[]): Generator<TranscriptEvent> {
    const { text, time, hasInjected } = userWords(textOf(content));
    if (time !== undefined) this.#state = { ...this.#state, time };
    if (hasInjected) yield INJECTED;
    if (text !== '') yield* this.#message('user', text);
  }

  *#assistant(content: readonly Fields[]): Generator<TranscriptEvent> {
    const text = textOf(content).replaceAll(REDACTED, '').trim();
    if (text !== '') yield* this.#message('assistant', text);
    for (const block of content) {
      if (block.type === 'tool_use') yield* this.#call(block);
      else if (block.type === 'thinking') yield THINKING;
      else if (block.type !== 'text') yield unknownType('block', block.type);
    }
  }

  *#message(role: 'user' | 'assistant', text: string): Generator<TranscriptEvent> {
    yield* this.#introduction();
    this.#state = { ...this.#state, messages: this.#state.messages + 1 };
    const id = String(this.#state.messages);
    yield { type: 'message', role, text, id, ...this.#scene() };
  }

  *#call(block: Fields): Generator<TranscriptEvent> {
    const tool = asName(block.name);
    if (tool === undefined) {
      yield problem('call without a name');
      return;
    }
    yield* this.#introduction();
    this.#state = { ...this.#state, calls: this.#state.calls + 1 };
    const callId = asName(block.id) ?? `${this.#session.id}-${this.#state.calls}`;
    yield { type: 'call', callId, tool, input: asFields(block.input) ?? {}, ...this.#scene() };
  }

  *#introduction(): Generator<TranscriptEvent> {
    if (this.#isIntroduced) return;
    this.#isIntroduced = true;
    const { id: sessionId, parentId: parentSessionId, cwd } = this.#session;
    yield defined({ type: 'session' as const, sessionId, parentSessionId, cwd });
  }

  #scene(): { sessionId: string; timestamp?: string } {
    const { time } = this.#state;
    return { sessionId: this.#session.id, ...(time === undefined ? {} : { timestamp: time }) };
  }
}

function contentOf(line: Fields): readonly Fields[] | undefined {
  const content = asFields(line.message)?.content;
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? asObjects(content) : undefined;
}

function textOf(content: readonly Fields[]): string {
  return content
    .flatMap((block) => (block.type === 'text' ? (asText(block.text) ?? []) : []))
    .join('\n\n')
    .trim();
}
