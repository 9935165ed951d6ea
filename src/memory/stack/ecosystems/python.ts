import { COMMAND_FACTS } from '../command-table.ts';
import { type Clue, type DependencyTable, type Detector, knownDependencies } from '../detector.ts';
import type { Place } from '../place.ts';
import type { CommandFact } from '../project-stack.ts';
import { findScript, scriptCommand } from '../script-command.ts';
import { type PythonManifests, pythonManifests } from './python-manifests.ts';

/** Python with uv, poetry, pdm, hatch, pipenv, conda or pip. */
export const PYTHON: Detector = {
  id: 'python',
  extensions: ['py', 'pyi', 'ipynb'],
  *detect(place) {
    const manifests = pythonManifests(place);
    if (!manifests) return;
    yield { fact: 'language', value: 'Python', file: manifests.file };
    for (const clue of knownDependencies(new Set(manifests.dependencies.keys()), PYTHON_DEPENDENCIES, '')) {
      yield { ...clue, file: fileOf(clue, manifests) };
    }
    const manager = pythonManager(place, manifests);
    if (manager) yield manager;
    const runner = RUNNERS[manager?.value ?? ''] ?? '';
    yield* tasks(manifests, manager?.value, runner);
    yield* tools(place, manifests, runner);
  },
};

function fileOf(clue: Clue, manifests: PythonManifests): string {
  const packages = PYTHON_DEPENDENCIES[clue.fact === 'framework' ? 'frameworks' : 'tools'][clue.value] ?? [];
  const name = packages.find((candidate) => manifests.dependencies.has(candidate)) ?? '';
  return manifests.dependencies.get(name) ?? manifests.file;
}

/** What a manager puts before a command, so that it runs in the project's environment. */
const RUNNERS: Readonly<Record<string, string>> = {
  uv: 'uv run ',
  poetry: 'poetry run ',
  pdm: 'pdm run ',
  pipenv: 'pipenv run ',
  hatch: 'hatch run ',
};

/** Lock files, then tables of pyproject.toml, then back ends; a lock file says what is really used. */
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

function pythonManager(place: Place, manifests: PythonManifests): Clue | undefined {
  const fact = 'packageManager';
  const locked = LOCKS.filter(([file]) => place.has(file));
  const tables = TABLES.filter(([table]) => manifests.pyproject?.has(table));
  // Of two lock files, the one that pyproject.toml also has settings for.
  const lock = locked.find(([, manager]) => tables.some((table) => table[1] === manager)) ?? locked[0];
  if (lock) return { fact, value: lock[1], file: lock[0] };
  if (tables[0]) return { fact, value: tables[0][1], file: 'pyproject.toml' };
  const backend = manifests.pyproject?.text('build-system', 'build-backend') ?? '';
  const built = /^(poetry|pdm|uv)[._]/.exec(backend)?.[1];
  if (built !== undefined) return { fact, value: built, file: 'pyproject.toml' };
  if (place.has('Pipfile')) return { fact, value: 'pipenv', file: 'Pipfile' };
  const conda = place.first(['environment.yml', 'environment.yaml']);
  if (conda !== undefined) return { fact, value: 'conda', file: conda };
  for (let above = place.parent; above; above = above.parent) {
    if (above.has('uv.lock'))
      return { fact, value: 'uv', file: `${'../'.repeat(place.depth - above.depth)}uv.lock` };
  }
  return { fact, value: 'pip', file: manifests.file, strength: 'usual' };
}

/** Tables of tasks, and what runs them. */
const TASK_TABLES: readonly (readonly [table: string, runner: string])[] = [
  ['tool.poe.tasks', 'poe'],
  ['tool.pdm.scripts', 'pdm'],
  ['tool.hatch.envs.default.scripts', 'hatch'],
];

function* tasks(manifests: PythonManifests, manager: string | undefined, prefix: string): Generator<Clue> {
  for (const [table, runner] of TASK_TABLES) {
    const names = manifests.pyproject?.names(table) ?? [];
    for (const fact of COMMAND_FACTS) {
      const task = findScript(names, fact);
      if (task === undefined) continue;
      const value = (runner === 'poe' && manager !== undefined ? prefix : '') + scriptCommand(runner, task);
      yield { fact, value, file: 'pyproject.toml', strength: 'declared' };
    }
  }
}

interface Tool {
  readonly name: string;
  readonly shown: string;
  /** Tables of pyproject.toml and files that configure it. */
  readonly tables: readonly string[];
  readonly files: readonly string[];
  readonly commands: { readonly [K in CommandFact]?: string };
  readonly formatter?: string;
}

