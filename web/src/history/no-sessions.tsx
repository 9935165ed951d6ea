import type { VNode } from 'preact';
import { route } from '../router/router.ts';
import { projectName, projects } from '../shell/project-store.ts';
import { changeBrowser, clearFilters } from './browser-store.ts';
import { isFiltered } from './filters.ts';

/** What the list says when it has nothing to show, and what can be done about it. */
export function NoSessions(): VNode {
  const { browser } = route.value;
  if (isFiltered(browser))
    return (
      <div class="empty">
        <p>No session fits these filters.</p>
        <button type="button" onClick={clearFilters}>
          Clear filters
        </button>
      </div>
    );
  const others = (projects.value ?? []).length > 1;
  return (
    <div class="empty">
      <h2>
        {browser.project === '' ? 'No sessions here yet' : `No sessions in ${placeOf(browser.project)} yet`}
      </h2>
      <p>
        <code>yore import</code> brings in what agents wrote on this machine so far.
      </p>
      <p>
        <code>yore init</code> in a project records what they do from now on. It appears here as it happens.
      </p>
      {others ? (
        <button type="button" onClick={() => changeBrowser({ project: 'all', row: 0 })}>
          Show all projects
        </button>
      ) : null}
    </div>
  );
}

function placeOf(project: string): string {
  return project === 'all' ? 'any project' : projectName(project);
}
