import type { Home } from '../../project/index.ts';
import { OUTCOMES, YoreError } from '../../record/index.ts';
import type { SearchQuery, SearchResult } from '../../search/index.ts';
import { chooseProject, projectNames } from '../choose-project.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { choiceOption, countOption, flagOption, textOption, timeOption } from '../option-values.ts';
import { countOf } from '../output/quantity.ts';
import { searchLines } from '../output/search-list.ts';
import { reportWarnings } from '../report-warnings.ts';
import { ROLES } from '../table/look.ts';

const DEFAULT_LIMIT = 50;

/** `yore search`. */
export async function runSearch(
  context: CommandContext,
  args: readonly string[],
  options: OptionValues,
): Promise<number> {
  const text = args.join(' ');
  if (text.trim() === '') throw new YoreError('USAGE', 'There is nothing to search for: the query is empty.');
  const home = await context.openHome();
  const query = buildQuery(home, text, context, options);
  const result = await context.output.withProgress('Indexing', (progress) => home.search(query, progress));
  if (flagOption(options, 'json')) context.output.json(toJson(text, result, home));
  else printResult(result, query, home, context);
  return reportWarnings(result.warnings, context.output);
}

function buildQuery(home: Home, text: string, context: CommandContext, options: OptionValues): SearchQuery {
  const now = context.now();
  const project = textOption(options, 'project');
  const session = textOption(options, 'session');
  const agent = textOption(options, 'agent');
  const branch = textOption(options, 'branch');
  const since = timeOption(options, 'since', now);
  const until = timeOption(options, 'until', now);
  const role = choiceOption(options, 'role', ROLES);
  const outcome = choiceOption(options, 'outcome', OUTCOMES);
  return {
    text,
    limit: countOption(options, 'limit') ?? DEFAULT_LIMIT,
    ...(project === undefined
      ? {}
      : { projects: [chooseProject(home, project, context.cwd).info.projectHash] }),
    ...(session === undefined ? {} : { sessionId: home.findSession(session).sessionId }),
    ...(agent === undefined ? {} : { agent }),
    ...(branch === undefined ? {} : { branch }),
    ...(role === undefined ? {} : { role }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  };
}

function printResult(result: SearchResult, query: SearchQuery, home: Home, context: CommandContext): void {
  const { output } = context;
  const { style, symbols } = output;
  if (result.hits.length === 0) {
    output.lines(`Nothing found for "${query.text}".`, style.dim(hintForNothing(query, home)));
    return;
  }
  if (result.hits.every(({ match }) => match === 'related')) {
    output.lines(style.dim('Nothing contains all of it. Related:'), '');
  }
  const isFull = result.hits.length >= (query.limit ?? DEFAULT_LIMIT);
  const count = `${countOf(result.hits.length, 'match', 'matches')} in ${countOf(result.sessions.length, 'session')}`;
  const more = isFull ? ` ${symbols.separator} there may be more: --limit ${result.hits.length * 4}` : '';
  output.lines(
    ...searchLines(result.sessions, { output, now: context.now(), projectName: projectNames(home) }),
    '',
    style.dim(count + more),
  );
}

function hintForNothing(query: SearchQuery, home: Home): string {
  if (home.projects().length === 0) return 'Nothing is recorded yet. See how it will look: yore demo';
  const isFiltered = Object.keys(query).some((key) => key !== 'text' && key !== 'limit');
  return isFiltered
    ? 'Try it without the filters, or with fewer words.'
    : 'Try fewer words, or a part of one.';
}

function toJson(query: string, result: SearchResult, home: Home): unknown {
  const nameOf = projectNames(home);
  return {
    query,
    source: result.source,
    warnings: result.warnings,
    hits: result.hits.map((hit) => ({ ...hit, projectName: nameOf(hit.project) })),
    sessions: result.sessions.map(({ sessionId, project, timestamp, hits }) => ({
      sessionId,
      project,
      projectName: nameOf(project),
      timestamp,
      hitIds: hits.map(({ id }) => id),
    })),
  };
}