/** Tools that are found by their configuration too; of two for the same purpose the first wins. */
const TOOLS: readonly Tool[] = [
  {
    name: 'pytest',
    shown: 'pytest',
    tables: ['tool.pytest', 'tool.pytest.ini_options'],
    files: ['pytest.ini', 'conftest.py'],
    commands: { testCommand: 'pytest' },
  },
  { name: 'tox', shown: 'tox', tables: ['tool.tox'], files: ['tox.ini'], commands: { testCommand: 'tox' } },
  { name: 'nox', shown: 'nox', tables: [], files: ['noxfile.py'], commands: { testCommand: 'nox' } },
  {
    name: 'ruff',
    shown: 'Ruff',
    tables: ['tool.ruff'],
    files: ['ruff.toml', '.ruff.toml'],
    commands: { lintCommand: 'ruff check' },
  },
  { name: 'flake8', shown: 'Flake8', tables: [], files: ['.flake8'], commands: { lintCommand: 'flake8' } },
  {
    name: 'pylint',
    shown: 'Pylint',
    tables: ['tool.pylint'],
    files: ['.pylintrc'],
    commands: { lintCommand: 'pylint' },
  },
  {
    name: 'mypy',
    shown: 'mypy',
    tables: ['tool.mypy'],
    files: ['mypy.ini'],
    commands: { lintCommand: 'mypy .' },
  },
  {
    name: 'pyright',
    shown: 'Pyright',
    tables: ['tool.pyright', 'tool.basedpyright'],
    files: ['pyrightconfig.json'],
    commands: { lintCommand: 'pyright' },
  },
  {
    name: 'black',
    shown: 'Black',
    tables: ['tool.black'],
    files: [],
    commands: { formatCommand: 'black .' },
    formatter: 'black',
  },
  {
    name: 'yapf',
    shown: 'YAPF',
    tables: ['tool.yapf'],
    files: ['.style.yapf'],
    commands: {},
    formatter: 'yapf',
  },
];

function* tools(place: Place, manifests: PythonManifests, runner: string): Generator<Clue> {
  const found = TOOLS.flatMap((tool) => {
    const file = toolEvidence(place, manifests, tool);
    return file === undefined ? [] : [{ tool, file }];
  });
  for (const { tool, file } of found) {
    yield { fact: 'tool', value: tool.shown, file };
    // tox and nox make environments of their own.
    const prefix = /^(tox|nox)$/.test(tool.name) ? '' : runner;
    for (const fact of COMMAND_FACTS) {
      const command = tool.commands[fact];
      if (command !== undefined) yield { fact, value: prefix + command, file };
    }
    if (tool.formatter !== undefined) yield { fact: 'formatter', value: tool.formatter, file };
  }
  const ruff = found.find(({ tool }) => tool.name === 'ruff');
  if (ruff && !found.some(({ tool }) => tool.formatter !== undefined)) {
    yield { fact: 'formatCommand', value: `${runner}ruff format`, file: ruff.file };
    yield { fact: 'formatter', value: 'ruff', file: ruff.file };
  }
  if (place.has('manage.py')) {
    yield { fact: 'framework', value: 'Django', file: 'manage.py' };
    yield {
      fact: 'testCommand',
      value: `${runner}python manage.py test`,
      file: 'manage.py',
      strength: 'usual',
    };
  }
  if (manifests.pyproject?.has('build-system')) {
    const builder = /^(uv|poetry|pdm|hatch) run $/.exec(runner)?.[1];
    const value = builder === undefined ? 'python -m build' : `${builder} build`;
    yield { fact: 'buildCommand', value, file: 'pyproject.toml', strength: 'usual' };
  }
}

function toolEvidence(place: Place, manifests: PythonManifests, tool: Tool): string | undefined {
  const configured = place.first(tool.files);
  if (configured !== undefined) return configured;
  if (tool.tables.some((table) => manifests.pyproject?.has(table))) return 'pyproject.toml';
  if (tool.name === 'pytest' && /^\[tool:pytest\]/m.test(place.read('setup.cfg') ?? '')) return 'setup.cfg';
  return manifests.dependencies.get(tool.name);
}

/** What Python packages say about a project; names in lower case, with `-`. */
const PYTHON_DEPENDENCIES: DependencyTable = {
  frameworks: {
    Django: ['django'],
    FastAPI: ['fastapi', 'fastapi-slim'],
    Flask: ['flask'],
    Starlette: ['starlette'],
    Litestar: ['litestar'],
    aiohttp: ['aiohttp'],
    Tornado: ['tornado'],
    Sanic: ['sanic'],
    Streamlit: ['streamlit'],
    Gradio: ['gradio'],
    PyTorch: ['torch', 'pytorch-lightning', 'lightning'],
    TensorFlow: ['tensorflow'],
    JAX: ['jax'],
    'scikit-learn': ['scikit-learn'],
    pandas: ['pandas'],
    Transformers: ['transformers'],
    LangChain: ['langchain', 'langchain-core'],
    Scrapy: ['scrapy'],
    Airflow: ['apache-airflow'],
    Click: ['click'],
    Typer: ['typer'],
    Pydantic: ['pydantic'],
  },
  tools: {
    pytest: ['pytest'],
    Hypothesis: ['hypothesis'],
    tox: ['tox'],
    nox: ['nox'],
    Ruff: ['ruff'],
    Black: ['black'],
    isort: ['isort'],
    Flake8: ['flake8'],
    Pylint: ['pylint'],
    mypy: ['mypy'],
    Pyright: ['pyright', 'basedpyright'],
    SQLAlchemy: ['sqlalchemy'],
    Alembic: ['alembic'],
    Celery: ['celery'],
    Redis: ['redis'],
    PostgreSQL: ['psycopg', 'psycopg2', 'psycopg2-binary', 'asyncpg'],
    Jupyter: ['jupyter', 'jupyterlab', 'notebook', 'ipykernel'],
    Sphinx: ['sphinx'],
    MkDocs: ['mkdocs', 'mkdocs-material'],
  },
};
