import { extractElements } from '../transcript/elements.ts';
import { asCount, asFields, asName, asObjects, asText, defined, type Fields } from '../transcript/fields.ts';
import type { LineReader } from '../transcript/line-reading.ts';
import { problem, skip, type TranscriptEvent, unknownType } from '../transcript/transcript-event.ts';

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

/** What a person said in a user's turn, out of all that is in it. */
interface UserWords {
  /** Empty when there is nothing of theirs. */
  readonly text: string;
  /** When, if the turn tells. */
  readonly time?: string;
  readonly hasInjected: boolean;
}

const QUERY = 'user_query';
const TIMESTAMP = 'timestamp';

/** Elements that Cursor puts into a user's turn, with the one that holds what the user said. */
const ELEMENTS: ReadonlySet<string> = new Set([
  QUERY,
  TIMESTAMP,
  'additional_data',
  'agent_skills',
  'agent_transcripts',
  'always_applied_workspace_rule',
  'always_applied_workspace_rules',
  'attached_files',
  'available_instructions',
  'cursor_commands',
  'external_links',
  'git_status',
  'image_files',
  'mcp_file_system',
  'open_and_recently_viewed_files',
  'project_layout',
  'rules',
  'system-reminder',
  'system_reminder',
  'system_notification',
  'task_notification',
  'user_info',
  'user_rules',
]);

/** The person's words are in `<user_query>`; without it, they are what no known element holds. */
function userWords(turn: string): UserWords {
  const { elements, rest } = extractElements(turn, ELEMENTS);
  const inside = (wanted: string) =>
    elements.flatMap(({ name, content }) => (name === wanted ? content.trim() : []));
  const queries = inside(QUERY);
  const time = inside(TIMESTAMP).flatMap((text) => timeOf(text) ?? [])[0];
  const text = queries.length > 0 ? queries.filter((query) => query !== '').join('\n\n') : rest.trim();
  const isInjected = elements.some(({ name }) => name !== QUERY && name !== TIMESTAMP);
  return {
    text,
    ...(time === undefined ? {} : { time }),
    hasInjected: isInjected || (queries.length > 0 && rest.trim() !== ''),
  };
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const TIME =
  /([A-Za-z]{3})[a-z]* (\d{1,2}), (\d{4}),? (?:at )?(\d{1,2}):(\d{2})(?::\d{2})?\s?(AM|PM)? ?\((?:UTC|GMT)(?:([+-])(\d{1,2})(?::?(\d{2}))?)?\)/i;

/** `Friday, Oct 2, 2026, 4:05 PM (UTC+2)` as ISO 8601; undefined when it is of another form. */
function timeOf(text: string): string | undefined {
  const found = TIME.exec(text.slice(0, 200));
  if (!found) return undefined;
  const [, monthName = '', day, year, hours, minutes, half, sign, offsetHours, offsetMinutes] = found;
  const month = MONTHS.indexOf(monthName.toLowerCase());
  if (month < 0) return undefined;
  const hour = half ? (Number(hours) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0) : Number(hours);
  const offset = (Number(offsetHours ?? 0) * 60 + Number(offsetMinutes ?? 0)) * (sign === '-' ? -1 : 1);
  const time = Date.UTC(Number(year), month, Number(day), hour, Number(minutes)) - offset * 60_000;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
