import { checkHomeFolder, homeFolder } from '../registry/folders.ts';
import { Home, type HomeOptions } from './home.ts';
import type { Project } from './project.ts';

/**
 * Opens yore's home, drains the spools and finishes deletions that were interrupted. Nothing is created until something
 * is recorded. Throws NOT_OWNED, STORAGE or CONFIG when the home is not usable.
 */
export function openHome(options: HomeOptions = {}): Home {
  const environment = options.env ?? {};
  const path = homeFolder(options.home, environment);
  checkHomeFolder(path);
  const home = new Home(path, environment, options);
  home.drain();
  home.finishDeletions();
  return home;
}

/** Opens the project of a folder, and registers it if it is unknown. */
export function openProject(folder: string, options: HomeOptions = {}): Project {
  return openHome(options).openProject(folder);
}
