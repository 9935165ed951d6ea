import { COMMAND_FACTS, type CommandFact, findScript, scriptCommand } from '../../facts/commands/command-table.ts';
import {
  type DependencyTable,
  type Detector,
  type Finding,
  findDependencies,
  findScripts,
  toFindings,
} from '../detector.ts';
import { type Manifest, objectAt, readJson, stringAt } from '../manifest.ts';
import type { ProjectFolder } from '../project-files.ts';

const TYPESCRIPT = ['ts', 'tsx', 'mts', 'cts'];
const JAVASCRIPT = ['js', 'jsx', 'mjs', 'cjs'];
const MANIFEST = 'package.json';

/** JavaScript and TypeScript with npm, pnpm, yarn or bun. */
export const NODE: Detector = {
  id: 'node',
  extensions: [...TYPESCRIPT, ...JAVASCRIPT, 'vue', 'svelte', 'astro'],
  *detect(folder) {
    if (!folder.has(MANIFEST)) return;
    const manifest = readJson(folder.read(MANIFEST));
    if (!manifest) return;
    const dependencies = dependencyNames(manifest);
    yield* languages(folder, dependencies);
    yield* findDependencies(dependencies, NODE_DEPENDENCIES, MANIFEST);
    const manager = nodeManager(folder, manifest);
    yield manager;
    if (manager.value === 'bun') yield { fact: 'tool', value: 'Bun', file: manager.file };
    yield* scripts(folder, manifest, manager.value);
    yield* toolCommands(folder, dependencies, manager.value);
    yield* formatters(folder, dependencies, manifest);
  },
  *conventions(folder) {
    yield* importStyle(folder, readJson(folder.read(MANIFEST)) ?? {});
  },
};

function dependencyNames(manifest: Manifest): ReadonlySet<string> {
  const groups = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
  return new Set(groups.flatMap((group) => Object.keys(objectAt(manifest, group))));
}

function* languages(folder: ProjectFolder, dependencies: ReadonlySet<string>): Generator<Finding> {
  const typed = folder.countSources(TYPESCRIPT);
  const plain = folder.countSources(JAVASCRIPT);
  const configured = folder.files.find((name) => /^tsconfig(\..+)?\.json$/.test(name));
  const isTyped = configured !== undefined || dependencies.has('typescript') || typed > 0;
  if (isTyped) yield { fact: 'language', value: 'TypeScript', file: configured ?? MANIFEST };
  // A few configuration files do not make JavaScript a language of the project.
  if (!isTyped || (plain >= 5 && plain * 4 >= typed)) yield { fact: 'language', value: 'JavaScript', file: MANIFEST };
}

function* scripts(folder: ProjectFolder, manifest: Manifest, manager: string): Generator<Finding> {
  const own = usableScripts(manifest);
  const members = isWorkspace(folder, manifest) ? memberScripts(folder) : [];
  for (const fact of COMMAND_FACTS) {
    const script = findScript(Object.keys(own), fact);
    if (script !== undefined) {
      // A script that only calls Bun's test runner is called directly.
      const isBunTest = manager === 'bun' && /^bun test\b/.test(own[script] ?? '');
      const value = isBunTest ? 'bun test' : scriptCommand(manager, script);
      yield { fact, value, file: MANIFEST, source: 'declared' };
      continue;
    }
    const inner = findScript(members, fact);
    if (inner !== undefined) yield { fact, value: inMembers(manager, inner), file: MANIFEST, source: 'declared' };
  }
}

/** The scripts of a manifest, without the placeholder of `npm init`. */
function usableScripts(manifest: Manifest): Readonly<Record<string, string>> {
  const entries = Object.entries(objectAt(manifest, 'scripts'));
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => {
      return typeof entry[1] === 'string' && !/no test specified/i.test(entry[1]) && entry[1].trim() !== '';
    }),
  );
}

function isWorkspace(folder: ProjectFolder, manifest: Manifest): boolean {
  return manifest.workspaces !== undefined || folder.has('pnpm-workspace.yaml') || folder.has('lerna.json');
}

function memberScripts(folder: ProjectFolder): readonly string[] {
  const members = folder.descendants.filter((inner) => inner !== folder && inner.has(MANIFEST)).slice(0, 50);
  return members.flatMap((inner) => Object.keys(usableScripts(readJson(inner.read(MANIFEST)) ?? {})));
}

