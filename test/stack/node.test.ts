import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { detectStack } from '../../src/stack/detect-stack.ts';
import { projectFiles } from '../../src/stack/project-files.ts';
import { projectFolder, stackOf } from './project-folder.ts';

describe('Node.js package', () => {
  it('detects languages, frameworks, tools, commands and conventions', () => {
    const stack = stackOf({
      'package.json': {
        type: 'module',
        scripts: { test: 'vitest run', build: 'vite build', lint: 'eslint .', format: 'prettier --write .' },
        dependencies: { react: '^19.0.0' },
        devDependencies: { vite: '7', vitest: '4', eslint: '9', prettier: '3', typescript: '5' },
      },
      'pnpm-lock.yaml': '',
      'tsconfig.json': '{}',
      '.prettierrc': '{}',
      'src/app.tsx': 'export {};',
      'src/app.test.tsx': '',
      'src/sum.test.ts': '',
      'src/product.test.ts': '',
    });
    expect(stack.techStack).toEqual({
      languages: ['TypeScript'],
      frameworks: ['React'],
      tools: ['Vite', 'Vitest', 'ESLint', 'Prettier'],
    });
    expect(stack.commands).toEqual({
      testCommand: 'pnpm test',
      buildCommand: 'pnpm run build',
      lintCommand: 'pnpm run lint',
      formatCommand: 'pnpm run format',
      packageManager: 'pnpm',
    });
    expect(stack.conventions).toEqual({
      testPattern: '*.test.ts',
      importStyle: 'ES modules',
      formatter: 'prettier',
    });
    expect(stack.evidence).toContainEqual({ fact: 'packageManager', value: 'pnpm', file: 'pnpm-lock.yaml' });
    expect(stack.evidence).toContainEqual({ fact: 'formatter', value: 'prettier', file: '.prettierrc' });
    expect(stack.evidence).toContainEqual({ fact: 'framework', value: 'React', file: 'package.json' });
  });

  it('runs scripts with the package manager', () => {
    const scripts = { test: 'vitest run', build: 'tsc' };
    const commands = (lock: string) => {
      const { testCommand, buildCommand } = stackOf({ 'package.json': { scripts }, [lock]: '' }).commands;
      return [testCommand, buildCommand];
    };
    expect(commands('package-lock.json')).toEqual(['npm test', 'npm run build']);
    expect(commands('yarn.lock')).toEqual(['yarn test', 'yarn build']);
    expect(commands('bun.lock')).toEqual(['bun run test', 'bun run build']);
  });

  it('uses `bun test` if the script is just that, or if there are tests and no script', () => {
    const lock = { 'bun.lockb': '' };
    expect(stackOf({ ...lock, 'package.json': { scripts: { test: 'bun test' } } }).commands.testCommand).toBe(
      'bun test',
    );
    expect(stackOf({ ...lock, 'package.json': {}, 'src/a.test.ts': '' }).commands.testCommand).toBe('bun test');
    expect(stackOf({ ...lock, 'package.json': {} }).commands.testCommand).toBeUndefined();
  });

  it('ignores the test script that npm writes into new packages', () => {
    const scripts = { test: 'echo "Error: no test specified" && exit 1' };
    expect(stackOf({ 'package.json': { scripts } }).commands.testCommand).toBeUndefined();
    const withJest = { 'package.json': { scripts, devDependencies: { jest: '30' } } };
    expect(stackOf(withJest).commands.testCommand).toBe('npx jest');
  });

  it('detects CommonJS or ES modules by the sources if the manifest does not declare it', () => {
    const manifest = { 'package.json': {} };
    expect(stackOf({ ...manifest, 'lib/a.js': "const b = require('./b');" }).conventions.importStyle).toBe('CommonJS');
    expect(stackOf({ ...manifest, 'lib/a.ts': "import b from './b';" }).conventions.importStyle).toBe('ES modules');
    expect(stackOf(manifest).conventions.importStyle).toBeUndefined();
  });
});

