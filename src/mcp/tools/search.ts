import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Home, Project } from '../../project/index.ts';
import { omitUndefined, YoreError } from '../../record/index.ts';
import { listMissing, type SearchHit, type SearchQuery, type SearchResult, type Snippet } from '../../search/index.ts';
import { oneLine } from '../../text/one-line.ts';
import { parseTime } from '../../text/parse-time.ts';
import { FRAME_LENGTH, frameRecorded, quote, quoteId } from '../../text/recorded-text.ts';
import {
  type CallContext,
  type CallContexts,
  describeEmptyFolder,
  displayNameOf,
  findCalledProject,
} from '../call-context.ts';
import {
  fitLines,
  formatMinute,
  MAX_CHARACTERS,
  optionalLine,
  quoteOrigin,
  registerTool,
  type ToolResult,
} from '../tool.ts';

const INPUT = z.strictObject({
  query: z
    .string()
    .max(10_000)
    .describe('Words, a "quoted phrase", an identifier or part of one, a path, an error code, or any literal text.'),
  project: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe('Name, id or absolute path of another project, or "*" for all projects. Default: the current project.'),
  role: z.enum(['user', 'assistant']).optional().describe('Only messages of this role.'),
  outcome: z.enum(['success', 'failure']).optional().describe('Only attempts (tool calls) with this outcome.'),
  since: z
    .string()
    .max(40)
    .optional()
    .describe('Only what is newer: 12h, 7d, 2w, today, yesterday, 2025-11-18 or an ISO time.'),
  limit: z.int().min(1).max(30).default(10).describe('Maximum number of hits.'),
});

const HIT = z.object({
  session: z.string().describe('Id of the session, for the tool `session`.'),
  id: z.string().describe('Id of the message or attempt, for `around` or `entry` of the tool `session`.'),
  at: z.string().describe('ISO 8601, UTC.'),
  kind: z.enum(['message', 'attempt']),
  who: z
    .string()
    .describe(
      'The role of a message, or the outcome of an attempt. "foreign": from a transcript that is not the user\'s.',
    ),
  project: z.string(),
  agent: z.string().optional(),
  branch: z.string().optional(),
  match: z.enum(['literal', 'words', 'related']),
  why: z.string().optional().describe('Where in an attempt it was found: `edited src/x.ts`, `output of npm test`.'),
  text: z.string().describe('The part of the recorded text that matches.'),
});

const OUTPUT = z.object({
  hits: z.array(HIT).describe('The best first.'),
  more: z.boolean().describe('Whether there may be more hits.'),
  hint: z.string().optional(),
});

type Input = z.infer<typeof INPUT>;
type Hit = z.infer<typeof HIT>;
type Output = z.infer<typeof OUTPUT>;

const MAX_TEXT_LENGTH = 240;

/** Adds `search`, which finds messages and attempts. */
export function registerSearch(server: McpServer, contexts: CallContexts): void {
  registerTool(server, contexts, {
    name: 'search',
    title: 'Search the history',
    description:
      'Searches all recorded sessions of this project: what was said, which commands and edits were tried, and how they ended. Returns one line per hit, with ids for the tool `session`. Useful before solving a problem that may have been solved before, or for "how did we do X?".',
    input: INPUT,
    output: OUTPUT,
    run: search,
  });
}

async function search(input: Input, context: CallContext): Promise<ToolResult<Output>> {
  if (input.query.trim() === '') {
    throw new YoreError('USAGE', 'The query is empty. Pass words, a "phrase", an identifier, a path or an error code.');
  }
  const project = input.project === '*' ? undefined : findCalledProject(context, input.project);
  const isWide = input.project === '*' || (input.project === undefined && mayWiden(project, context));
  if (project === undefined && !isWide) return noHits(describeEmptyFolder(context));
  const result = await searchProject(input, context, project, isWide);
  if (result.hits.length === 0) return noHits(suggest(input, isWide ? undefined : project));
  const found = toHits(context.home, result.hits);
  const isRelated = found.every(({ match }) => match === 'related');
  const missing = result.missing.length === 0 ? [] : [`Nothing mentions ${listMissing(result)}.`];
  const order = result.isQuestion
    ? ['Most likely first:']
    : isRelated
      ? ['Nothing matches the whole query. Related:']
      : [];
  const head = [...missing, ...order];
  const shown = fitLines([...head, ...found.map(formatHit)], MAX_CHARACTERS - FRAME_LENGTH);
  const hits = found.slice(0, shown.length - head.length);
  const more = hits.length < found.length || found.length === input.limit;
  const warnings = result.warnings.map(({ message }) => oneLine(message, 300)).join(' ');
  const rest = more ? ['There may be more hits. Narrow the query, or raise the limit.'] : [];
  return {
    text: [frameRecorded(shown.join('\n')), ...rest].join('\n'),
    data: { hits, more, ...(warnings === '' ? {} : { hint: warnings }) },
  };
}

