import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { formatRecap, type Recap, type RecapSession } from '../../ask/recap.ts';
import { omitUndefined } from '../../record/index.ts';
import { oneLine } from '../../text/one-line.ts';
import { frameRecorded, quoteId } from '../../text/recorded-text.ts';
import {
  type CallContext,
  type CallContexts,
  describeEmptyFolder,
  displayNameOf,
  findCalledProject,
} from '../call-context.ts';
import { MAX_CHARACTERS, optionalLine, PROJECT, registerTool, type ToolResult } from '../tool.ts';

const INPUT = z.strictObject({
  days: z.int().min(1).max(90).default(7).describe('Maximum number of days with activity, the latest first.'),
  project: PROJECT,
});

const SESSION = z.object({
  session: z.string().describe('Id, for the tool `session`.'),
  title: z.string().optional().describe('What the agent or the user called it.'),
  agent: z.string().optional(),
  branch: z.string().optional(),
  requests: z.array(
    z.object({
      text: z.string(),
      outcome: z.enum(['worked', 'failed']).optional().describe("The user's verdict."),
      decision: z.string().optional(),
    }),
  ),
  commits: z.array(z.string()),
  failures: z.array(
    z.object({
      what: z.string(),
      error: z.string(),
      fix: z.string().optional().describe('What worked instead.'),
      open: z.boolean().describe('Whether it was still unsolved at the end of the session.'),
    }),
  ),
  files: z.array(z.string()),
});

const OUTPUT = z.object({
  project: z.string().optional(),
  days: z.array(z.object({ date: z.string(), sessions: z.array(SESSION) })).describe('The latest first.'),
  totals: z.object({
    sessions: z.number(),
    requests: z.number(),
    commits: z.number(),
    failures: z.number(),
    files: z.number(),
  }),
  more: z.boolean().describe('Whether something was left out to keep the result short.'),
  hint: z.string().optional(),
});

type Output = z.infer<typeof OUTPUT>;

/** How many requests, commits, failures and files of a session are listed. */
const MAX_PARTS = 6;
/** The maximum length of the data as JSON, which is more verbose than the text. */
const MAX_DATA_LENGTH = 2 * MAX_CHARACTERS;
const NO_TOTALS: Recap['totals'] = { sessions: 0, requests: 0, commits: 0, failures: 0, files: 0 };

/** Adds `recap`, which tells what was worked on. */
export function registerRecap(server: McpServer, contexts: CallContexts): void {
  registerTool(server, contexts, {
    name: 'recap',
    title: 'What have we worked on?',
    description:
      'Tells what was worked on in this project, by day and session: requests and how they ended, commits, files, failures and what solved them. Answers "what have we worked on?" and "where did we leave off?".',
    input: INPUT,
    output: OUTPUT,
    run: ({ days, project }, context) => createRecap(context, days, project),
  });
}

/** The recap of the current project as text. */
export function recapText(context: CallContext, days: number): string {
  return createRecap(context, days).text;
}

function createRecap(context: CallContext, days: number, name?: string): ToolResult<Output> {
  const project = findCalledProject(context, name);
  if (project === undefined) return emptyRecap(describeEmptyFolder(context));
  const { timeZone } = context.options;
  const whole = project.memory.recap({ days, ...omitUndefined({ timeZone }) });
  const displayName = displayNameOf(project);
  if (whole.days.length === 0)
    return emptyRecap(`Nothing is recorded for ${quoteId(displayName, 80)} yet.`, displayName);
  const { recap, isWhole } = shorten(whole);
  const rest = isWhole ? '' : '\nMore was left out. Ask for fewer days, or use the tools search and session.';
  return {
    text: `${frameRecorded(formatRecap(recap, MAX_CHARACTERS - 300))}${rest}`,
    data: {
      project: displayName,
      days: recap.days.map(({ date, sessions }) => ({ date, sessions: sessions.map(toData) })),
      totals: whole.totals,
      more: !isWhole,
    },
  };
}

/** The latest sessions that fit, each with its first requests, commits, failures and files. */
function shorten(whole: Recap): { readonly recap: Recap; readonly isWhole: boolean } {
  let room = MAX_DATA_LENGTH;
  let isWhole = true;
  const days = whole.days.flatMap((day) => {
    const kept: RecapSession[] = [];
    for (const session of day.sessions.toReversed()) {
      const short = shortenSession(session);
      room -= JSON.stringify(toData(short)).length + 30;
      if (room < 0) break;
      if (isShortened(session)) isWhole = false;
      kept.unshift(short);
    }
    if (kept.length < day.sessions.length) isWhole = false;
    return kept.length === 0 ? [] : [{ ...day, sessions: kept }];
  });
  return { recap: { days, totals: whole.totals }, isWhole };
}

function shortenSession(session: RecapSession): RecapSession {
  return {
    ...session,
    requests: session.requests.filter(({ text }) => text !== '').slice(0, MAX_PARTS),
    commits: session.commits.slice(0, MAX_PARTS),
    failures: session.failures.slice(0, MAX_PARTS),
    files: session.files.slice(0, MAX_PARTS),
  };
}

function isShortened({ requests, commits, failures, files }: RecapSession): boolean {
  const withText = requests.filter(({ text }) => text !== '');
  return [withText, commits, failures, files].some(({ length }) => length > MAX_PARTS);
}

function toData(session: RecapSession): z.infer<typeof SESSION> {
  const { sessionId, title, agent, branch, requests, commits, failures, files } = session;
  return {
    session: oneLine(sessionId, 200),
    ...omitUndefined({
      title: optionalLine(title, 120),
      agent: optionalLine(agent, 40),
      branch: optionalLine(branch, 80),
    }),
    requests: requests.map(({ text, outcome, decision }) => ({
      text: oneLine(text, 160),
      ...omitUndefined({ outcome, decision: optionalLine(decision, 160) }),
    })),
    commits: commits.map(({ message }) => oneLine(message, 160)),
    failures: failures.map(({ what, error, fix, open }) => ({
      what: oneLine(what, 120),
      error: oneLine(error, 120),
      ...omitUndefined({ fix: optionalLine(fix, 120) }),
      open,
    })),
    files: files.map((file) => oneLine(file, 120)),
  };
}

function emptyRecap(hint: string, project?: string): ToolResult<Output> {
  const data = { days: [], totals: NO_TOTALS, more: false, hint, ...omitUndefined({ project }) };
  return { text: hint, data };
}