describe('two lock files', () => {
  const manifest = { 'package.json': { scripts: { test: 'jest' } } };
  const locks = { 'package-lock.json': '{}', 'yarn.lock': '' };

  it('are decided by the packageManager field', () => {
    const declared = { 'package.json': { packageManager: 'npm@11.0.0' }, ...locks, 'pnpm-lock.yaml': '' };
    expect(stackOf(declared).commands.packageManager).toBe('npm');
  });

  it('are decided by the settings file of a package manager', () => {
    const settled = { ...manifest, ...locks, 'pnpm-lock.yaml': '', '.yarnrc.yml': '' };
    expect(stackOf(settled).commands.packageManager).toBe('yarn');
  });

  it('are decided by the install command of continuous integration', () => {
    const workflow = 'jobs:\n  test:\n    steps:\n      - run: npm ci\n';
    const integrated = { ...manifest, ...locks, '.github/workflows/ci.yml': workflow };
    expect(stackOf(integrated).commands.packageManager).toBe('npm');
  });

  it('are decided by age if one is newer by more than a day, or else by precedence', () => {
    const root = projectFolder({ ...manifest, ...locks });
    expect(detectStack(projectFiles(root)).commands.packageManager).toBe('yarn');
    const old = new Date(Date.now() - 30 * 24 * 3_600_000);
    utimesSync(join(root, 'yarn.lock'), old, old);
    expect(detectStack(projectFiles(root)).commands.packageManager).toBe('npm');
  });
});

describe('a monorepo', () => {
  it('collects frameworks of all packages and keeps the commands of the root', () => {
    const stack = stackOf({
      'package.json': { private: true, scripts: { test: 'turbo run test', build: 'turbo run build' } },
      'pnpm-workspace.yaml': 'packages:\n  - apps/*\n  - packages/*\n',
      'pnpm-lock.yaml': '',
      'turbo.json': { tasks: { test: {}, build: {} } },
      'apps/web/package.json': { dependencies: { next: '15', react: '19' }, scripts: { test: 'vitest' } },
      'apps/api/package.json': { dependencies: { hono: '4' } },
      'packages/ui/package.json': { devDependencies: { storybook: '9' } },
      'packages/ui/node_modules/vue/package.json': { dependencies: { vue: '3' } },
    });
    expect(stack.techStack.frameworks).toEqual(['Next.js', 'React', 'Hono']);
    expect(stack.techStack.tools).toEqual(['Storybook', 'Turborepo']);
    expect(stack.commands).toEqual({
      testCommand: 'pnpm test',
      buildCommand: 'pnpm run build',
      packageManager: 'pnpm',
    });
  });

  it('runs the scripts of its members if the root has none', () => {
    const members = { 'packages/a/package.json': { scripts: { test: 'jest' } } };
    const root = { 'package.json': { workspaces: ['packages/*'] } };
    expect(stackOf({ ...root, ...members }).commands.testCommand).toBe('npm run test --workspaces --if-present');
    expect(stackOf({ ...root, ...members, 'pnpm-lock.yaml': '' }).commands.testCommand).toBe('pnpm -r run test');
  });

  it('uses the tasks of turbo or nx if no script calls them', () => {
    const turbo = { 'package.json': {}, 'turbo.json': '{ "tasks": { "test": {}, } /* more */ }' };
    expect(stackOf(turbo).commands.testCommand).toBe('npx turbo run test');
    expect(stackOf({ 'package.json': {}, 'nx.json': {} }).commands.buildCommand).toBe('npx nx run-many -t build');
  });
});

describe('Deno', () => {
  it('detects its tasks, with default commands for the rest', () => {
    const stack = stackOf({
      'deno.jsonc': '{ // comment\n "tasks": { "test": "deno test -A" }, "imports": { "hono": "npm:hono@4" }, }',
      'main.ts': '',
      'main_test.ts': '',
    });
    expect(stack.techStack).toEqual({ languages: ['TypeScript'], frameworks: ['Hono'], tools: ['Deno'] });
    expect(stack.commands).toEqual({
      testCommand: 'deno task test',
      lintCommand: 'deno lint',
      formatCommand: 'deno fmt',
      packageManager: 'deno',
    });
    expect(stack.conventions.testPattern).toBe('*_test.ts');
  });
});
