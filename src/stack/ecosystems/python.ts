import { type CommandFact, scriptCommand } from '../../facts/commands/command-table.ts';
import {
  type DependencyTable,
  type Detector,
  type Finding,
  findDependencies,
  findScripts,
  toFindings,
} from '../detector.ts';
import { hasPath, type Manifest, objectAt, readToml, stringAt, stringsAt } from '../manifest.ts';
import type { ProjectFolder } from '../project-files.ts';

/** Python with uv, poetry, pdm, hatch, pipenv, conda or pip. */
export const PYTHON: Detector = {
  id: 'python',
  extensions: ['py', 'pyi', 'ipynb'],
  *detect(folder) {
    const manifests = pythonManifests(folder);
    if (!manifests) return;
    yield { fact: 'language', value: 'Python', file: manifests.file };
    const names = new Set(manifests.dependencies.keys());
    yield* findDependencies(names, PYTHON_DEPENDENCIES, (name) => manifests.dependencies.get(name) ?? manifests.file);
    const manager = pythonManager(folder, manifests);
    if (manager) yield manager;
    const runner = RUNNERS[manager?.value ?? ''] ?? '';
    yield* tasks(manifests, manager?.value, runner);
    yield* tools(folder, manifests, runner);
  },
};

/** The prefix with which a package manager runs a command in the project's environment. */
const RUNNERS: Readonly<Record<string, string>> = {
  uv: 'uv run ',
  poetry: 'poetry run ',
  pdm: 'pdm run ',
  pipenv: 'pipenv run ',
  hatch: 'hatch run ',
};

/** Lock files take precedence over tables of pyproject.toml, because they show what is really used. */
const LOCKS: readonly (readonly [file: string, manager: string])[] = [
  ['uv.lock', 'uv'],
  ['poetry.lock', 'poetry'],
  ['pdm.lock', 'pdm'],
  ['Pipfile.lock', 'pipenv'],
];
const TABLES: readonly (readonly [table: string, manager: string])[] = [
  ['tool.uv', 'uv'],
  ['tool.poetry', 'poetry'],
  ['tool.pdm', 'pdm'],
  ['tool.hatch.envs', 'hatch'],
];

function pythonManager(folder: ProjectFolder, manifests: PythonManifests): Finding | undefined {
  const fact = 'packageManager';
  const locked = LOCKS.filter(([file]) => folder.has(file));
  const tables = TABLES.filter(([table]) => hasTable(manifests, table));
  // Of two lock files, the one with settings in pyproject.toml.
  const lock = locked.find(([, manager]) => tables.some((table) => table[1] === manager)) ?? locked[0];
  if (lock) return { fact, value: lock[1], file: lock[0] };
  if (tables[0]) return { fact, value: tables[0][1], file: 'pyproject.toml' };
  const backend = stringAt(manifests.pyproject, 'build-system', 'build-backend') ?? '';
  const built = /^(poetry|pdm|uv)[._]/.exec(backend)?.[1];
  if (built !== undefined) return { fact, value: built, file: 'pyproject.toml' };
  if (folder.has('Pipfile')) return { fact, value: 'pipenv', file: 'Pipfile' };
  const conda = folder.first(['environment.yml', 'environment.yaml']);
  if (conda !== undefined) return { fact, value: 'conda', file: conda };
  for (let above = folder.parent; above; above = above.parent) {
    if (above.has('uv.lock')) return { fact, value: 'uv', file: `${'../'.repeat(folder.depth - above.depth)}uv.lock` };
  }
  return { fact, value: 'pip', file: manifests.file, source: 'default' };
}

function hasTable({ pyproject }: PythonManifests, table: string): boolean {
  return hasPath(pyproject, ...table.split('.'));
}

/** Tables of tasks and their runners. */
const TASK_TABLES: readonly (readonly [table: string, runner: string])[] = [
  ['tool.poe.tasks', 'poe'],
  ['tool.pdm.scripts', 'pdm'],
  ['tool.hatch.envs.default.scripts', 'hatch'],
];

function* tasks(manifests: PythonManifests, manager: string | undefined, prefix: string): Generator<Finding> {
  for (const [table, runner] of TASK_TABLES) {
    const names = Object.keys(objectAt(manifests.pyproject, ...table.split('.')));
    const start = runner === 'poe' && manager !== undefined ? prefix : '';
    yield* findScripts(names, 'pyproject.toml', (task) => start + scriptCommand(runner, task));
  }
}

interface Tool {
  /** As shown; in lower case the name of the package. */
  readonly name: string;
  /** Files and tables of pyproject.toml (`tool.…`) that configure it. */
  readonly settings: string;
  readonly fact?: CommandFact;
  readonly command?: string;
  readonly formatter?: string;
}

