import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { ProjectItem } from '../../../src/server/rpc/api.ts';
import { navigate, route } from '../router/router.ts';
import { cleanText } from '../text/format.ts';
import { Time } from '../text/time-view.tsx';
import { Icon } from './icons.tsx';
import { Cover, overlay, toggleOverlay } from './overlays.tsx';
import { findPage } from './pages.ts';
import { PickList } from './pick-list.tsx';
import { currentProjectId, projectName, projects, typedCommand } from './project-store.ts';

/** The name of the chosen project; opens the list of projects. */
export function SwitcherButton(): VNode {
  const id = currentProjectId.value;
  const name = id === '' ? 'No project yet' : projectName(id);
  const path = cleanText(projects.value?.find((project) => project.id === id)?.path ?? '');
  return (
    <button
      type="button"
      class="switcher"
      aria-haspopup="dialog"
      aria-expanded={overlay.value === 'projects'}
      title={`${path || name}\nSwitch project (g g)`}
      onClick={() => toggleOverlay('projects')}
    >
      <ProjectMark name={projects.value?.find((project) => project.id === id)?.name ?? ''} />
      <span class="switcher-text">
        <span class="switcher-name cut-at-start">
          <bdi dir="ltr">
            <span class="hidden">Switch project: </span>
            {name}
          </bdi>
        </span>
        <span class="switcher-path cut-at-start">
          <bdi dir="ltr">{path}</bdi>
        </span>
      </span>
      <Icon name="switch" />
    </button>
  );
}

/** The name of a project, after the folders that tell it from others of the same name. */
export function ProjectLabel({ project: { name, label } }: { readonly project: ProjectItem }): VNode {
  const folders = label.endsWith(name) ? label.slice(0, label.length - name.length) : '';
  return (
    <>
      {folders === '' ? null : <span class="label-folders">{cleanText(folders)}</span>}
      {cleanText(folders === '' ? label : name)}
    </>
  );
}

/** The first letter of a project's name. */
export function ProjectMark({ name }: { readonly name: string }): VNode {
  return (
    <span class="project-mark" aria-hidden="true">
      {[...name][0]?.toUpperCase() ?? '·'}
    </span>
  );
}

/** The projects whose name or path contains every word of the query, in their order. */
export function matchingProjects(list: readonly ProjectItem[], query: string): readonly ProjectItem[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return list.filter(({ name, path }) => {
    const text = `${name} ${path}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Chooses a project. The page stays the same, unless it is not about one project. */
export function chooseProject(project: string): void {
  overlay.value = 'none';
  const page = findPage(route.value.page);
  navigate({ project, params: {}, ...(page.scope === 'project' ? {} : { page: 'overview' }) });
}

/** The list of projects under the name of the chosen one. */
export function SwitcherList(): VNode {
  const [query, setQuery] = useState('');
  const found = matchingProjects(projects.value ?? [], query);
  return (
    <Cover place="switcher">
      <section class="switcher-list" role="dialog" aria-modal="true" aria-label="Switch project">
        <PickList
          label="Projects"
          placeholder="Find a project…"
          query={query}
          none={
            projects.value?.length === 0
              ? `No projects yet. To set up your agents: ${typedCommand('init')}`
              : 'No project matches.'
          }
          groups={[
            {
              title: 'Projects',
              items: found.map((project) => ({
                id: project.id,
                pick: () => chooseProject(project.id),
                content: <ProjectOption project={project} />,
              })),
            },
          ]}
          onQuery={setQuery}
        />
      </section>
    </Cover>
  );
}

/** A project in a list of choices: name, path and last activity. */
export function ProjectOption({ project }: { readonly project: ProjectItem }): VNode {
  const name = cleanText(project.name);
  const path = cleanText(project.path);
  return (
    <>
      <ProjectMark name={name} />
      <span class="pick-text">
        <bdi class="pick-main" title={name}>
          <ProjectLabel project={project} />
        </bdi>
        <span class="pick-detail cut-at-start" title={path}>
          <bdi dir="ltr">{path}</bdi>
        </span>
      </span>
      {project.id === currentProjectId.value ? <span class="fact">current</span> : null}
      <Time at={project.lastActiveAt} />
    </>
  );
}
