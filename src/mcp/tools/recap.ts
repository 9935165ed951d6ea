import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { formatRecap, type Recap, type RecapSession } from '../../memory/index.ts';
import { oneLine } from '../../text/one-line.ts';
import { type Answer, answering, MOST_CHARACTERS } from '../answer.ts';
import { type CallPlace, type CallPlaces, nameOf, nothingRecorded, projectOf } from '../call-place.ts';
import { QUOTED } from '../quoted-text.ts';
import { LOOKS, PROJECT } from './inputs.ts';

const INPUT = z.strictObject({
  days: z.int().min(1).max(90).default(7).describe('Most days with activity, the latest ones.'),
  project: PROJECT,
});

const SESSION = z.object({
  session: z.string().describe('For the tool `session`.'),
  agent: z.string().optional(),
  branch: z.string().optional(),
  requests: z.array(
    z.object({
      text: z.string(),
      outcome: z.enum(['worked', 'failed']).optional().describe('What the user said of it.'),
      decision: z.string().optional(),
    }),
  ),
  commits: z.array(z.string()),
  failures: z.array(
    z.object({
      what: z.string(),
      error: z.string(),
      resolution: z.string().optional().describe('What worked instead.'),
      open: z.boolean().describe('Nothing in the session solved it.'),
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
  more: z.boolean().describe('Whether something was left out for its size.'),
  hint: z.string().optional(),
});

type Input = z.infer<typeof INPUT>;
type SessionData = z.infer<typeof SESSION>;
type RecapData = z.infer<typeof OUTPUT>;

const MOST_PARTS = 6;
/** Most characters of the data, which spells out more than the text. */
const MOST_DATA = 2 * MOST_CHARACTERS;
const NO_TOTALS: Recap['totals'] = { sessions: 0, requests: 0, commits: 0, failures: 0, files: 0 };

/** `recap`: what was worked on. */
export function registerRecap(server: McpServer, places: CallPlaces): void {
  server.registerTool(
    'recap',
    {
      title: 'What have we worked on?',
      description:
        'What was worked on in this project, by day and session: requests and how they ended, commits, files, failures and what solved them. Answers "what have we worked on?", "where did we leave off?".',
      inputSchema: INPUT,
      outputSchema: OUTPUT,
      annotations: { title: 'What have we worked on?', ...LOOKS },
    },
    answering<Input, RecapData>(places, ({ days, project }, place) => recapOf(place, days, project)),
  );
}

/** The recap of the project that is worked in, as text that is small enough to be read at once. */
export function shortRecap(place: CallPlace, days: number): string {
  return recapOf(place, days).text;
}

function recapOf(place: CallPlace, days: number, named?: string): Answer<RecapData> {
  const project = projectOf(place, named);
  if (project === undefined) return nothing(nothingRecorded(place));
  const { timeZone } = place.options;
  const whole = project.memory.recap({ days, ...(timeZone === undefined ? {} : { timeZone }) });
  const name = nameOf(project);
  if (whole.days.length === 0) return nothing(`Nothing is recorded of ${name} yet.`, name);
  const { recap, isWhole } = smaller(whole);
  const rest = isWhole ? '' : '\nMore was left out: fewer days, or the tools search and session, show it.';
  return {
    text: `${QUOTED}\n${formatRecap(recap, MOST_CHARACTERS - 200)}${rest}`,
    data: {
      project: name,
      days: recap.days.map(({ date, sessions }) => ({ date, sessions: sessions.map(sessionData) })),
      totals: whole.totals,
      more: !isWhole,
    },
  };
}

/** The latest days and sessions that fit, each with its first requests, commits, failures and files. */
function smaller(whole: Recap): { readonly recap: Recap; readonly isWhole: boolean } {
  let room = MOST_DATA;
  let isWhole = true;
  const days = whole.days.flatMap((day) => {
    const kept: RecapSession[] = [];
    for (const session of day.sessions.toReversed()) {
      const short = shorter(session);
      room -= JSON.stringify(sessionData(short)).length + 30;
      if (room < 0) break;
      if (isCut(session)) isWhole = false;
      kept.unshift(short);
    }
    if (kept.length < day.sessions.length) isWhole = false;
    return kept.length === 0 ? [] : [{ ...day, sessions: kept }];
  });
  return { recap: { days, totals: whole.totals }, isWhole };
}

function shorter(session: RecapSession): RecapSession {
  return {
    ...session,
    requests: session.requests.filter(({ text }) => text !== '').slice(0, MOST_PARTS),
    commits: session.commits.slice(0, MOST_PARTS),
    failures: session.failures.slice(0, MOST_PARTS),
    files: session.files.slice(0, MOST_PARTS),
  };
}

function isCut({ requests, commits, failures, files }: RecapSession): boolean {
  const asked = requests.filter(({ text }) => text !== '');
  return [asked, commits, failures, files].some(({ length }) => length > MOST_PARTS);
}

function sessionData({
  sessionId,
  agent,
  branch,
  requests,
  commits,
  failures,
  files,
}: RecapSession): SessionData {
  return {
    session: oneLine(sessionId, 200),
    ...(agent === undefined ? {} : { agent: oneLine(agent, 40) }),
    ...(branch === undefined ? {} : { branch: oneLine(branch, 80) }),
    requests: requests.map(({ text, outcome, decision }) => ({
      text: oneLine(text, 160),
      ...(outcome === undefined ? {} : { outcome }),
      ...(decision === undefined ? {} : { decision: oneLine(decision, 160) }),
    })),
    commits: commits.map(({ message }) => oneLine(message, 160)),
    failures: failures.map(({ what, error, resolution, open }) => ({
      what: oneLine(what, 120),
      error: oneLine(error, 120),
      ...(resolution === undefined ? {} : { resolution: oneLine(resolution, 120) }),
      open,
    })),
    files: files.map((file) => oneLine(file, 120)),
  };
}

function nothing(hint: string, project?: string): Answer<RecapData> {
  return {
    text: hint,
    data: { ...(project === undefined ? {} : { project }), days: [], totals: NO_TOTALS, more: false, hint },
  };
}
