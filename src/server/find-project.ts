import type { Home, Project } from '../project/index.ts';
import { YoreError } from '../record/index.ts';

/** The project of this id. NOT_FOUND when there is none. */
export function projectById(home: Home, id: string): Project {
  const info = home.projectInfo(id);
  if (info === undefined) {
    throw new YoreError('NOT_FOUND', `There is no project ${id}. project.list returns the known projects.`);
  }
  // Looking it up by its folder costs less than going through all projects.
  const found = home.findProject(info.projectPath);
  return found?.info.projectHash === id ? found : home.findProjectByName(id);
}

/** The project that a call names, else that of the folder the server was started in. */
export function requestedProject(home: Home, cwd: string, id: string | undefined): Project {
  return id === undefined ? home.openProject(cwd) : projectById(home, id);
}

/** The folder of a project's files: the checkout the server was started in, if it is one of that project. */
export function findServedRoot(home: Home, cwd: string, project: Project): string {
  const isCurrent = home.findProject(cwd)?.info.projectHash === project.info.projectHash;
  return isCurrent ? home.findCheckoutRoot(cwd) : project.info.projectPath;
}
