import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectStack } from '../../src/stack/detect-stack.ts';
import { type ProjectFiles, projectFiles } from '../../src/stack/project-files.ts';
import { projectFolder, stackOf } from './project-folder.ts';

const NOTHING = {
  techStack: { languages: [], frameworks: [], tools: [] },
  commands: {},
  conventions: {},
  beforeCommit: [],
  stated: [],
  evidence: [],
};

describe('several ecosystems in one project', () => {
  const frontend = {
    'frontend/package.json': { scripts: { test: 'vitest run' }, dependencies: { react: '19' } },
    'frontend/bun.lock': '',
    'frontend/tsconfig.json': '{}',
    'frontend/src/app.tsx': '',
  };
  const backend = {
    'backend/pyproject.toml': '[project]\ndependencies = ["fastapi", "pytest"]\n',
    'backend/uv.lock': '',
    'backend/app/main.py': '',
    'backend/app/routes.py': '',
    'backend/tests/test_main.py': '',
  };

  it('are all reported, with the commands of the one with more sources', () => {
    const stack = stackOf({ ...frontend, ...backend });
    expect(stack.techStack).toEqual({
      languages: ['Python', 'TypeScript'],
      frameworks: ['FastAPI', 'React'],
      tools: ['pytest', 'Bun'],
    });
    expect(stack.commands.testCommand).toBe('cd backend && uv run pytest');
    expect(stack.commands.packageManager).toBe('uv');
    expect(stack.evidence).toContainEqual({ fact: 'packageManager', value: 'uv', file: 'backend/uv.lock' });
  });

  it('use the commands of the one in the root if it has any', () => {
    const root = { 'package.json': { scripts: { test: 'npm --prefix frontend test' } } };
    expect(stackOf({ ...frontend, ...backend, ...root }).commands.testCommand).toBe('npm test');
    const onlyHooks = { 'package.json': { devDependencies: { husky: '9' } } };
    expect(stackOf({ ...frontend, ...backend, ...onlyHooks }).commands.testCommand).toBe('cd backend && uv run pytest');
  });

  it('share the targets of a task runner in the root', () => {
    const makefile = { Makefile: 'test:\n\tcd frontend && bun test\n\tcd backend && pytest\n' };
    expect(stackOf({ ...frontend, ...backend, ...makefile }).commands.testCommand).toBe('make test');
  });

  it('in the same folder are ranked by their sources', () => {
    const manifests = {
      'Cargo.toml': '[package]\nname = "x"\n',
      'package.json': { scripts: { test: 'jest' } },
    };
    expect(stackOf({ ...manifests, 'src/a.rs': '', 'src/b.rs': '', 'x.js': '' }).commands.testCommand).toBe(
      'cargo test',
    );
    expect(stackOf({ ...manifests, 'src/a.rs': '', 'x.js': '', 'y.js': '' }).commands.testCommand).toBe('npm test');
  });
});

describe('a project without manifests', () => {
  it('has no stack if it is empty or missing', () => {
    expect(stackOf({})).toEqual(NOTHING);
    expect(detectStack(projectFiles(join(projectFolder({}), 'missing')))).toEqual(NOTHING);
  });

  it('has the languages of its sources, the largest first, without stray ones', () => {
    const scripts = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [`${name}.py`, '']));
    const stack = stackOf({ ...scripts, 'g.sh': '', 'h.lua': '', 'i.lua': '' });
    expect(stack.techStack.languages).toEqual(['Python', 'Lua']);
    expect(stack.commands).toEqual({});
  });
});

describe('unusual files', () => {
  it('are ignored while the rest is still read', () => {
    const stack = stackOf({
      'package.json': '{ "scripts": { "test": ',
      'composer.json': '[]',
      'Cargo.toml': new Uint8Array([0xff, 0xfe, 0x00, 0x80]),
      'go.mod': 'module example.org/x\n',
    });
    expect(stack.techStack.languages).toEqual(['Go']);
    expect(stack.commands.testCommand).toBe('go test ./...');
  });

  it('are read around a conflict marker or an unclosed list', () => {
    const toml =
      '[project]\ndependencies = [\n  "flask",\n<<<<<<< HEAD\n[tool.ruff]\nline-length = 80\n[tool.pytest.ini_options]\n';
    const stack = stackOf({ 'pyproject.toml': toml });
    expect(stack.commands.lintCommand).toBe('ruff check');
    expect(stack.commands.testCommand).toBe('pytest');
  });

  it('are not read if they are huge', () => {
    const manifest = { scripts: { test: 'jest' }, filler: 'x'.repeat(300 * 1024) };
    expect(stackOf({ 'package.json': manifest }).commands).toEqual({});
  });

  it('are not read through links, from pipes, or if they are folders', () => {
    const outside = projectFolder({ 'package.json': { scripts: { test: 'jest' } } });
    const root = projectFolder({});
    symlinkSync(join(outside, 'package.json'), join(root, 'package.json'));
    symlinkSync(outside, join(root, 'linked'));
    symlinkSync(root, join(root, 'loop'));
    execFileSync('mkfifo', [join(root, 'Makefile'), join(root, 'go.mod')]);
    mkdirSync(join(root, 'Cargo.toml'));
    writeFileSync(join(root, 'Cargo.toml', 'x.toml'), '[package]');
    expect(detectStack(projectFiles(root))).toEqual(NOTHING);
  });

  it('of third parties and tests are ignored', () => {
    const manifest = { scripts: { test: 'jest' }, dependencies: { react: '19' } };
    const folders = ['node_modules/x', 'vendor/x', 'test/fixtures/x', 'examples/x', 'dist', '.cache/x', 'target'];
    expect(stackOf(Object.fromEntries(folders.map((folder) => [`${folder}/package.json`, manifest])))).toEqual(NOTHING);
  });

  it('are not read outside of the project', () => {
    const root = projectFolder({ 'a/b.txt': 'inside', 'secret.txt': 'outside' });
    const files = projectFiles(join(root, 'a'));
    expect(files.read('b.txt')).toBe('inside');
    expect(files.read('../secret.txt')).toBeUndefined();
    expect(files.read(join(root, 'secret.txt'))).toBeUndefined();
    expect(files.list('..')).toBeUndefined();
  });
});

