import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { SessionView } from '../../project/index.ts';
import { type Attempt, type Message, omitUndefined, YoreError } from '../../record/index.ts';
import { safeCut } from '../../text/characters.ts';
import { oneLine, safeText } from '../../text/one-line.ts';
import { frameRecorded, quote, quoteId, quoteLines } from '../../text/recorded-text.ts';
import { type CallContext, type CallContexts, displayNameOf } from '../call-context.ts';
import { formatMinute, optionalLine, quoteOrigin, registerTool, type ToolResult } from '../tool.ts';

const INPUT = z.strictObject({
  id: z.string().max(1000).describe('Id of the session, or the beginning of it.'),
  page: z.int().min(1).max(1_000_000).optional().describe('Starts at 1. Default 1.'),
  around: z.string().max(1000).optional().describe('Id of a message or attempt: reads the page it is on.'),
  entry: z.string().max(1000).optional().describe('Id of a message or attempt: reads only that one, at full length.'),
});

const ENTRY = z.object({
  id: z.string(),
  at: z.string().describe('ISO 8601, UTC.'),
  kind: z.enum(['message', 'attempt']),
  who: z
    .string()
    .describe(
      'The role of a message, or the outcome of an attempt. "foreign": from a transcript that is not the user\'s.',
    ),
  text: z.string().describe('Recorded text.'),
  leftOut: z.number().optional().describe('Number of characters that were left out; `entry` returns them.'),
});

const OUTPUT = z.object({
  session: z.object({
    id: z.string(),
    project: z.string(),
    title: z.string(),
    agent: z.string().optional(),
    branch: z.string().optional(),
    startedAt: z.string(),
    endedAt: z.string(),
    messages: z.number(),
    failures: z.number(),
    successes: z.number(),
  }),
  page: z.number(),
  pages: z.number(),
  entries: z.array(ENTRY).describe('In chronological order.'),
});

type Input = z.infer<typeof INPUT>;
type Output = z.infer<typeof OUTPUT>;

/** Adds `session`, which reads a session page by page. */
export function registerSession(server: McpServer, contexts: CallContexts): void {
  registerTool(server, contexts, {
    name: 'session',
    title: 'Read a session',
    description:
      'Reads a recorded session page by page: its messages, and its attempts (tool calls) with their outcome. The tools search, recap and check return ids.',
    input: INPUT,
    output: OUTPUT,
    run: readSession,
  });
}

/** A page of a session as text. NOT_FOUND when there is no such session or page. */
export function formatSessionPage(context: CallContext, id: string, page: number): string {
  return readSession({ id, page }, context).text;
}

function readSession(input: Input, { home }: CallContext): ToolResult<Output> {
  const { project, sessionId } = findSession(home, input.id);
  const view = project.session(sessionId);
  const pages = selectPages(view, input);
  const page = input.page ?? (input.around === undefined ? 1 : findSessionPage(pages, input.around));
  if (page === undefined) throw noEntry(input.around, sessionId);
  const entries = pages[page - 1];
  if (entries === undefined) {
    throw new YoreError('NOT_FOUND', `There is no page ${page}. The last page is ${pages.length}.`);
  }
  const session = toSession(view, displayNameOf(project));
  const data = { session, page, pages: pages.length, entries: [...entries] };
  return { text: formatPage(data), data };
}

function findSession(home: CallContext['home'], id: string): ReturnType<CallContext['home']['findSession']> {
  try {
    return home.findSession(id);
  } catch (error) {
    if (!(error instanceof YoreError) || error.code !== 'NOT_FOUND') throw error;
    throw new YoreError(
      'NOT_FOUND',
      `There is no session "${oneLine(id, 200)}". The tools search and recap return ids of sessions.`,
      { cause: error },
    );
  }
}

function selectPages(view: SessionView, { entry, around }: Input): Pages {
  if (entry !== undefined && around !== undefined) {
    throw new YoreError('USAGE', 'Pass either `around` or `entry`.');
  }
  if (entry === undefined) return splitIntoPages(view.records);
  const found = view.records.find(({ id }) => id === entry);
  if (found === undefined) throw noEntry(entry, view.summary.sessionId);
  return splitEntry(found);
}

function noEntry(id: string | undefined, sessionId: string): YoreError {
  return new YoreError(
    'NOT_FOUND',
    `There is no message or attempt "${oneLine(id ?? '', 200)}" in session ${quoteId(sessionId)}. The pages of the session and the tool search return ids.`,
  );
}

function toSession({ summary }: SessionView, project: string): Output['session'] {
  const { agent, branch, messageCount: messages, failures, successes } = summary;
  return {
    id: oneLine(summary.sessionId, 200),
    project,
    title: oneLine(summary.title, 120),
    ...omitUndefined({ agent: optionalLine(agent, 40), branch: optionalLine(branch, 80) }),
    startedAt: summary.timestamp,
    endedAt: summary.lastActivity,
    messages,
    failures,
    successes,
  };
}

