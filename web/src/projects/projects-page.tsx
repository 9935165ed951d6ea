import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { ProjectActivity, ProjectItem } from '../../../src/server/rpc/api.ts';
import { indexProgress } from '../history/browser-store.ts';
import { AgentIcon } from '../history/session-row.tsx';
import { EMPTY_BROWSER } from '../router/route.ts';
import { navigate, toHref } from '../router/router.ts';
import { projects } from '../shell/project-store.ts';
import { EmptyState, Skeleton } from '../shell/states.tsx';
import { matchingProjects, ProjectLabel, ProjectMark } from '../shell/switcher.tsx';
import { cleanText, formatQuantity, shortNumber } from '../text/format.ts';
import { Time } from '../text/time-view.tsx';
import { useActivity } from './activity.ts';
import { Sparkline } from './sparkline.tsx';

/** All projects, the most recently active first: the start page. */
export function ProjectsPage(): VNode {
  const [query, setQuery] = useState('');
  const all = projects.value;
  const found = matchingProjects(all ?? [], query);
  return (
    <section class="page projects" aria-label="Projects">
      <header class="page-head">
        <h1>Projects</h1>
        {all === undefined ? null : (
          <span class="fact" role="status">
            {query === '' ? all.length : `${found.length} of ${all.length}`}
            {indexProgress.value < 1 ? ` · indexing, ${Math.floor(indexProgress.value * 100)} %` : ''}
          </span>
        )}
        <span class="spacer" />
        <input
          type="search"
          class="projects-filter"
          data-search
          aria-label="Find a project"
          placeholder="Find a project  ( / )"
          autocomplete="off"
          spellcheck={false}
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={(event) => {
            const first = found[0];
            if (event.key === 'Enter' && first !== undefined) navigate({ page: 'overview', project: first.id });
            if (event.key === 'ArrowDown') document.querySelector<HTMLElement>('.project-row [data-row]')?.focus();
          }}
        />
      </header>
      <ProjectList all={all} found={found} />
    </section>
  );
}

interface ProjectListProps {
  readonly all: readonly ProjectItem[] | undefined;
  readonly found: readonly ProjectItem[];
}

function ProjectList({ all, found }: ProjectListProps): VNode {
  const { counts, warnings } = useActivity();
  if (all === undefined) return <Skeleton label="Loading projects…" />;
  if (all.length === 0)
    return (
      <EmptyState title="No projects yet" command="init">
        Every project in which an agent works appears here, with its sessions, failures and warnings. Nothing is
        recorded on this machine yet. This command sets up your agents and imports the sessions that they have already
        had:
      </EmptyState>
    );
  if (found.length === 0)
    return (
      <p class="empty" role="status">
        No project has these words in its name or path.
      </p>
    );
  return (
    <ul class="project-list" aria-label="Projects">
      <li class="project-head" aria-hidden="true">
        <span>Project</span>
        <span class="project-agents">Agents</span>
        <span class="project-days">Last 30 days</span>
        <span class="number">Sessions</span>
        <span class="number project-failures">Failures</span>
        <span class="number project-warnings">Warnings</span>
        <span class="number">Active</span>
      </li>
      {found.map((project) => (
        <ProjectRow
          key={project.id}
          project={project}
          activity={counts?.get(project.id)}
          warnings={warnings === undefined ? undefined : (warnings.get(project.id) ?? 0)}
        />
      ))}
    </ul>
  );
}

interface ProjectRowProps {
  readonly project: ProjectItem;
  /** Undefined until it is loaded. */
  readonly activity: ProjectActivity | undefined;
  /** Undefined until they are counted. */
  readonly warnings: number | undefined;
}

const MAX_AGENTS = 4;

function ProjectRow({ project, activity, warnings }: ProjectRowProps): VNode {
  const { id } = project;
  const name = cleanText(project.name);
  const path = cleanText(project.path);
  const agents = activity?.agents ?? [];
  const sessions = (outcome: string) =>
    toHref({ page: 'history', project: id, browser: { ...EMPTY_BROWSER, outcome } });
  return (
    <li class="project-row">
      <a class="project-name" data-row href={toHref({ page: 'overview', project: id })} title={`${name}\n${path}`}>
        <ProjectMark name={name} />
        <span class="project-title">
          <bdi>
            <ProjectLabel project={project} />
          </bdi>
        </span>
        <span class="project-path cut-at-start">
          <bdi dir="ltr">{path}</bdi>
        </span>
      </a>
      <span class="project-agents">
        {agents.slice(0, MAX_AGENTS).map(({ agent }) => (
          <AgentIcon key={agent} agent={agent} />
        ))}
        {agents.length > MAX_AGENTS ? (
          <span
            class="fact"
            title={agents
              .slice(MAX_AGENTS)
              .map(({ agent }) => cleanText(agent))
              .join(', ')}
          >
            +{agents.length - MAX_AGENTS}
          </span>
        ) : null}
      </span>
      <span class="project-days">{activity === undefined ? null : <Sparkline days={activity.days} />}</span>
      <Count count={activity?.sessions} href={sessions('')} one="session" />
      <Count count={activity?.failures} href={sessions('failure')} one="failure" className="project-failures" />
      <Count
        count={warnings}
        href={toHref({ page: 'memory', project: id })}
        one="active warning"
        className={`project-warnings${(warnings ?? 0) > 0 ? ' has-warnings' : ''}`}
        sign="⚠"
      />
      <span class="number project-time">
        <Time at={project.lastActiveAt} />
      </span>
    </li>
  );
}

interface CountProps {
  readonly count: number | undefined;
  /** Where the evidence is. */
  readonly href: string;
  /** What is counted. */
  readonly one: string;
  readonly className?: string;
  readonly sign?: string;
}

function Count({ count, href, one, className = '', sign = '' }: CountProps): VNode {
  if (count === undefined || count === 0)
    return <span class={`number ${className}`}>{count === undefined ? '' : <span class="none">–</span>}</span>;
  return (
    <span class={`number ${className}`}>
      <a href={href} title={formatQuantity(count, one)}>
        {sign === '' ? '' : `${sign} `}
        {shortNumber(count)}
        <span class="count-of"> {count === 1 ? one : `${one}s`}</span>
      </a>
    </span>
  );
}
