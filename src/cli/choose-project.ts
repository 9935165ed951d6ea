import type { Home, Project } from '../project/index.ts';
import { YoreError } from '../record/index.ts';
import type { OptionValues } from './command.ts';
import { textOption } from './option-values.ts';
import { sanitiseLine } from './output/sanitise.ts';

/** The project a `--project` option names: `.` is the one of the current folder. NOT_FOUND when there is none. */
export function chooseProject(home: Home, name: string, cwd: string): Project {
  if (name !== '.') return home.projectNamed(name);
  const project = home.findProject(cwd);
  if (project) return project;
  throw new YoreError(
    'NOT_FOUND',
    `Nothing is recorded for ${cwd} yet. \`yore sessions\` shows what is recorded elsewhere.`,
  );
}

/**
 * The project that a command is about: the one that `--project` names, else that of the current folder. Undefined
 * when nothing is known of that folder. NOT_FOUND when none has the name.
 */
export function projectInQuestion(home: Home, options: OptionValues, cwd: string): Project | undefined {
  const name = textOption(options, 'project');
  return name === undefined ? home.findProject(cwd) : chooseProject(home, name, cwd);
}

/** Display names of projects by id; an id without a project stays as it is. */
export function projectNames(home: Home): (id: string) => string {
  const names = new Map<string, string>();
  return (id) => {
    const name = names.get(id) ?? sanitiseLine(home.projectInfo(id)?.displayName ?? id);
    names.set(id, name);
    return name;
  };
}
