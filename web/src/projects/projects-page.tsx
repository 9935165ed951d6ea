import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { toHref } from '../router/router.ts';
import { projects } from '../shell/project-store.ts';
import { EmptyState, Skeleton } from '../shell/states.tsx';
import { matchingProjects, ProjectMark } from '../shell/switcher.tsx';
import { cleanText } from '../text/format.ts';
import { Time } from '../text/time-view.tsx';

/** All projects, the most recently active first. */
export function ProjectsPage(): VNode {
  const [query, setQuery] = useState('');
  const all = projects.value;
  return (
    <section class="page" aria-label="Projects">
      <header class="page-head">
        <h1>Projects</h1>
        <span class="spacer" />
        <input
          type="search"
          data-search
          aria-label="Find a project"
          placeholder="Find a project  ( / )"
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
      </header>
      {all === undefined ? (
        <Skeleton />
      ) : all.length === 0 ? (
        <EmptyState title="No projects yet" command="yore init">
          Projects appear here with their sessions once your agents are set up, or after an import.
        </EmptyState>
      ) : (
        <ul class="project-list">
          {matchingProjects(all, query).map((project) => (
            <li key={project.id}>
              <a class="project-row" data-row href={toHref({ page: 'overview', project: project.id })}>
                <ProjectMark name={cleanText(project.name)} />
                <span class="pick-main">{cleanText(project.name)}</span>
                <span class="pick-detail" dir="ltr">
                  {cleanText(project.path)}
                </span>
                <Time at={project.lastActiveAt} />
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