function inMembers(manager: string, script: string): string {
  if (manager === 'pnpm') return `pnpm -r run ${script}`;
  if (manager === 'yarn') return `yarn workspaces foreach -A run ${script}`;
  if (manager === 'bun') return `bun run --filter '*' ${script}`;
  return `npm run ${script} --workspaces --if-present`;
}

/** Commands of tools that are dependencies but that no script calls. */
const TOOL_COMMANDS: readonly (readonly [dependency: string, CommandFact, command: string])[] = [
  ['vitest', 'testCommand', 'vitest run'],
  ['jest', 'testCommand', 'jest'],
  ['mocha', 'testCommand', 'mocha'],
  ['ava', 'testCommand', 'ava'],
  ['next', 'buildCommand', 'next build'],
  ['vite', 'buildCommand', 'vite build'],
  ['tsup', 'buildCommand', 'tsup'],
  ['@biomejs/biome', 'lintCommand', 'biome check .'],
  ['eslint', 'lintCommand', 'eslint .'],
  ['oxlint', 'lintCommand', 'oxlint'],
  ['@biomejs/biome', 'formatCommand', 'biome check --write .'],
  ['prettier', 'formatCommand', 'prettier --write .'],
];
const RUNS_TOOLS: Readonly<Record<string, string>> = {
  bun: 'bunx',
  pnpm: 'pnpm exec',
  yarn: 'yarn',
  npm: 'npx',
};

function* toolCommands(folder: ProjectFolder, dependencies: ReadonlySet<string>, manager: string): Generator<Finding> {
  const runner = RUNS_TOOLS[manager] ?? 'npx';
  for (const [dependency, fact, command] of TOOL_COMMANDS) {
    if (dependencies.has(dependency)) yield { fact, value: `${runner} ${command}`, file: MANIFEST };
  }
  if (folder.has('turbo.json')) yield* turboTasks(folder, runner);
  if (folder.has('nx.json')) {
    for (const [fact, target] of [
      ['testCommand', 'test'],
      ['buildCommand', 'build'],
      ['lintCommand', 'lint'],
    ] as const) {
      yield { fact, value: `${runner} nx run-many -t ${target}`, file: 'nx.json', source: 'default' };
    }
  }
  const testsOfBun =
    manager === 'bun' && folder.descendants.some((inner) => inner.files.some((name) => /\.test\.[jt]sx?$/.test(name)));
  if (testsOfBun) yield { fact: 'testCommand', value: 'bun test', file: MANIFEST, source: 'default' };
}

function* turboTasks(folder: ProjectFolder, runner: string): Generator<Finding> {
  const settings = readJson(folder.read('turbo.json')) ?? {};
  const tasks = Object.keys({ ...objectAt(settings, 'pipeline'), ...objectAt(settings, 'tasks') });
  yield* findScripts(tasks, 'turbo.json', (task) => `${runner} turbo run ${task}`, 'configured');
}

const FORMATTERS: readonly {
  readonly name: string;
  readonly dependency: string;
  readonly settings: RegExp;
}[] = [
  { name: 'biome', dependency: '@biomejs/biome', settings: /^biome\.jsonc?$/ },
  { name: 'prettier', dependency: 'prettier', settings: /^(\.prettierrc(\..+)?|prettier\.config\..+)$/ },
  { name: 'dprint', dependency: 'dprint', settings: /^\.?dprint\.jsonc?$/ },
  { name: 'oxfmt', dependency: 'oxfmt', settings: /^\.oxfmtrc\.jsonc?$/ },
];

function* formatters(folder: ProjectFolder, dependencies: ReadonlySet<string>, manifest: Manifest): Generator<Finding> {
  for (const { name, dependency, settings } of FORMATTERS) {
    const file = folder.files.find((candidate) => settings.test(candidate));
    if (file !== undefined) yield { fact: 'formatter', value: name, file, source: 'declared' };
    else if (dependencies.has(dependency)) yield { fact: 'formatter', value: name, file: MANIFEST };
    else if (name === 'prettier' && Object.hasOwn(manifest, 'prettier')) {
      yield { fact: 'formatter', value: name, file: MANIFEST, source: 'declared' };
    }
  }
}

