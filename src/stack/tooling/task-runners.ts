import { COMMAND_FACTS, SCRIPT_NAMES, scriptCommand } from '../../facts/commands/command-table.ts';
import { type Detector, findAll } from '../detector.ts';
import { objectAt, readToml } from '../manifest.ts';
import { readYaml, yamlKeys } from '../yaml.ts';

interface Runner {
  readonly name: string;
  readonly shown?: string;
  readonly files: readonly string[];
  targets(text: string): readonly string[];
}

/** Of several runners with a target for the same command, the first one counts. */
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
    targets: (text) => Object.keys(objectAt(readToml(text), 'tasks')),
  },
  { name: 'make', shown: 'Make', files: ['GNUmakefile', 'Makefile', 'makefile'], targets: makeTargets },
  {
    name: 'invoke',
    files: ['tasks.py'],
    targets: (text) => [...findAll(text, /^@(?:invoke\.)?task\b.*\n(?:@.*\n){0,5}def (\w+)/gm)],
  },
];

/** In a task runner `check` may run the tests; in a package.json it mostly checks types. */
const LAST_TEST_NAME = 'check';

/** Targets of Make, just, Task, mise and Invoke. */
export const TASK_RUNNERS: Detector = {
  id: 'any',
  extensions: [],
  *detect(folder) {
    for (const runner of RUNNERS) {
      const file = folder.first(runner.files);
      const text = file === undefined ? undefined : folder.read(file);
      if (file === undefined || text === undefined) continue;
      const targets = runner.targets(text);
      if (runner.shown !== undefined) yield { fact: 'tool', value: runner.shown, file };
      for (const fact of COMMAND_FACTS) {
        const names = fact === 'testCommand' ? [...SCRIPT_NAMES[fact], LAST_TEST_NAME] : SCRIPT_NAMES[fact];
        const target = names.find((name) => targets.includes(name));
        if (target !== undefined) yield { fact, value: scriptCommand(runner.name, target), file, source: 'target' };
      }
    }
  },
};

/** Tools that are recognised by a file in the root folder. */
const MARKERS: readonly (readonly [tool: string, name: RegExp])[] = [
  ['Docker', /^(Dockerfile|Containerfile)(\..+)?$/],
  ['Docker Compose', /^(docker-)?compose(\..+)?\.ya?ml$/],
  ['Dev Containers', /^\.devcontainer\.json$/],
  ['Terraform', /\.tf$/],
  ['Bazel', /^(MODULE|WORKSPACE)(\.bazel)?$/],
  ['Nix', /^(flake|default|shell)\.nix$/],
  ['Turborepo', /^turbo\.json$/],
  ['Nx', /^nx\.json$/],
  ['Helm', /^Chart\.ya?ml$/],
  ['Vercel', /^vercel\.json$/],
  ['Cloudflare Workers', /^wrangler\.(toml|jsonc?)$/],
  ['Fly.io', /^fly\.toml$/],
  ['Renovate', /^(renovate\.json5?|\.renovaterc(\.json)?)$/],
];

/** Deployment and automation tools. */
export const FILE_MARKERS: Detector = {
  id: 'any',
  extensions: [],
  *detect(folder) {
    if (folder.path !== '') return;
    for (const [value, pattern] of MARKERS) {
      const file = folder.files.find((name) => pattern.test(name));
      if (file !== undefined) yield { fact: 'tool', value, file };
    }
  },
};

/** The named targets of a Makefile, in the order of the file. */
export function makeTargets(text: string): readonly string[] {
  const targets: string[] = [];
  for (const line of text.split('\n', 5_000)) {
    if (line.length > 1_000) continue;
    const names = /^([A-Za-z][\w./ -]*?)\s*::?(?![=:])/.exec(line)?.[1];
    if (names !== undefined) targets.push(...names.split(/\s+/));
  }
  return targets;
}

/** The recipes of a justfile, in the order of the file. */
function justRecipes(text: string): readonly string[] {
  const recipes: string[] = [];
  for (const line of text.split('\n', 5_000)) {
    if (line.length > 1_000) continue;
    const alias = /^alias\s+([\w-]+)\s*:=/.exec(line)?.[1];
    const recipe = /^@?([A-Za-z_][\w-]*)(\s+[^:=]*(?:=[^:]*)?)?:(?!=)/.exec(line)?.[1];
    if (alias !== undefined) recipes.push(alias);
    else if (recipe !== undefined) recipes.push(recipe);
  }
  return recipes;
}
