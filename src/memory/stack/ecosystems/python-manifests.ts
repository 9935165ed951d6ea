import { readToml, type Toml } from '../formats/toml.ts';
import type { Place } from '../place.ts';

/** What the manifests of a Python package hold. */
export interface PythonManifests {
  /** The manifest that speaks for the package. */
  readonly file: string;
  readonly pyproject?: Toml;
  /** In lower case, with `-`; from all manifests. */
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

/** Reads pyproject.toml, requirement files, Pipfile and what setuptools was told; undefined without any of them. */
export function pythonManifests(place: Place): PythonManifests | undefined {
  const requirements = place.files.filter((name) => REQUIREMENTS.test(name));
  const file = place.first(MANIFESTS) ?? requirements[0];
  if (file === undefined) return undefined;
  const dependencies = new Map<string, string>();
  const add = (requirement: string, from: string): void => {
    const name = requirementName(requirement);
    if (name !== undefined && !dependencies.has(name)) dependencies.set(name, from);
  };
  const text = place.read('pyproject.toml');
  const pyproject = text === undefined ? undefined : readToml(text);
  if (pyproject) for (const name of projectDependencies(pyproject)) add(name, 'pyproject.toml');
  for (const name of requirements) {
    for (const line of (place.read(name) ?? '').split('\n')) add(line, name);
  }
  const pipfile = place.read('Pipfile');
  if (pipfile !== undefined) {
    const read = readToml(pipfile);
    for (const name of [...read.names('packages'), ...read.names('dev-packages')]) add(name, 'Pipfile');
  }
  for (const name of ['setup.py', 'setup.cfg', 'environment.yml', 'environment.yaml']) {
    for (const word of looseRequirements(place.read(name) ?? '')) add(word, name);
  }
  return { file, dependencies, ...(pyproject ? { pyproject } : {}) };
}

function projectDependencies(pyproject: Toml): readonly string[] {
  const groups = pyproject
    .names('dependency-groups')
    .flatMap((name) => pyproject.strings('dependency-groups', name));
  const extras = pyproject
    .names('project.optional-dependencies')
    .flatMap((name) => pyproject.strings('project.optional-dependencies', name));
  const poetryGroups = pyproject
    .names('tool.poetry.group')
    .flatMap((group) => pyproject.names(`tool.poetry.group.${group}.dependencies`));
  const hatchEnvironments = pyproject
    .names('tool.hatch.envs')
    .flatMap((name) => pyproject.strings(`tool.hatch.envs.${name}`, 'dependencies'));
  const pdmGroups = pyproject
    .names('tool.pdm.dev-dependencies')
    .flatMap((name) => pyproject.strings('tool.pdm.dev-dependencies', name));
  return [
    ...pyproject.strings('project', 'dependencies'),
    ...extras,
    ...groups,
    ...pyproject.names('tool.poetry.dependencies'),
    ...pyproject.names('tool.poetry.dev-dependencies'),
    ...poetryGroups,
    ...pyproject.strings('tool.uv', 'dev-dependencies'),
    ...hatchEnvironments,
    ...pdmGroups,
  ];
}

/** `Django>=4; python_version > "3"` → `django`. Options, addresses and comments are none. */
function requirementName(requirement: string): string | undefined {
  const name = /^\s*([A-Za-z0-9][A-Za-z0-9._-]{0,99})(?=\s*($|[[<>=!~;,(@#\s]))/.exec(requirement)?.[1];
  return name?.toLowerCase().replace(/[._]/g, '-');
}

/** Requirements as they stand in files that are programs or loosely written: quoted, or alone on a line. */
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
