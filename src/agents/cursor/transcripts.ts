import { basename, dirname, join } from 'node:path';
import { omitUndefined } from '../../record/object.ts';
import { LETTERS } from '../../text/letters.ts';
import { extractElements } from '../transcript/elements.ts';
import { asCount, asFields, asName, asObjects, type Fields, listTexts } from '../transcript/fields.ts';
import { fileSource, firstFields, listFolder, listNames, listTranscriptFiles } from '../transcript/files.ts';
import { type LineReader, readJsonLines } from '../transcript/line-reading.ts';
import {
  type AgentTranscripts,
  problem,
  skip,
  type TranscriptEvent,
  type TranscriptLocations,
  type TranscriptSource,
  unknownType,
} from '../transcript/transcript.ts';

/**
 * The transcripts of Cursor: `<id>.jsonl` or `<id>/<id>.jsonl` in `~/.cursor/projects/<slug>/agent-transcripts/`,
 * sub-agents in `<id>/subagents/`. They hold messages and tool calls, but no results, no ids and hardly any times.
 */
export const cursorTranscripts: AgentTranscripts = {
  agent: 'cursor',
  find: (places) => {
    const projects = join(places.home, '.cursor', 'projects');
    return listNames(projects).flatMap((slug) => findInProject(join(projects, slug), slug, places));
  },
  recognises: (path) => {
    const first = path.endsWith('.jsonl') ? firstFields(path) : undefined;
    if (!first || 'uuid' in first || 'sessionId' in first || 'type' in first) return false;
    const isKnownRole = first.role === 'user' || first.role === 'assistant';
    return isKnownRole && Array.isArray(asFields(first.message)?.content);
  },
  read: (source, position) => {
    const session = describeSession(source);
    return readJsonLines(source, position, (state) => new CursorLineReader(session, state));
  },
};

function findInProject(project: string, slug: string, places: TranscriptLocations): readonly TranscriptSource[] {
  const paths = listTranscriptFiles(join(project, 'agent-transcripts'), (name) => name.endsWith('.jsonl'), 2);
  if (paths.length === 0) return [];
  const cwd = findFolder(slug, places);
  return paths
    .flatMap((path) => fileSource('cursor', path) ?? [])
    .map((source) => ({ ...source, ...omitUndefined({ cwd }) }));
}

function describeSession(source: TranscriptSource): CursorSession {
  const id = basename(source.path, '.jsonl');
  const folder = dirname(source.path);
  const parentId = basename(folder) === 'subagents' ? basename(dirname(folder)) : undefined;
  return { id, ...omitUndefined({ parentId, cwd: source.cwd }) };
}

/** How many folders are searched for one slug. */
const MAX_FOLDERS = 200;

/**
 * The folder of a slug: a known project, else an existing folder in the user's home. In a slug, everything but letters and
 * digits is replaced by `-`, so the path can only be found by looking.
 */
function findFolder(
  slug: string,
  { home, projects }: Pick<TranscriptLocations, 'home' | 'projects'>,
): string | undefined {
  const wanted = slug.toLowerCase();
  const known = projects.find((folder) => toSlug(folder) === wanted);
  if (known !== undefined) return known;
  const prefix = `${toSlug(home)}-`;
  return wanted.startsWith(prefix) ? findBelow(home, wanted.slice(prefix.length), { left: MAX_FOLDERS }) : undefined;
}

function toSlug(folder: string): string {
  return folder
    .toLowerCase()
    .replace(new RegExp(`[^${LETTERS}]+`, 'gu'), '-')
    .replace(/^-|-$/g, '');
}

