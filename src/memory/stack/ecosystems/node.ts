import { COMMAND_FACTS } from '../command-table.ts';
import { type Clue, type Detector, knownDependencies } from '../detector.ts';
import { type JsonObject, objectAt, readJson, stringAt } from '../formats/json.ts';
import { type Place, under } from '../place.ts';
import type { CommandFact } from '../project-stack.ts';
import { findScript, scriptCommand } from '../script-command.ts';
import { NODE_DEPENDENCIES } from './node-dependencies.ts';

const TYPESCRIPT = ['ts', 'tsx', 'mts', 'cts'];
const JAVASCRIPT = ['js', 'jsx', 'mjs', 'cjs'];
const MANIFEST = 'package.json';

/** JavaScript and TypeScript with npm, pnpm, yarn or bun. */
export const NODE: Detector = {
  id: 'node',
  extensions: [...TYPESCRIPT, ...JAVASCRIPT, 'vue', 'svelte', 'astro'],
  *detect(place) {
    if (!place.has(MANIFEST)) return;
    const manifest = readJson(place.read(MANIFEST));
    if (!manifest) return;
    const dependencies = dependencyNames(manifest);
    yield* languages(place, dependencies);
    yield* knownDependencies(dependencies, NODE_DEPENDENCIES, MANIFEST);
    const manager = nodeManager(place, manifest);
    yield manager;
    if (manager.value === 'bun') yield { fact: 'tool', value: 'Bun', file: manager.file };
    yield* scripts(place, manifest, manager.value);
    yield* toolCommands(place, dependencies, manager.value);
    yield* formatters(place, dependencies, manifest);
  },
  *conventions(place) {
    yield* importStyle(place, readJson(place.read(MANIFEST)) ?? {});
  },
};

function dependencyNames(manifest: JsonObject): ReadonlySet<string> {
  const groups = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
  return new Set(groups.flatMap((group) => Object.keys(objectAt(manifest, group))));
}

function* languages(place: Place, dependencies: ReadonlySet<string>): Generator<Clue> {
  const typed = place.countSources(TYPESCRIPT);
  const plain = place.countSources(JAVASCRIPT);
  const configured = place.files.find((name) => /^tsconfig(\..+)?\.json$/.test(name));
  const isTyped = configured !== undefined || dependencies.has('typescript') || typed > 0;
  if (isTyped) yield { fact: 'language', value: 'TypeScript', file: configured ?? MANIFEST };
  // A few configuration files in JavaScript do not make it a language of the project.
  if (!isTyped || (plain >= 5 && plain * 4 >= typed))
    yield { fact: 'language', value: 'JavaScript', file: MANIFEST };
}

function* scripts(place: Place, manifest: JsonObject, manager: string): Generator<Clue> {
  const own = usableScripts(manifest);
  const members = isWorkspace(place, manifest) ? memberScripts(place) : [];
  for (const fact of COMMAND_FACTS) {
    const script = findScript(Object.keys(own), fact);
    if (script !== undefined) {
      const value = runsItself(manager, own[script] ?? '') ? 'bun test' : scriptCommand(manager, script);
      yield { fact, value, file: MANIFEST, strength: 'declared' };
      continue;
    }
    const inner = findScript(members, fact);
    if (inner !== undefined)
      yield { fact, value: inMembers(manager, inner), file: MANIFEST, strength: 'declared' };
  }
}

/** `bun test` is both bun's own runner and what people type for a script that only calls it. */
function runsItself(manager: string, script: string): boolean {
  return manager === 'bun' && /^bun test\b/.test(script);
}

/** Without the placeholder that `npm init` writes. */
function usableScripts(manifest: JsonObject): Readonly<Record<string, string>> {
  const entries = Object.entries(objectAt(manifest, 'scripts'));
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => {
      return typeof entry[1] === 'string' && !/no test specified/i.test(entry[1]) && entry[1].trim() !== '';
    }),
  );
}

function isWorkspace(place: Place, manifest: JsonObject): boolean {
  return manifest.workspaces !== undefined || place.has('pnpm-workspace.yaml') || place.has('lerna.json');
}

function memberScripts(place: Place): readonly string[] {
  const members = place.within.filter((inner) => inner !== place && inner.has(MANIFEST)).slice(0, 50);
  return members.flatMap((inner) => Object.keys(usableScripts(readJson(inner.read(MANIFEST)) ?? {})));
}

function inMembers(manager: string, script: string): string {
  if (manager === 'pnpm') return `pnpm -r run ${script}`;
  if (manager === 'yarn') return `yarn workspaces foreach -A run ${script}`;
  if (manager === 'bun') return `bun run --filter '*' ${script}`;
  return `npm run ${script} --workspaces --if-present`;
}

/** Commands of tools that are there although no script calls them. */
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

function* toolCommands(place: Place, dependencies: ReadonlySet<string>, manager: string): Generator<Clue> {
  const runner = RUNS_TOOLS[manager] ?? 'npx';
  for (const [dependency, fact, command] of TOOL_COMMANDS) {
    if (dependencies.has(dependency)) yield { fact, value: `${runner} ${command}`, file: MANIFEST };
  }
  if (place.has('turbo.json')) yield* turboTasks(place, runner);
  if (place.has('nx.json')) {
    for (const [fact, target] of [
      ['testCommand', 'test'],
      ['buildCommand', 'build'],
      ['lintCommand', 'lint'],
    ] as const) {
      yield { fact, value: `${runner} nx run-many -t ${target}`, file: 'nx.json', strength: 'usual' };
    }
  }
  const testsOfBun =
    manager === 'bun' &&
    place.within.some((inner) => inner.files.some((name) => /\.test\.[jt]sx?$/.test(name)));
  if (testsOfBun) yield { fact: 'testCommand', value: 'bun test', file: MANIFEST, strength: 'usual' };
}