/** Whether other projects may be searched, too, although the call does not ask for it. */
function mayWiden(project: Project | undefined, { home }: CallContext): boolean {
  return (project ?? home).config.get('retrieval.crossProject');
}

/** Searches the project. If it may be widened, all projects are searched when nothing there matches the whole query. */
async function searchProject(
  input: Input,
  { home, now }: CallContext,
  project: Project | undefined,
  isWide: boolean,
): Promise<SearchResult> {
  const isMatch = ({ match }: SearchHit): boolean => match !== 'related';
  const query = await home.embeddings.embedQuery(toQuery(input, now));
  const own = project && home.search({ ...query, projects: [project.info.projectHash] });
  if (own?.hits.some(isMatch) || (own && !isWide)) return own;
  const all = home.search(query);
  return own !== undefined && own.hits.length > 0 && !all.hits.some(isMatch) ? own : all;
}

/** Searches, and returns one line per hit; related ones only where nothing matches the whole query. */
export function formatHits({ home }: CallContext, queries: readonly SearchQuery[]): readonly string[] {
  const found = queries.flatMap((query) => {
    const { hits } = home.search(query);
    const exact = hits.filter(({ match }) => match !== 'related');
    return exact.length > 0 ? exact : hits;
  });
  const firstOfEach = found.filter(({ id }, index) => found.findIndex((hit) => hit.id === id) === index);
  return toHits(home, firstOfEach).map(formatHit);
}

function toQuery(input: Input, now: number): SearchQuery {
  const { query, role, outcome, limit } = input;
  const since = input.since === undefined ? undefined : parseTime(input.since, now, 'since');
  if (input.since !== undefined && since === undefined) {
    throw new YoreError(
      'USAGE',
      `"${oneLine(input.since, 40)}" is not a valid time for since. Use 12h, 7d, 2w, today, yesterday, 2025-11-18 or an ISO time.`,
    );
  }
  return { text: query, limit, ...omitUndefined({ role, outcome, since }) };
}

function toHits(home: Home, hits: readonly SearchHit[]): readonly Hit[] {
  const names = new Map<string, string>();
  const nameOf = (id: string): string => {
    const name = names.get(id) ?? oneLine(home.projectInfo(id)?.displayName ?? id, 80);
    names.set(id, name);
    return name;
  };
  return hits.map(
    ({
      kind,
      id,
      sessionId,
      timestamp,
      role,
      outcome,
      agent,
      branch,
      match,
      snippet,
      project,
      foreign,
      author,
      reason,
    }) => ({
      session: oneLine(sessionId, 200),
      id: oneLine(id, 200),
      at: oneLine(timestamp, 40),
      kind,
      who: quoteOrigin(role ?? outcome ?? kind, { foreign, author }),
      project: nameOf(project),
      ...omitUndefined({ agent: optionalLine(agent, 40), branch: optionalLine(branch, 80) }),
      match,
      ...omitUndefined({ why: optionalLine(kind === 'attempt' ? reason : undefined, 100) }),
      text: oneLine(kind === 'attempt' ? twoLines(snippet) : snippet.text, MAX_TEXT_LENGTH),
    }),
  );
}

/**
 * The text of an attempt has one line per field. Returns the first line, which says what was tried, and either the line
 * that matches or the next one, which says how it ended.
 */
function twoLines({ text, marks }: Snippet): string {
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

function formatHit({ at, who, why, text, session, id, agent, branch, project }: Hit): string {
  const origin = [project, agent, branch].flatMap((part) => (part === undefined ? [] : quoteId(part, 80))).join(', ');
  const ids = `session ${quoteId(session)}, id ${quoteId(id)}`;
  const label = why === undefined ? who : `${who}, ${quoteId(why, 100)}`;
  return `- ${formatMinute(at)} ${label}: ${quote(text, MAX_TEXT_LENGTH)} (${origin}; ${ids})`;
}

function noHits(hint: string): ToolResult<Output> {
  return { text: hint, data: { hits: [], more: false, hint } };
}

function suggest({ query, role, outcome, since }: Input, project: Project | undefined): string {
  const isFiltered = role !== undefined || outcome !== undefined || since !== undefined;
  const advice = isFiltered ? 'Try again without the filters' : 'Try fewer words, or part of a word';
  const where = project === undefined ? 'any project' : quoteId(displayNameOf(project), 80);
  const elsewhere = project === undefined ? '' : ', or search all projects with project "*"';
  return `Nothing found for ${quote(query, 120)} in ${where}. ${advice}${elsewhere}.`;
}
