import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { SessionView } from '../../project/index.ts';
import { YoreError } from '../../record/index.ts';
import { oneLine } from '../../text/one-line.ts';
import { type Answer, answering } from '../answer.ts';
import { type CallPlace, type CallPlaces, nameOf } from '../call-place.ts';
import { minuteOf, QUOTED } from '../quoted-text.ts';
import { entryPages, type PageEntry, pagesOf, pageWith } from '../session-pages.ts';
import { LOOKS } from './inputs.ts';

const INPUT = z.strictObject({
  id: z.string().max(1000).describe('Id of the session, or how it begins.'),
  page: z.int().min(1).max(1_000_000).optional().describe('From 1. Default 1.'),
  around: z.string().max(1000).optional().describe('Id of a message or attempt: the page that holds it.'),
  entry: z
    .string()
    .max(1000)
    .optional()
    .describe('Id of a message or attempt: only that one, at full length.'),
});

const ENTRY = z.object({
  id: z.string(),
  at: z.string().describe('ISO 8601, UTC.'),
  kind: z.enum(['message', 'attempt']),
  who: z.string().describe('The role of a message, the outcome of an attempt.'),
  text: z.string().describe('Recorded text.'),
  leftOut: z.number().optional().describe('How many characters are not shown here; `entry` shows them.'),
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
  entries: z.array(ENTRY).describe('In order of time.'),
});

type Input = z.infer<typeof INPUT>;
type Page = z.infer<typeof OUTPUT>;
type Pages = readonly (readonly PageEntry[])[];

/** `session`: reads a session. */
export function registerSession(server: McpServer, places: CallPlaces): void {
  server.registerTool(
    'session',
    {
      title: 'Read a session',
      description:
        'Reads a recorded session page by page: its messages and its attempts (tool calls) with their outcome. Ids come from the tools search, recap and check.',
      inputSchema: INPUT,
      outputSchema: OUTPUT,
      annotations: { title: 'Read a session', ...LOOKS },
    },
    answering<Input, Page>(places, readSession),
  );
}

/** A page of a session as text. NOT_FOUND when there is no such session or page. */
export function sessionText(place: CallPlace, id: string, page: number): string {
  return readSession({ id, page }, place).text;
}

function readSession(input: Input, { home }: CallPlace): Answer<Page> {
  const { project, sessionId } = findSession(home, input.id);
  const view = project.session(sessionId);
  const pages = wantedPages(view, input);
  const page = input.page ?? (input.around === undefined ? 1 : pageWith(pages, input.around));
  if (page === undefined) throw noEntry(input.around, sessionId);
  const entries = pages[page - 1];
  if (entries === undefined) {
    throw new YoreError('NOT_FOUND', `There is no page ${page}: the last one is ${pages.length}.`);
  }
  const session = headOf(view, nameOf(project));
  return {
    text: textOf({ session, page, pages: pages.length, entries: [...entries] }),
    data: { session, page, pages: pages.length, entries: [...entries] },
  };
}

function findSession(home: CallPlace['home'], id: string): ReturnType<CallPlace['home']['findSession']> {
  try {
    return home.findSession(id);
  } catch (error) {
    if (!(error instanceof YoreError) || error.code !== 'NOT_FOUND') throw error;
    throw new YoreError(
      'NOT_FOUND',
      `There is no session "${oneLine(id, 200)}". The tools search and recap give ids of sessions.`,
      { cause: error },
    );
  }
}

function wantedPages(view: SessionView, { entry, around }: Input): Pages {
  if (entry !== undefined && around !== undefined) {
    throw new YoreError('USAGE', 'Give `around` or `entry`, not both.');
  }
  if (entry === undefined) return pagesOf(view.entries);
  const found = view.entries.find(({ id }) => id === entry);
  if (found === undefined) throw noEntry(entry, view.summary.sessionId);
  return entryPages(found);
}

function noEntry(id: string | undefined, sessionId: string): YoreError {
  return new YoreError(
    'NOT_FOUND',
    `There is no message or attempt "${oneLine(id ?? '', 200)}" in session ${oneLine(sessionId, 200)}. Its pages and the tool search give ids.`,
  );
}

function headOf({ summary }: SessionView, project: string): Page['session'] {
  const { agent, branch, messageCount: messages, failures, successes } = summary;
  return {
    id: oneLine(summary.sessionId, 200),
    project,
    title: oneLine(summary.preview, 120),
    ...(agent === undefined ? {} : { agent: oneLine(agent, 40) }),
    ...(branch === undefined ? {} : { branch: oneLine(branch, 80) }),
    startedAt: summary.timestamp,
    endedAt: summary.lastActivity,
    messages,
    failures,
    successes,
  };
}

function textOf({ session, page, pages, entries }: Page): string {
  const where = [session.project, session.agent, session.branch]
    .filter((part) => part !== undefined)
    .join(', ');
  const lines = entries.map(({ at, who, id, text, leftOut }) => {
    const rest = leftOut === undefined ? '' : ` [${leftOut} characters not shown]`;
    return `--- ${minuteOf(at)} ${who} (id ${id})\n${text}${rest}`;
  });
  const next = page < pages ? `Page ${page} of ${pages}.` : `Page ${page} of ${pages}, the last.`;
  return [QUOTED, `Session ${session.id} (${where}): ${session.title}`, ...lines, next].join('\n');
}