function* turboTasks(place: Place, runner: string): Generator<Clue> {
  const settings = readJson(place.read('turbo.json')) ?? {};
  const tasks = Object.keys({ ...objectAt(settings, 'pipeline'), ...objectAt(settings, 'tasks') });
  for (const fact of COMMAND_FACTS) {
    const task = findScript(tasks, fact);
    if (task !== undefined) yield { fact, value: `${runner} turbo run ${task}`, file: 'turbo.json' };
  }
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

function* formatters(place: Place, dependencies: ReadonlySet<string>, manifest: JsonObject): Generator<Clue> {
  for (const { name, dependency, settings } of FORMATTERS) {
    const file = place.files.find((candidate) => settings.test(candidate));
    if (file !== undefined) yield { fact: 'formatter', value: name, file, strength: 'declared' };
    else if (dependencies.has(dependency)) yield { fact: 'formatter', value: name, file: MANIFEST };
    else if (name === 'prettier' && Object.hasOwn(manifest, 'prettier')) {
      yield { fact: 'formatter', value: name, file: MANIFEST, strength: 'declared' };
    }
  }
}

/** How many sources are looked at when the manifest does not say how modules are written. */
const SAMPLES = 4;

function* importStyle(place: Place, manifest: JsonObject): Generator<Clue> {
  const type = stringAt(manifest, 'type');
  if (type === 'module') {
    yield { fact: 'importStyle', value: 'ES modules', file: MANIFEST, strength: 'declared' };
    return;
  }
  const votes = { 'ES modules': 0, CommonJS: 0 };
  const samples = sampleSources(place);
  for (const path of samples) {
    const text = place.read(path) ?? '';
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

/** Some sources in the usual folders, relative to the place, without configuration files. */
function sampleSources(place: Place): readonly string[] {
  const start = place.folder === '' ? 0 : place.folder.length + 1;
  const paths: string[] = [];
  for (const inner of place.within) {
    const folder = inner.folder.slice(start);
    if (!USUAL_FOLDER.test(folder)) continue;
    for (const name of inner.files) {
      if (!SOURCE.test(name) || NO_SOURCE.test(name)) continue;
      paths.push(under(folder, name));
      if (paths.length === SAMPLES) return paths;
    }
  }
  return paths;
}

/** The package managers of Node.js, those that one has to choose before the one that is always there. */
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

/** Files of one checkout are written together; only a lock file this much newer was written by later work. */
const CLEARLY_NEWER = 24 * 60 * 60 * 1000;

/**
 * The package manager of a package: what its manifest declares, else the only lock file, else of several the
 * one whose manager also has a settings file, else one that is newer by a day, else by the order above. Looks
 * in the folders above too, where a workspace keeps its lock file. npm when nothing says otherwise.
 */
function nodeManager(place: Place, manifest: JsonObject): Clue {
  const file = 'package.json';
  const declared = declaredManager(manifest);
  if (declared) return { fact: 'packageManager', value: declared, file, strength: 'declared' };
  for (let holder: Place | undefined = place; holder; holder = holder.parent) {
    const found = lockedManager(holder);
    if (found) return { ...found, file: upwards(place, holder) + found.file };
  }
  return { fact: 'packageManager', value: 'npm', file, strength: 'usual' };
}

function declaredManager(manifest: JsonObject): string | undefined {
  const named =
    stringAt(manifest, 'packageManager') ??
    stringAt(objectAt(objectAt(manifest, 'devEngines'), 'packageManager'), 'name') ??
    /\bonly-allow (\w+)/.exec(stringAt(objectAt(manifest, 'scripts'), 'preinstall') ?? '')?.[1];
  const name = named?.split('@')[0];
  return NODE_MANAGERS.find((manager) => manager.name === name)?.name;
}

function lockedManager(place: Place): Clue | undefined {
  const locked = NODE_MANAGERS.flatMap((manager) => {
    const lock = place.first(manager.locks);
    return lock === undefined ? [] : [{ manager, lock }];
  });
  const [first] = locked;
  if (!first) {
    const set = NODE_MANAGERS.find((manager) => place.first(manager.settings) !== undefined);
    const file = set && place.first(set.settings);
    return set && file !== undefined ? { fact: 'packageManager', value: set.name, file } : undefined;
  }
  const clue = { fact: 'packageManager', value: first.manager.name, file: first.lock } as const;
  if (locked.length === 1) return clue;
  const set = locked.find(({ manager }) => place.first(manager.settings) !== undefined);
  if (set) return { ...clue, value: set.manager.name, file: set.lock };
  const byAge = locked
    .map(({ manager, lock }) => ({ manager, lock, at: place.modified(lock) ?? 0 }))
    .sort((a, b) => b.at - a.at);
  const [newest, second] = byAge;
  const chosen = newest && second && newest.at - second.at > CLEARLY_NEWER ? newest : first;
  return { ...clue, value: chosen.manager.name, file: chosen.lock, strength: 'usual' };
}

function upwards(from: Place, to: Place): string {
  return '../'.repeat(from.depth - to.depth);
}
