import { AGENT_NAMES } from '../agents/agent-name.ts';
import type { ProjectInfo } from '../record/index.ts';
import { omitUndefined } from '../record/object.ts';
import { type SearchQuery, splitFilters, type TypedFilter } from '../search/index.ts';
import { parseTime } from '../text/parse-time.ts';
import { labelProjects } from './project-labels.ts';

/** What the names in typed filters are looked up in. */
interface KnownNames {
  readonly projects: () => readonly ProjectInfo[];
  readonly findSessions: (prefix: string) => readonly { readonly sessionId: string }[];
  readonly now: number;
}

/**
 * Applies the filters that are typed into the text of a query: `session:124cf89f`, `project:api`, `branch:main`,
 * `file:src/x.ts`, `agent:codex`, `before:2025-11-18`, `after:7d`. One whose project, session or time is not known is
 * text. Options of the caller, such as `--branch`, are applied as well, and win over the same filter in the text.
 */
export function applyTypedFilters(query: SearchQuery, names: KnownNames): SearchQuery {
  const { text, filters } = splitFilters(query.text);
  const applied = filters.map((filter) => resolve(filter, names));
  const unknown = filters.filter((_, index) => applied[index] === undefined).map(({ typed }) => typed);
  return { ...Object.assign({}, ...applied), ...omitUndefined(query), text: [text, ...unknown].join(' ').trim() };
}

function resolve({ name, value }: TypedFilter, names: KnownNames): Partial<SearchQuery> | undefined {
  switch (name) {
    case 'session': {
      const [session, ...others] = names.findSessions(value);
      return session === undefined || others.length > 0 ? undefined : { sessionId: session.sessionId };
    }
    case 'project': {
      const projects = projectsNamed(value, names.projects());
      return projects.length === 0 ? undefined : { projects };
    }
    case 'branch':
      return { branch: value };
    case 'file':
      return { file: value };
    case 'agent':
      return { agent: AGENT_NAMES.find((agent) => agent === value || agent.startsWith(`${value}-`)) ?? value };
    case 'before': {
      // The day itself is not before it.
      const until = parseTime(value, names.now, 'since');
      return until === undefined ? undefined : { until: new Date(Date.parse(until) - 1).toISOString() };
    }
    case 'after': {
      const since = parseTime(value, names.now, 'since');
      return since === undefined ? undefined : { since };
    }
  }
}

/** The ids of all projects with a name: of clones and worktrees that are projects of their own, several have it. */
function projectsNamed(name: string, all: readonly ProjectInfo[]): readonly string[] {
  const labels = labelProjects(all);
  const isNamed = ({ displayName, projectHash, projectPath }: ProjectInfo): boolean =>
    [displayName, projectHash, projectPath, labels.get(projectHash)].includes(name);
  return all.filter(isNamed).map(({ projectHash }) => projectHash);
}
