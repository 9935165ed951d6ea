import type { Home, Project } from '../project/index.ts';
import { YoreError } from '../record/index.ts';

/** A project as it is now. NOT_FOUND when there is none of that id. */
export function projectById(home: Home, id: string): Project {
  const info = home.projectInfo(id);
  if (info === undefined) {
    throw new YoreError('NOT_FOUND', `There is no project ${id}. project.list has those that there are.`);
  }
  // Looking it up by its folder costs less than going through all projects.
  const found = home.findProject(info.projectPath);
  return found?.info.projectHash === id ? found : home.projectNamed(id);
}

/** The project that a call means: the one it names, else that of the folder the server was started in. */
export function meantProject(home: Home, cwd: string, id: string | undefined): Project {
  return id === undefined ? home.openProject(cwd) : projectById(home, id);
}
