import type { ProjectInfo } from '../record/index.ts';
import { getOrAdd } from '../record/once.ts';

type Named = Pick<ProjectInfo, 'projectHash' | 'displayName' | 'projectPath'>;

/**
 * What to call each project, by id: its name, or, where several have the same name, the name after as many parent folders as
 * tell them apart: `work/api`, `play/api`.
 */
export function labelProjects(projects: readonly Named[]): ReadonlyMap<string, string> {
  const byName = new Map<string, Named[]>();
  for (const project of projects) getOrAdd(byName, project.displayName, () => []).push(project);
  return new Map(
    [...byName.values()].flatMap((group) =>
      group.map((project) => [project.projectHash, labelAmong(project, group)] as const),
    ),
  );
}

function labelAmong(project: Named, group: readonly Named[]): string {
  const { displayName, projectPath } = project;
  if (group.length === 1) return displayName;
  const others = group.filter((each) => each !== project).map((each) => folders(each));
  const own = folders(project);
  for (let count = 1; count <= own.length; count += 1) {
    const tail = own.slice(-count).join('/');
    if (others.every((other) => other.slice(-count).join('/') !== tail)) return `${tail}/${displayName}`;
  }
  return `${displayName} (${projectPath})`;
}

/** The folders above a project, from the root. */
function folders({ projectPath, displayName }: Named): readonly string[] {
  const parts = projectPath.split(/[/\\]/).filter((part) => part !== '');
  return parts.at(-1) === displayName ? parts.slice(0, -1) : parts;
}
