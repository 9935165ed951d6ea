import { COMMAND_FACTS, SCRIPT_NAMES } from '../command-table.ts';
import type { Detector } from '../detector.ts';
import { justRecipes, makeTargets } from '../formats/make.ts';
import { readToml } from '../formats/toml.ts';
import { readYaml, yamlKeys } from '../formats/yaml.ts';
import { scriptCommand } from '../script-command.ts';

interface Runner {
  readonly name: string;
  readonly shown?: string;
  readonly files: readonly string[];
  targets(text: string): readonly string[];
}

/** Runners in the order in which their targets are preferred. */
const RUNNERS: readonly Runner[] = [
  { name: 'just', shown: 'just', files: ['justfile', 'Justfile', '.justfile'], targets: justRecipes },
  {
    name: 'task',
    shown: 'Task',
    files: ['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml', 'taskfile.yaml', 'Taskfile.dist.yml'],
    targets: (text) => yamlKeys(readYaml(text), 'tasks'),
  },
  {
    name: 'mise',
    shown: 'mise',
    files: ['mise.toml', '.mise.toml'],
    targets: (text) => readToml(text).names('tasks'),
  },
  { name: 'make', shown: 'Make', files: ['GNUmakefile', 'Makefile', 'makefile'], targets: makeTargets },
  {
    name: 'invoke',
    files: ['tasks.py'],
    targets: (text) =>
      [...text.matchAll(/^@(?:invoke\.)?task\b.*\n(?:@.*\n){0,5}def (\w+)/gm)].map((match) => match[1] ?? ''),
  },
];

/** In a task runner `check` is the last name to look for; in a package.json it is most often the types. */
const LAST_TEST_NAME = 'check';

/** Targets of Make, just, Task, mise and Invoke. */
export const TASK_RUNNERS: Detector = {
  id: 'any',
  extensions: [],
  *detect(place) {
    for (const runner of RUNNERS) {
      const file = place.first(runner.files);
      const text = file === undefined ? undefined : place.read(file);
      if (file === undefined || text === undefined) continue;
      const targets = runner.targets(text);
      if (runner.shown !== undefined) yield { fact: 'tool', value: runner.shown, file };
      for (const fact of COMMAND_FACTS) {
        const names = fact === 'testCommand' ? [...SCRIPT_NAMES[fact], LAST_TEST_NAME] : SCRIPT_NAMES[fact];
        const target = names.find((name) => targets.includes(name));
        if (target !== undefined)
          yield { fact, value: scriptCommand(runner.name, target), file, strength: 'target' };
      }
    }
  },
};
