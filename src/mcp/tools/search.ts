import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Home } from '../../project/index.ts';
import { YoreError } from '../../record/index.ts';
import type { SearchHit, SearchQuery, Snippet } from '../../search/index.ts';
import { oneLine } from '../../text/one-line.ts';
import { parseTime } from '../../text/parse-time.ts';
import {
  type CallContext,
  type CallContexts,
  describeEmptyFolder,
  findProject,
  projectName,
} from '../call-context.ts';
import {
  fitLines,
  formatMinute,
  MAX_CHARACTERS,
  QUOTE_NOTICE,
  READ_ONLY,
  type ToolResult,
  toolHandler,
} from '../results.ts';

const INPUT = z.strictObject({
  query: z
    .string()
    .max(10_000)
    .describe(
      'Words, a "quoted phrase", an identifier or a part of one, a path, an error code, any literal text.',
    ),
  project: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe(
      'Name, id or absolute folder of another project, or "*" for all. Default: the project you work in.',
    ),
  role: z.enum(['user', 'assistant']).optional().describe('Only messages of this role.'),
  outcome: z.enum(['success', 'failure']).optional().describe('Only attempts (tool calls) that ended so.'),
  since: z
    .string()
    .max(40)
    .optional()
    .describe('Not older than: 12h, 7d, 2w, today, yesterday, 2025-11-18 or an ISO time.'),
  limit: z.int().min(1).max(30).default(10).describe('Most hits.'),
});

const HIT = z.object({
  session: z.string().describe('For the tool `session`.'),
  id: z.string().describe('Of the message or attempt; for `around` or `entry` of the tool `session`.'),
  at: z.string().describe('ISO 8601, UTC.'),
  kind: z.enum(['message', 'attempt']),
  who: z.string().describe('The role of a message, the outcome of an attempt.'),
  project: z.string(),
  agent: z.string().optional(),
  branch: z.string().optional(),
  match: z.enum(['literal', 'words', 'related']),
  text: z.string().describe('The piece that matched; recorded text.'),
});

const OUTPUT = z.object({
  hits: z.array(HIT).describe('Best first.'),
  more: z.boolean().describe('Whether there may be more than these.'),
  hint: z.string().optional(),
});

type Input = z.infer<typeof INPUT>;
type Hit = z.infer<typeof HIT>;
type Found = z.infer<typeof OUTPUT>;

const LONGEST_TEXT = 240;

/** `search`: finds messages and attempts. */
export function registerSearch(server: McpServer, places: CallContexts): void {
  server.registerTool(
    'search',
    {
      title: 'Search the history',
      description:
        'Searches all recorded sessions of this project: what was said, which commands and edits were attempted and how they ended. One line per hit, with ids for the tool `session`. Useful before solving something that may have been solved before, or for "how did we do X?".',
      inputSchema: INPUT,
      outputSchema: OUTPUT,
      annotations: { title: 'Search the history', ...READ_ONLY },
    },
    toolHandler<Input, Found>(places, search),
  );
}

function search(input: Input, place: CallContext): ToolResult<Found> {
  if (input.query.trim() === '') {
    throw new YoreError(
      'USAGE',
      'The query is empty. Give words, a "phrase", an identifier, a path or an error code.',
    );
  }
  const project = input.project === '*' ? undefined : findProject(place, input.project);
  if (project === undefined && input.project !== '*') return nothing(describeEmptyFolder(place));
  const result = place.home.search(queryOf(input, place.now, project?.info.projectHash));
  if (result.hits.length === 0)
    return nothing(hintFor(input, project === undefined ? 'all projects' : projectName(project)));
  const projectName = namesOf(place.home);
  const found = result.hits.map((hit) => toHit(hit, projectName(hit.project)));
  const isRelated = found.every(({ match }) => match === 'related');
  const head = [QUOTE_NOTICE, ...(isRelated ? ['Nothing contains all of it. Related:'] : [])];
  const shown = fitLines([...head, ...found.map(lineOf)], MAX_CHARACTERS);
  const hits = found.slice(0, shown.length - head.length);
  const more = hits.length < found.length || found.length === input.limit;
  const warnings = result.warnings.map(({ message }) => oneLine(message, 300)).join(' ');
  return {
    text: [...shown, ...(more ? ['There may be more: a narrower query, or a higher limit.'] : [])].join('\n'),
    data: { hits, more, ...(warnings === '' ? {} : { hint: warnings }) },
  };
}

