import { type Manifest, objectAt, readToml, stringsAt } from '../manifest.ts';
import type { ProjectFolder } from '../project-files.ts';

/** The manifests of a Python package. */
export interface PythonManifests {
  /** The main manifest. */
  readonly file: string;
  /** The content of `pyproject.toml`; empty if there is none. */
  readonly pyproject: Manifest;
  /** Names of all dependencies, in lower case with `-`, and the files that they are from. */
  readonly dependencies: ReadonlyMap<string, string>;
}

const REQUIREMENTS = /^(requirements|dev-requirements|test-requirements)([-_.]\w+)?\.(txt|in)$/;
const MANIFESTS = [
  'pyproject.toml',
  'Pipfile',
  'setup.py',
  'setup.cfg',
  'environment.yml',
  'environment.yaml',
  'manage.py',
];

/** Reads pyproject.toml, requirements files, Pipfile and the files of setuptools; undefined if there are none. */
export function pythonManifests(folder: ProjectFolder): PythonManifests | undefined {
  const requirements = folder.files.filter((name) => REQUIREMENTS.test(name));
  const file = folder.first(MANIFESTS) ?? requirements[0];
  if (file === undefined) return undefined;
  const dependencies = new Map<string, string>();
  const add = (requirement: string, from: string): void => {
    const name = requirementName(requirement);
    if (name !== undefined && !dependencies.has(name)) dependencies.set(name, from);
  };
  const pyproject = readToml(folder.read('pyproject.toml'));
  for (const name of projectDependencies(pyproject)) add(name, 'pyproject.toml');
  for (const name of requirements) {
    for (const line of (folder.read(name) ?? '').split('\n')) add(line, name);
  }
  const pipfile = readToml(folder.read('Pipfile'));
  for (const group of ['packages', 'dev-packages']) {
    for (const name of Object.keys(objectAt(pipfile, group))) add(name, 'Pipfile');
  }
  for (const name of ['setup.py', 'setup.cfg', 'environment.yml', 'environment.yaml']) {
    for (const word of looseRequirements(folder.read(name) ?? '')) add(word, name);
  }
  return { file, dependencies, pyproject };
}

function projectDependencies(pyproject: Manifest): readonly string[] {
  const poetryGroups = Object.values(objectAt(pyproject, 'tool', 'poetry', 'group'));
  const environments = Object.values(objectAt(pyproject, 'tool', 'hatch', 'envs'));
  return [
    ...stringsAt(pyproject, 'project', 'dependencies'),
    ...stringsAt(pyproject, 'project', 'optional-dependencies'),
    ...stringsAt(pyproject, 'dependency-groups'),
    ...Object.keys(objectAt(pyproject, 'tool', 'poetry', 'dependencies')),
    ...Object.keys(objectAt(pyproject, 'tool', 'poetry', 'dev-dependencies')),
    ...poetryGroups.flatMap((group) => Object.keys(objectAt({ group }, 'group', 'dependencies'))),
    ...stringsAt(pyproject, 'tool', 'uv', 'dev-dependencies'),
    ...environments.flatMap((environment) => stringsAt({ environment }, 'environment', 'dependencies')),
    ...stringsAt(pyproject, 'tool', 'pdm', 'dev-dependencies'),
  ];
}

/** The name of a requirement: `Django>=4; python_version > "3"` → `django`. Undefined for options, URLs and comments. */
function requirementName(requirement: string): string | undefined {
  const name = /^\s*([A-Za-z0-9][A-Za-z0-9._-]{0,99})(?=\s*($|[[<>=!~;,(@#\s]))/.exec(requirement)?.[1];
  return name?.toLowerCase().replace(/[._]/g, '-');
}

/** Requirements in programs and loosely formatted files: in quotes, or alone on a line. */
function looseRequirements(text: string): string[] {
  const found: string[] = [];
  for (const line of text.split('\n', 2_000)) {
    if (line.length > 200) continue;
    const alone = /^\s+-?\s*([A-Za-z0-9][\w.-]*)\s*([<>=!~].*)?$/.exec(line)?.[1];
    if (alone !== undefined) found.push(alone);
    for (const match of line.matchAll(
      /["']([A-Za-z0-9][\w.-]*)\s*(?:\[[\w,-]*\])?\s*(?:[<>=!~][^"']*)?["']/g,
    )) {
      found.push(match[1] ?? '');
    }
  }
  return found;
}