/** Tools that are also recognised by their configuration; of two for the same purpose, the first counts. */
const TOOLS: readonly Tool[] = [
  {
    name: 'pytest',
    settings: 'pytest.ini conftest.py tool.pytest tool.pytest.ini_options',
    fact: 'testCommand',
    command: 'pytest',
  },
  { name: 'tox', settings: 'tox.ini tool.tox', fact: 'testCommand', command: 'tox' },
  { name: 'nox', settings: 'noxfile.py', fact: 'testCommand', command: 'nox' },
  { name: 'Ruff', settings: 'ruff.toml .ruff.toml tool.ruff', fact: 'lintCommand', command: 'ruff check' },
  { name: 'Flake8', settings: '.flake8', fact: 'lintCommand', command: 'flake8' },
  { name: 'Pylint', settings: '.pylintrc tool.pylint', fact: 'lintCommand', command: 'pylint' },
  { name: 'mypy', settings: 'mypy.ini tool.mypy', fact: 'lintCommand', command: 'mypy .' },
  {
    name: 'Pyright',
    settings: 'pyrightconfig.json tool.pyright tool.basedpyright',
    fact: 'lintCommand',
    command: 'pyright',
  },
  { name: 'Black', settings: 'tool.black', fact: 'formatCommand', command: 'black .', formatter: 'black' },
  { name: 'YAPF', settings: '.style.yapf tool.yapf', formatter: 'yapf' },
];

function* tools(folder: ProjectFolder, manifests: PythonManifests, runner: string): Generator<Finding> {
  const found = TOOLS.flatMap((tool) => {
    const file = toolEvidence(folder, manifests, tool);
    return file === undefined ? [] : [{ tool, file }];
  });
  for (const { tool, file } of found) {
    const { name, fact, command, formatter } = tool;
    yield { fact: 'tool', value: name, file };
    // tox and nox create environments of their own.
    const prefix = /^(tox|nox)$/.test(name) ? '' : runner;
    if (fact !== undefined && command !== undefined) yield { fact, value: prefix + command, file };
    if (formatter !== undefined) yield { fact: 'formatter', value: formatter, file };
  }
  const ruff = found.find(({ tool }) => tool.name === 'Ruff');
  if (ruff && !found.some(({ tool }) => tool.formatter !== undefined)) {
    yield* toFindings(ruff.file, { formatCommand: `${runner}ruff format`, formatter: 'ruff' });
  }
  if (folder.has('manage.py')) {
    yield { fact: 'framework', value: 'Django', file: 'manage.py' };
    yield {
      fact: 'testCommand',
      value: `${runner}python manage.py test`,
      file: 'manage.py',
      source: 'default',
    };
  }
  if (hasTable(manifests, 'build-system')) {
    const builder = /^(uv|poetry|pdm|hatch) run $/.exec(runner)?.[1];
    const value = builder === undefined ? 'python -m build' : `${builder} build`;
    yield { fact: 'buildCommand', value, file: 'pyproject.toml', source: 'default' };
  }
}

function toolEvidence(folder: ProjectFolder, manifests: PythonManifests, { name, settings }: Tool): string | undefined {
  const configured = folder.first(settings.split(' '));
  if (configured !== undefined) return configured;
  if (settings.split(' ').some((table) => table.startsWith('tool.') && hasTable(manifests, table)))
    return 'pyproject.toml';
  if (name === 'pytest' && /^\[tool:pytest\]/m.test(folder.read('setup.cfg') ?? '')) return 'setup.cfg';
  return manifests.dependencies.get(name.toLowerCase());
}

/** Frameworks and tools by Python package, in lower case with `-`. */
const PYTHON_DEPENDENCIES: DependencyTable = {
  frameworks:
    'Django: django; FastAPI: fastapi fastapi-slim; Flask: flask; Starlette: starlette; ' +
    'Litestar: litestar; aiohttp: aiohttp; Tornado: tornado; Sanic: sanic; Streamlit: streamlit; ' +
    'Gradio: gradio; PyTorch: torch pytorch-lightning lightning; TensorFlow: tensorflow; JAX: jax; ' +
    'scikit-learn: scikit-learn; pandas: pandas; Transformers: transformers; ' +
    'LangChain: langchain langchain-core; Scrapy: scrapy; Airflow: apache-airflow; Click: click; ' +
    'Typer: typer; Pydantic: pydantic',
  tools:
    'pytest: pytest; Hypothesis: hypothesis; tox: tox; nox: nox; Ruff: ruff; Black: black; ' +
    'isort: isort; Flake8: flake8; Pylint: pylint; mypy: mypy; Pyright: pyright basedpyright; ' +
    'SQLAlchemy: sqlalchemy; Alembic: alembic; Celery: celery; Redis: redis; ' +
    'PostgreSQL: psycopg psycopg2 psycopg2-binary asyncpg; ' +
    'Jupyter: jupyter jupyterlab notebook ipykernel; Sphinx: sphinx; MkDocs: mkdocs mkdocs-material',
};

/** The manifests of a Python package. */
interface PythonManifests {
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
function pythonManifests(folder: ProjectFolder): PythonManifests | undefined {
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
    for (const match of line.matchAll(/["']([A-Za-z0-9][\w.-]*)\s*(?:\[[\w,-]*\])?\s*(?:[<>=!~][^"']*)?["']/g)) {
      found.push(match[1] ?? '');
    }
  }
  return found;
}