/** What a search finds, one line for each hit. */
export function searchLines({ home }: CallContext, query: SearchQuery): readonly string[] {
  const projectName = namesOf(home);
  return home.search(query).hits.map((hit) => lineOf(toHit(hit, projectName(hit.project))));
}

function queryOf(input: Input, now: number, project: string | undefined): SearchQuery {
  const { query, role, outcome, since, limit } = input;
  const from = since === undefined ? undefined : parseTime(since, now, 'since');
  if (since !== undefined && from === undefined) {
    throw new YoreError(
      'USAGE',
      `since "${oneLine(since, 40)}" is not a time. Write 12h, 7d, 2w, today, yesterday, 2025-11-18 or an ISO time.`,
    );
  }
  return {
    text: query,
    limit,
    ...(project === undefined ? {} : { projects: [project] }),
    ...(role === undefined ? {} : { role }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(from === undefined ? {} : { since: from }),
  };
}

function toHit(hit: SearchHit, project: string): Hit {
  const { kind, id, sessionId, timestamp, role, outcome, agent, branch, match, snippet } = hit;
  return {
    session: oneLine(sessionId, 200),
    id: oneLine(id, 200),
    at: oneLine(timestamp, 40),
    kind,
    who: role ?? outcome ?? kind,
    project,
    ...(agent === undefined ? {} : { agent: oneLine(agent, 40) }),
    ...(branch === undefined ? {} : { branch: oneLine(branch, 80) }),
    match,
    text: oneLine(kind === 'attempt' ? fewLines(snippet) : snippet.text, LONGEST_TEXT),
  };
}

/**
 * An attempt's text has a line for each of its fields. The first says what was done; beside it: how it ended, or what
 * matched when it was not the first.
 */
function fewLines({ text, marks }: Snippet): string {
  let end = -1;
  const lines = text.split('\n').map((line) => {
    const start = end + 1;
    end = start + line.length;
    return { line, isMatch: marks.some(([from, to]) => from >= start && to <= end) };
  });
  const [first, ...others] = lines.filter(({ line }) => line.trim() !== '');
  const matching = first?.isMatch === true ? undefined : others.find(({ isMatch }) => isMatch);
  const second = matching ?? others[0];
  return [first, second].flatMap((one) => one?.line ?? []).join(' · ');
}

function lineOf({ at, who, text, session, id, agent, branch, project }: Hit): string {
  const where = [project, agent, branch].filter((part) => part !== undefined).join(', ');
  return `- ${formatMinute(at)} ${who}: "${text}" (${where}; session ${session}, id ${id})`;
}

function nothing(hint: string): ToolResult<Found> {
  return { text: hint, data: { hits: [], more: false, hint } };
}

function hintFor({ query, project, role, outcome, since }: Input, where: string): string {
  const isFiltered = role !== undefined || outcome !== undefined || since !== undefined;
  const advice = isFiltered ? 'Try it without the filters' : 'Try fewer words, or a part of one';
  const elsewhere = project === '*' ? '' : ', or project "*" for all projects';
  return `Nothing found for "${oneLine(query, 120)}" in ${where}. ${advice}${elsewhere}.`;
}

function namesOf(home: Home): (id: string) => string {
  const names = new Map<string, string>();
  return (id) => {
    const name = names.get(id) ?? oneLine(home.projectInfo(id)?.displayName ?? id, 80);
    names.set(id, name);
    return name;
  };
}