/** Number of sources to read when the manifest does not declare the module system. */
const SAMPLES = 4;

function* importStyle(folder: ProjectFolder, manifest: Manifest): Generator<Finding> {
  const type = stringAt(manifest, 'type');
  if (type === 'module') {
    yield { fact: 'importStyle', value: 'ES modules', file: MANIFEST, source: 'declared' };
    return;
  }
  const votes = { 'ES modules': 0, CommonJS: 0 };
  const samples = sampleSources(folder);
  for (const path of samples) {
    const text = folder.read(path) ?? '';
    if (/^(import\b.*(['"]|\{$)|export\b)/m.test(text)) votes['ES modules']++;
    else if (/\brequire\(['"]|\bmodule\.exports\b|^exports\./m.test(text)) votes.CommonJS++;
  }
  const value = votes['ES modules'] >= votes.CommonJS ? 'ES modules' : 'CommonJS';
  if (votes[value] > 0) yield { fact: 'importStyle', value, file: samples[0] ?? MANIFEST };
  else if (type === 'commonjs') yield { fact: 'importStyle', value: 'CommonJS', file: MANIFEST };
}

const SOURCE = /\.[cm]?[jt]sx?$/;
const NO_SOURCE = /(\.config|rc|\.d)\.\w+$/;
const USUAL_FOLDER = /^(src|lib|app|server|packages|apps)?(\/|$)/;

/** Some source files in the usual folders, without configuration files. */
function sampleSources(folder: ProjectFolder): readonly string[] {
  const isSample = (path: string) =>
    USUAL_FOLDER.test(path.slice(0, Math.max(0, path.lastIndexOf('/')))) && SOURCE.test(path) && !NO_SOURCE.test(path);
  return [...folder.paths()].filter(isSample).slice(0, SAMPLES);
}

/** Package managers. Between equally good lock files the first one counts; npm, which is always installed, is last. */
const NODE_MANAGERS: readonly {
  readonly name: string;
  readonly locks: readonly string[];
  readonly settings: readonly string[];
}[] = [
  { name: 'bun', locks: ['bun.lock', 'bun.lockb'], settings: ['bunfig.toml'] },
  { name: 'pnpm', locks: ['pnpm-lock.yaml'], settings: ['pnpm-workspace.yaml', '.pnpmfile.cjs'] },
  { name: 'yarn', locks: ['yarn.lock'], settings: ['.yarnrc.yml', '.yarnrc'] },
  { name: 'npm', locks: ['package-lock.json', 'npm-shrinkwrap.json'], settings: [] },
];

/** A checkout writes all files at once; a lock file that is this much newer was written later. */
const CLEARLY_NEWER = 24 * 60 * 60 * 1000;

/**
 * The package manager: declared in the manifest, or by the lock file in this folder or a parent (of several, the one
 * whose manager has a settings file, or that is newer by a day, or the first). Default: npm.
 */
function nodeManager(folder: ProjectFolder, manifest: Manifest): Finding {
  const file = 'package.json';
  const declared = declaredManager(manifest);
  if (declared) return { fact: 'packageManager', value: declared, file, source: 'declared' };
  for (let holder: ProjectFolder | undefined = folder; holder; holder = holder.parent) {
    const found = lockedManager(holder);
    if (found) return { ...found, file: '../'.repeat(folder.depth - holder.depth) + found.file };
  }
  return { fact: 'packageManager', value: 'npm', file, source: 'default' };
}

function declaredManager(manifest: Manifest): string | undefined {
  const named =
    stringAt(manifest, 'packageManager') ??
    stringAt(manifest, 'devEngines', 'packageManager', 'name') ??
    /\bonly-allow (\w+)/.exec(stringAt(manifest, 'scripts', 'preinstall') ?? '')?.[1];
  const name = named?.split('@')[0];
  return NODE_MANAGERS.find((manager) => manager.name === name)?.name;
}

function lockedManager(folder: ProjectFolder): Finding | undefined {
  const locked = NODE_MANAGERS.flatMap((manager) => {
    const lock = folder.first(manager.locks);
    return lock === undefined ? [] : [{ manager, lock }];
  });
  const [first] = locked;
  if (!first) {
    const set = NODE_MANAGERS.find((manager) => folder.first(manager.settings) !== undefined);
    const file = set && folder.first(set.settings);
    return set && file !== undefined ? { fact: 'packageManager', value: set.name, file } : undefined;
  }
  const finding = { fact: 'packageManager', value: first.manager.name, file: first.lock } as const;
  if (locked.length === 1) return finding;
  const set = locked.find(({ manager }) => folder.first(manager.settings) !== undefined);
  if (set) return { ...finding, value: set.manager.name, file: set.lock };
  const byAge = locked
    .map(({ manager, lock }) => ({ manager, lock, at: folder.modified(lock) ?? 0 }))
    .sort((a, b) => b.at - a.at);
  const [newest, second] = byAge;
  const chosen = newest && second && newest.at - second.at > CLEARLY_NEWER ? newest : first;
  return { ...finding, value: chosen.manager.name, file: chosen.lock, source: 'default' };
}

/** Frameworks and tools by npm package. */
const NODE_DEPENDENCIES: DependencyTable = {
  frameworks:
    'Next.js: next; Nuxt: nuxt nuxt3; Remix: @remix-run/*; React Router: @react-router/dev; ' +
    'Gatsby: gatsby; Astro: astro; SvelteKit: @sveltejs/kit; Expo: expo; React Native: react-native; ' +
    'React: react; Preact: preact; Vue: vue; Svelte: svelte; Solid: solid-js; Lit: lit; ' +
    'Angular: @angular/core; Ember: ember-source; NestJS: @nestjs/core; Express: express; ' +
    'Fastify: fastify; Koa: koa; Hono: hono; Elysia: elysia; AdonisJS: @adonisjs/core; ' +
    'tRPC: @trpc/server; Electron: electron; Tauri: @tauri-apps/api @tauri-apps/cli; Ink: ink; ' +
    'Tailwind CSS: tailwindcss',
  tools:
    'Vite: vite; webpack: webpack; Rollup: rollup; Rolldown: rolldown; esbuild: esbuild; tsup: tsup; ' +
    'Parcel: parcel; Vitest: vitest; Jest: jest ts-jest @jest/core; Mocha: mocha; AVA: ava; ' +
    'Playwright: @playwright/test playwright playwright-core; Cypress: cypress; Storybook: storybook; ' +
    'ESLint: eslint; Biome: @biomejs/biome; oxlint: oxlint; Prettier: prettier; Turborepo: turbo; ' +
    'Nx: nx; Lerna: lerna; Changesets: @changesets/cli; Prisma: prisma @prisma/client; ' +
    'Drizzle: drizzle-orm; TypeORM: typeorm; Redis: ioredis redis; PostgreSQL: pg postgres; ' +
    'MongoDB: mongodb mongoose; SQLite: better-sqlite3 sqlite3',
};

/** Deno. A package.json beside deno.json is common; then sources count for both and Deno, listed first, wins. */
export const DENO: Detector = {
  id: 'deno',
  extensions: ['ts', 'tsx', 'js', 'jsx', 'mts', 'mjs'],
  *detect(folder) {
    const file = folder.first(['deno.json', 'deno.jsonc']);
    const manifest = file === undefined ? undefined : readJson(folder.read(file));
    if (file === undefined || !manifest) return;
    yield* toFindings(file, { language: 'TypeScript', tool: 'Deno' });
    const imports = Object.entries(objectAt(manifest, 'imports'));
    const fresh = imports.some(([name, target]) => /(^|[@/])fresh\b/.test(`${name} ${String(target)}`));
    if (fresh) yield { fact: 'framework', value: 'Fresh', file };
    const packages = imports.map(
      ([, target]) => /^(?:npm|jsr):\/?((?:@[^/]+\/)?[^@/]+)/.exec(String(target))?.[1] ?? '',
    );
    yield* findDependencies(new Set(packages), NODE_DEPENDENCIES, file);
    yield { fact: 'packageManager', value: 'deno', file };
    const tasks = Object.keys(objectAt(manifest, 'tasks'));
    yield* findScripts(tasks, file, (task) => scriptCommand('deno', task));
    yield* toFindings(
      file,
      {
        testCommand: 'deno test',
        lintCommand: 'deno lint',
        formatCommand: 'deno fmt',
        formatter: 'deno fmt',
      },
      'default',
    );
    yield { fact: 'importStyle', value: 'ES modules', file };
  },
};