/** The folder below `folder` whose relative path has this slug. */
function findBelow(folder: string, slug: string, budget: { left: number }): string | undefined {
  if (budget.left-- <= 0) return undefined;
  for (const { name, isFolder } of listFolder(folder)) {
    if (!isFolder) continue;
    const part = toSlug(name);
    if (part === '') continue;
    if (part === slug) return join(folder, name);
    if (!slug.startsWith(`${part}-`)) continue;
    const found = findBelow(join(folder, name), slug.slice(part.length + 1), budget);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What the location of a transcript says about its session. */
interface CursorSession {
  readonly id: string;
  readonly parentId?: string;
  readonly cwd?: string;
}

/** What is stored between readings. */
interface State {
  /** How many messages and calls there were: ids are made from their order. */
  readonly messages: number;
  readonly calls: number;
  /** The time of the user's last message, the only time there is. */
  readonly time?: string;
}

const THINKING = skip('thinking');
const INJECTED = skip('injected text');
const REDACTED = '[REDACTED]';

/** Reads the lines of a transcript: `{role, message: {content: [text | tool_use]}}`. */
class CursorLineReader implements LineReader {
  readonly #session: CursorSession;
  #state: State;
  #isSessionReported: boolean;

  constructor(session: CursorSession, state: Fields | undefined) {
    this.#session = session;
    this.#isSessionReported = state !== undefined;
    this.#state = {
      messages: asCount(state?.messages) ?? 0,
      calls: asCount(state?.calls) ?? 0,
      ...omitUndefined({ time: asName(state?.time) }),
    };
  }

  state(): Fields {
    return this.#state as unknown as Fields;
  }

  *read(line: Fields): Generator<TranscriptEvent> {
    const content = parseContent(line);
    if (line.role === 'user' && content) yield* this.#user(content);
    else if (line.role === 'assistant' && content) yield* this.#assistant(content);
    else if (line.type === 'turn_ended') yield skip('end of a turn');
    else yield unknownType('line', line.type ?? line.role);
  }

  *#user(content: readonly Fields[]): Generator<TranscriptEvent> {
    const { text, time, hasInjected } = parseUserText(joinTexts(content));
    if (time !== undefined) this.#state = { ...this.#state, time };
    if (hasInjected) yield INJECTED;
    if (text !== '') yield* this.#message('user', text);
  }

  *#assistant(content: readonly Fields[]): Generator<TranscriptEvent> {
    const text = joinTexts(content).replaceAll(REDACTED, '').trim();
    if (text !== '') yield* this.#message('assistant', text);
    for (const block of content) {
      if (block.type === 'tool_use') yield* this.#call(block);
      else if (block.type === 'thinking') yield THINKING;
      else if (block.type !== 'text') yield unknownType('block', block.type);
    }
  }

  *#message(role: 'user' | 'assistant', text: string): Generator<TranscriptEvent> {
    yield* this.#reportSession();
    this.#state = { ...this.#state, messages: this.#state.messages + 1 };
    const id = String(this.#state.messages);
    yield { type: 'message', role, text, id, ...this.#base() };
  }

  *#call(block: Fields): Generator<TranscriptEvent> {
    const tool = asName(block.name);
    if (tool === undefined) return yield problem('call without a name');
    yield* this.#reportSession();
    this.#state = { ...this.#state, calls: this.#state.calls + 1 };
    const callId = asName(block.id) ?? `${this.#session.id}-${this.#state.calls}`;
    yield { type: 'call', callId, tool, input: asFields(block.input) ?? {}, ...this.#base() };
    // Cursor writes no results.
    yield { type: 'result', callId, result: { status: 'unknown' }, ...this.#base() };
  }

  *#reportSession(): Generator<TranscriptEvent> {
    if (this.#isSessionReported) return;
    this.#isSessionReported = true;
    const { id: sessionId, parentId: parentSessionId, cwd } = this.#session;
    yield omitUndefined({ type: 'session' as const, sessionId, parentSessionId, cwd });
  }

  #base(): { sessionId: string; timestamp?: string } {
    return { sessionId: this.#session.id, ...omitUndefined({ timestamp: this.#state.time }) };
  }
}

function parseContent(line: Fields): readonly Fields[] | undefined {
  const content = asFields(line.message)?.content;
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? asObjects(content) : undefined;
}

function joinTexts(content: readonly Fields[]): string {
  return listTexts(content).join('\n\n').trim();
}

/** What the user said in a turn. */
interface UserText {
  /** Empty when the whole turn was injected. */
  readonly text: string;
  /** Left out if the turn does not say. */
  readonly time?: string;
  readonly hasInjected: boolean;
}

const QUERY = 'user_query';
const TIMESTAMP = 'timestamp';

/** The elements of a user's turn: injected ones, and the one that holds what the user said. */
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

/** What the user said is in `<user_query>`; without that element, it is everything outside of known ones. */
function parseUserText(turn: string): UserText {
  const { elements, rest } = extractElements(turn, ELEMENTS);
  const inside = (wanted: string) => elements.flatMap(({ name, content }) => (name === wanted ? content.trim() : []));
  const queries = inside(QUERY);
  const time = inside(TIMESTAMP).flatMap((text) => parseTime(text) ?? [])[0];
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
function parseTime(text: string): string | undefined {
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