const NAMES = [
  ...['package.json', 'deno.json', 'turbo.json', 'pnpm-workspace.yaml', 'pyproject.toml', 'requirements.txt'],
  ...['Pipfile', 'setup.py', 'setup.cfg', 'environment.yml', 'Cargo.toml', 'go.mod', 'go.work', 'pom.xml'],
  ...['build.gradle', 'build.gradle.kts', 'x.sln', 'x.csproj', 'Gemfile', 'Rakefile', 'x.gemspec', 'composer.json'],
  ...['CMakeLists.txt', 'meson.build', 'Makefile', 'conanfile.txt', 'vcpkg.json', 'mix.exs', 'Package.swift'],
  ...['justfile', 'Taskfile.yml', 'mise.toml', 'tasks.py', '.gitlab-ci.yml', 'lefthook.yml', 'nx.json', 'main.c'],
  ...['.pre-commit-config.yaml', '.husky/pre-commit', '.github/workflows/ci.yml', 'gradle/libs.versions.toml'],
];

/** Files in memory, without writing them. */
function filesOf(contents: ReadonlyMap<string, string>): ProjectFiles {
  return {
    read: (path) => contents.get(path),
    list: (folder) => {
      const start = folder === '' ? '' : `${folder}/`;
      const inner = [...contents.keys()]
        .filter((path) => path.startsWith(start))
        .map((path) => path.slice(start.length));
      const names = inner.map((path) => (path.includes('/') ? path.slice(0, path.indexOf('/') + 1) : path));
      return names.length === 0 ? undefined : [...new Set(names)].sort();
    },
  };
}

const PIECES = [
  ...['[', ']', '{', '}', '"', "'", '\\"', ':', '=', '-', '#', '\n', '\n  ', ',', ' ', '\t', '"""', '/*', '*/', '//'],
  ...['[project]\n', 'dependencies = [', '[tool.poetry]', '"scripts": {', '"test": "x"', 'jobs:\n  a:\n    steps:\n'],
  ...[
    '      - run: ',
    'npm test',
    '|\n',
    'gem "',
    'project(',
    'require (',
    '<artifactId>',
    'test:',
    '- - - ',
    '__proto__',
  ],
  ...['constructor', '"toString": {}', 'null', '\0', 'é', '\u2028', '&&', 'cd ..', '$(', '\r\n', '<PackageReference '],
];
const garbage = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((pieces) => pieces.join('')),
  fc.json(),
);

describe('garbage', () => {
  it('never makes detection throw, and gives a deterministic result', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...NAMES), garbage, { maxKeys: 12 }), (contents) => {
        const files = filesOf(new Map(Object.entries(contents)));
        const stack = detectStack(files);
        expect(detectStack(files)).toEqual(stack);
        expect(JSON.parse(JSON.stringify(stack))).toEqual(stack);
      }),
      { numRuns: 300 },
    );
  });

  it('takes linear time', () => {
    const hostile = [
      '[',
      '/*',
      '\\"',
      ' ',
      '"',
      'a = [\n',
      '- ',
      'a:\n',
      '[[',
      "'",
      'x ',
      'a.',
      '\t',
      '"\\',
      ',',
      '(',
      '<',
      'a = """\n',
      '\n',
      ' \n',
      '@task\n',
    ];
    for (const piece of hostile) {
      const content = piece.repeat(Math.floor((64 * 1024) / piece.length));
      // A quadratic parser takes minutes for one of these and fails by the time-out of the test.
      detectStack(filesOf(new Map(NAMES.map((name) => [name, content]))));
      detectStack(filesOf(new Map(NAMES.map((name) => [name, `{"a": [project]\nproject(gem ${content}`]))));
    }
  });
});
