import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { navigate } from '../router/router.ts';
import { Icon, type IconName } from './icons.tsx';
import { Cover, overlay, toggleOverlay } from './overlays.tsx';
import { PAGES } from './pages.ts';
import { type PickGroup, type PickItem, PickList } from './pick-list.tsx';
import { projects } from './project-store.ts';
import { chooseProject, matchingProjects, ProjectOption } from './switcher.tsx';

const MAX_PROJECTS = 6;

/** Jumps to a page or project, or runs an action. */
export function Palette(): VNode {
  const [query, setQuery] = useState('');
  return (
    <Cover place="top">
      <section class="palette" role="dialog" aria-modal="true" aria-label="Jump to">
        <PickList
          label="Jump to"
          placeholder="Jump to a project, session, file, page or action…"
          query={query}
          none="Nothing found."
          groups={[pageGroup(query), actionGroup(query), projectGroup(query)]}
          onQuery={setQuery}
        />
      </section>
    </Cover>
  );
}

function pageGroup(query: string): PickGroup {
  const items = PAGES.filter(({ title }) => isMatch(title, query)).map(({ id, title, icon, key }) =>
    commandItem({
      id: `page-${id}`,
      text: title,
      icon,
      keys: `g ${key}`,
      run: () => navigate({ page: id, isBrowsing: false }),
    }),
  );
  return { title: 'Pages', items };
}

function actionGroup(query: string): PickGroup {
  const items = [
    { id: 'switch', text: 'Switch project', icon: 'switch', keys: 'g g', run: () => toggleOverlay('projects') },
    { id: 'keys', text: 'Show keyboard shortcuts', icon: 'keyboard', keys: '?', run: () => toggleOverlay('keys') },
  ] as const;
  return { title: 'Actions', items: items.filter(({ text }) => isMatch(text, query)).map(commandItem) };
}

function projectGroup(query: string): PickGroup {
  const items = matchingProjects(projects.value ?? [], query)
    .slice(0, MAX_PROJECTS)
    .map((project) => ({
      id: `project-${project.id}`,
      pick: () => chooseProject(project.id),
      content: <ProjectOption project={project} />,
    }));
  return { title: 'Projects', items };
}

interface Command {
  readonly id: string;
  readonly text: string;
  readonly icon: IconName;
  readonly keys: string;
  readonly run: () => void;
}

function commandItem({ id, text, icon, keys, run }: Command): PickItem {
  return {
    id,
    pick: () => {
      overlay.value = 'none';
      run();
    },
    content: (
      <>
        <Icon name={icon} />
        <span class="pick-main">{text}</span>
        <kbd>{keys}</kbd>
      </>
    ),
  };
}

function isMatch(text: string, query: string): boolean {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => text.toLowerCase().includes(word));
}
