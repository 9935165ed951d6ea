import type { Home } from '../../../project/index.ts';
import { OUTCOMES, YoreError } from '../../../record/index.ts';
import { omitUndefined } from '../../../record/object.ts';
import { listMissing, type SearchQuery, type SearchResult, type SessionHits } from '../../../search/index.ts';
import { formatCount } from '../../../text/format-count.ts';
import { createListOptions, projectNames, resolveProject } from '../../choose-project.ts';
import type { CommandContext, CommandRun, OptionValues } from '../../command.ts';
import { authorOption, choiceOption, countOption, flagOption, ROLES, textOption, timeOption } from '../../options.ts';
import { searchLines } from '../../output/search-list.ts';
import { reportDiagnostics } from '../../report.ts';

const DEFAULT_LIMIT = 50;
/** Hits of a session that are shown for a question; more only with `--session`. */
const MAX_HITS_PER_SESSION = 3;
/** Small batches, so that slow models get some of them done. */
const EMBED_BRIEFLY = { budgetMs: 1000, timeoutMs: 1000, batchSize: 8 };

/** `yore search`. */
export const runSearch: CommandRun = async (context, args, options) => {
  const text = readQuery(args);
  const home = await context.openHome();
  const query = await home.embeddings.embedQuery(buildQuery(home, text, context, options));
  const result = await context.output.withProgress('Indexing', (progress) => home.search(query, progress));
  if (flagOption(options, 'json')) context.output.json(toJson(text, result, home));
  else printResult(result, query, home, context);
  const code = reportDiagnostics(result.warnings, context.output);
  // The result is shown. The next searches find these messages by meaning.
  await home.embeddings.embedMissing(EMBED_BRIEFLY);
  return code;
};

/** The text to search for. Throws USAGE if it is blank. */
export function readQuery(args: readonly string[]): string {
  const text = args.join(' ');
  if (text.trim() === '') throw new YoreError('USAGE', 'The query is empty. Give something to search for.');
  return text;
}

/** The limit and the filters of a search that do not depend on what is recorded. */
export function readSearchFilters(options: OptionValues, now: number): Omit<SearchQuery, 'text'> {
  return {
    limit: countOption(options, 'limit') ?? DEFAULT_LIMIT,
    ...omitUndefined({
      agent: textOption(options, 'agent'),
      branch: textOption(options, 'branch'),
      role: choiceOption(options, 'role', ROLES),
      outcome: choiceOption(options, 'outcome', OUTCOMES),
      since: timeOption(options, 'since', now),
      until: timeOption(options, 'until', now),
    }),
  };
}

function buildQuery(home: Home, text: string, context: CommandContext, options: OptionValues): SearchQuery {
  const project = textOption(options, 'project');
  const session = textOption(options, 'session');
  return {
    text,
    ...readSearchFilters(options, context.now()),
    ...omitUndefined({
      projects: project === undefined ? undefined : [resolveProject(home, project, context.cwd).info.projectHash],
      sessionId: session === undefined ? undefined : home.findSession(session).sessionId,
      author: authorOption(options),
    }),
  };
}

function printResult(result: SearchResult, query: SearchQuery, home: Home, context: CommandContext): void {
  const { output } = context;
  const { style } = output;
  const { hits, sessions, isQuestion } = result;
  if (hits.length === 0) {
    const what = isQuestion ? 'No good match' : 'No results';
    output.lines(`${what} for "${query.text}".`, style.dim(findHint(query, home)));
    return;
  }
  if (result.missing.length > 0) {
    output.lines(`Nothing mentions ${listMissing(result)}.`, style.dim('With the other words, most likely first:'), '');
  } else if (isQuestion) output.lines(style.dim('Most likely first:'), '');
  else if (hits.every(({ match }) => match === 'related')) output.lines(style.dim('No exact matches. Related:'), '');
  const isFull = hits.length >= (query.limit ?? DEFAULT_LIMIT);
  const facts = [
    `${formatCount(hits.length, 'match', 'matches')} in ${formatCount(sessions.length, 'session')}`,
    ...(isFull ? [`there may be more: --limit ${hits.length * 4}`] : []),
  ];
  output.lines(
    ...searchLines(sessions, {
      ...createListOptions(home, context),
      title: sessionTitles(home, sessions),
      ...(isQuestion && query.sessionId === undefined && { maxHits: MAX_HITS_PER_SESSION }),
    }),
    '',
    style.dim(output.join(...facts)),
  );
}

/** The titles of sessions, as `yore sessions` shows them. */
function sessionTitles(home: Home, sessions: SearchResult['sessions']): (session: SessionHits) => string {
  const titles = new Map(
    home.indexed.findSessionsById(sessions).map(({ project, sessionId, title }) => [`${project} ${sessionId}`, title]),
  );
  return ({ project, sessionId }) => titles.get(`${project} ${sessionId}`) ?? '';
}

function findHint(query: SearchQuery, home: Home): string {
  if (home.projects().length === 0) return 'Nothing is recorded yet. To see how it will look: yore demo';
  const isFiltered = Object.keys(query).some((key) => !['text', 'limit', 'embedding'].includes(key));
  return isFiltered ? 'Try fewer words, or without the filters.' : 'Try fewer words, or part of a word.';
}

function toJson(query: string, result: SearchResult, home: Home): unknown {
  const projectName = projectNames(home);
  return {
    query,
    isQuestion: result.isQuestion,
    ...(result.missing.length > 0 && { missing: result.missing }),
    source: result.source,
    warnings: result.warnings,
    hits: result.hits.map((hit) => ({ ...hit, projectName: projectName(hit.project) })),
    sessions: result.sessions.map(({ sessionId, project, timestamp, hits }) => ({
      sessionId,
      project,
      projectName: projectName(project),
      timestamp,
      hitIds: hits.map(({ id }) => id),
    })),
  };
}
