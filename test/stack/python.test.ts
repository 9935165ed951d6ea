import { describe, expect, it } from 'vitest';
import { stackOf } from './project-folder.ts';

describe('a Python project', () => {
  it('with uv runs its tools through uv', () => {
    const stack = stackOf({
      'pyproject.toml': `
[project]
name = "service"
dependencies = [
  "fastapi[standard]>=0.110",  # the web
  'SQLAlchemy ~= 2.0',
]
[dependency-groups]
dev = ["pytest>=8", "ruff", {include-group = "lint"}]
[tool.ruff]
line-length = 100
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
`,
      'uv.lock': '',
      'src/service/main.py': '',
      'tests/test_main.py': '',
    });
    expect(stack.techStack).toEqual({
      languages: ['Python'],
      frameworks: ['FastAPI'],
      tools: ['pytest', 'Ruff', 'SQLAlchemy'],
    });
    expect(stack.commands).toEqual({
      testCommand: 'uv run pytest',
      buildCommand: 'uv build',
      lintCommand: 'uv run ruff check',
      formatCommand: 'uv run ruff format',
      packageManager: 'uv',
    });
    expect(stack.conventions).toEqual({ testPattern: 'test_*.py', formatter: 'ruff' });
  });

  it('with poetry reads dependency groups', () => {
    const stack = stackOf({
      'pyproject.toml': `
[tool.poetry.dependencies]
python = "^3.12"
django = { version = "^5.0", extras = ["argon2"] }
[tool.poetry.group.dev.dependencies]
black = "*"
[tool.pytest.ini_options]
addopts = "-q"
`,
      'poetry.lock': '',
    });
    expect(stack.techStack.frameworks).toEqual(['Django']);
    expect(stack.commands.testCommand).toBe('poetry run pytest');
    expect(stack.commands.formatCommand).toBe('poetry run black .');
    expect(stack.conventions.formatter).toBe('black');
  });

  it('with pdm or hatch uses their scripts', () => {
    const pdm = '[tool.pdm.scripts]\ntest = "pytest -q"\n[tool.pdm.dev-dependencies]\ntest = ["pytest"]\n';
    expect(stackOf({ 'pyproject.toml': pdm, 'pdm.lock': '' }).commands).toMatchObject({
      testCommand: 'pdm run test',
      packageManager: 'pdm',
    });
    const hatch =
      '[tool.hatch.envs.default]\ndependencies = ["pytest"]\n[tool.hatch.envs.default.scripts]\ntest = "pytest"\n';
    expect(stackOf({ 'pyproject.toml': hatch }).commands).toMatchObject({
      testCommand: 'hatch run test',
      packageManager: 'hatch',
    });
  });

  it('with requirements files uses pip', () => {
    const stack = stackOf({
      'requirements.txt': '-r base.txt\n# web\nFlask==3.0.0\ngit+https://example.org/x.git\n',
      'requirements-dev.txt': 'pytest\nmypy>=1\n',
    });
    expect(stack.techStack).toEqual({
      languages: ['Python'],
      frameworks: ['Flask'],
      tools: ['pytest', 'mypy'],
    });
    expect(stack.commands).toEqual({ testCommand: 'pytest', lintCommand: 'mypy .', packageManager: 'pip' });
    expect(stack.evidence).toContainEqual({ fact: 'tool', value: 'pytest', file: 'requirements-dev.txt' });
  });

  it('with a Pipfile, conda or setuptools is detected', () => {
    const pipfile = '[packages]\nflask = "*"\n[dev-packages]\npytest = "*"\n';
    expect(stackOf({ Pipfile: pipfile }).commands).toMatchObject({
      testCommand: 'pipenv run pytest',
      packageManager: 'pipenv',
    });
    const conda = 'name: x\ndependencies:\n  - python=3.12\n  - pandas\n  - pip:\n    - torch>=2\n';
    const withConda = stackOf({ 'environment.yml': conda });
    expect(withConda.commands.packageManager).toBe('conda');
    expect(withConda.techStack.frameworks).toEqual(['PyTorch', 'pandas']);
    const setup = "setup(install_requires=['click>=8'], extras_require={'dev': ['tox']})";
    const withSetup = stackOf({ 'setup.py': setup, 'tox.ini': '' });
    expect(withSetup.techStack.frameworks).toEqual(['Click']);
    expect(withSetup.commands.testCommand).toBe('tox');
  });

  it('with two lock files uses the one with settings in pyproject.toml', () => {
    const files = { 'uv.lock': '', 'poetry.lock': '' };
    expect(stackOf({ ...files, 'pyproject.toml': '[tool.poetry]\nname = "a"' }).commands.packageManager).toBe('poetry');
    expect(stackOf({ ...files, 'pyproject.toml': '[project]\nname = "a"' }).commands.packageManager).toBe('uv');
  });

  it('with Django and without pytest is tested by manage.py', () => {
    const stack = stackOf({ 'manage.py': '', 'requirements.txt': 'django\n' });
    expect(stack.commands.testCommand).toBe('python manage.py test');
  });
});