function formatPage({ session, page, pages, entries }: Output): string {
  const { project, agent, branch } = session;
  const origin = [project, agent, branch].flatMap((part) => (part === undefined ? [] : quoteId(part, 80))).join(', ');
  const lines = entries.map(({ at, who, id, text, leftOut }) => {
    const rest = leftOut === undefined ? '' : `\n[${leftOut} characters left out]`;
    return `--- ${formatMinute(at)} ${who} (id ${quoteId(id)})\n${quoteLines(text)}${rest}`;
  });
  const position = page < pages ? `Page ${page} of ${pages}.` : `Page ${page} of ${pages} (last page).`;
  const head = `Session ${quoteId(session.id)} (${origin}): ${quote(session.title, 120)}`;
  return frameRecorded([head, ...lines, position].join('\n'));
}

/** A message or an attempt as a page shows it; the fields are those of `entries` in the output. */
interface PageEntry {
  readonly id: string;
  readonly at: string;
  readonly kind: 'message' | 'attempt';
  readonly who: string;
  readonly text: string;
  readonly leftOut?: number;
}

type Pages = readonly (readonly PageEntry[])[];

const MAX_PAGE_LENGTH = 5000;
/** The maximum length of an entry that shares its page with others. */
const MAX_ENTRY_LENGTH = 1000;
/** What an entry costs besides its text. */
const ENTRY_OVERHEAD = 120;

/** Splits a session into pages of bounded size. Pages do not change when the session grows, except the last one. */
export function splitIntoPages(entries: readonly (Message | Attempt)[]): Pages {
  const pages: PageEntry[][] = [];
  let room = 0;
  for (const entry of entries) {
    const shown = truncateEntry(entry);
    const size = shown.text.length + ENTRY_OVERHEAD;
    if (size > room) {
      pages.push([]);
      room = MAX_PAGE_LENGTH;
    }
    pages.at(-1)?.push(shown);
    room -= size;
  }
  return pages;
}

/** The number of the page, from 1, with this entry; undefined when there is none. */
export function findSessionPage(pages: Pages, id: string): number | undefined {
  const index = pages.findIndex((page) => page.some((entry) => entry.id === id));
  return index < 0 ? undefined : index + 1;
}

/** Splits one entry, at full length, into pages of bounded size. */
export function splitEntry(entry: Message | Attempt): Pages {
  const text = safeText(entryText(entry)).trim();
  const pages: PageEntry[][] = [];
  for (let start = 0; start < text.length || start === 0; ) {
    const end = safeCut(text, start + MAX_PAGE_LENGTH);
    const leftOut = text.length - (end - start);
    pages.push([{ ...entryHeader(entry), text: text.slice(start, end), ...(leftOut > 0 ? { leftOut } : {}) }]);
    start = end;
    if (text.length === 0) break;
  }
  return pages;
}

/** Only the beginning of a long text is cleaned; the rest is counted as it was recorded. */
function truncateEntry(entry: Message | Attempt): PageEntry {
  const recorded = entryText(entry);
  const text = safeText(recorded.slice(0, MAX_ENTRY_LENGTH * 4)).trim();
  const end = safeCut(text, MAX_ENTRY_LENGTH);
  const leftOut = Math.max(recorded.length - MAX_ENTRY_LENGTH * 4, 0) + text.length - end;
  if (leftOut === 0) return { ...entryHeader(entry), text };
  return { ...entryHeader(entry), text: `${text.slice(0, end)}…`, leftOut };
}

function entryHeader(entry: Message | Attempt): Omit<PageEntry, 'text'> {
  const base = { id: oneLine(entry.id, 200), at: oneLine(entry.timestamp, 40) };
  if (!isMessage(entry)) return { ...base, kind: 'attempt', who: quoteOrigin(entry.outcome, entry) };
  const who = entry.kind === 'checkpoint' ? 'summary' : entry.role;
  return { ...base, kind: 'message', who: quoteOrigin(who, entry) };
}

function entryText(entry: Message | Attempt): string {
  if (isMessage(entry)) {
    const { content, files = [], filesModified = [] } = entry;
    const lists = Object.entries({ files, changed: filesModified }).filter(([, paths]) => paths.length > 0);
    return [content, ...lists.map(([name, paths]) => `${name}: ${paths.join(', ')}`)].join('\n');
  }
  const { tool, command, path, pattern, exitCode, error, result, description } = entry;
  const call = [tool, command ?? path ?? pattern].filter((part) => part !== undefined && part !== '').join(': ');
  const parts = [
    exitCode === undefined || exitCode === 0 ? call : `${call} (exit ${exitCode})`,
    error,
    description === pattern ? undefined : description,
    result,
  ];
  return parts.filter((part) => part !== undefined && part !== '').join('\n');
}

function isMessage(entry: Message | Attempt): entry is Message {
  return 'role' in entry;
}
