import { once } from '../../record/once.ts';
import { programName } from '../shell/unwrap.ts';

/** What a call does, as far as memory distinguishes it. */
export type Action =
  | 'install'
  | 'test'
  | 'build'
  | 'lint'
  | 'format'
  | 'commit'
  | 'push'
  | 'checkout'
  | 'edit'
  | 'create'
  | 'read'
  | 'search'
  | 'probe'
  | 'run';

/** Subcommands that install, update or remove packages. */
const INSTALLERS: Readonly<Record<string, string>> = {
  npm: 'install i ci add update uninstall',
  pnpm: 'install i add update remove',
  yarn: 'install add up remove',
  bun: 'install i add update remove',
  deno: 'install add',
  pip: 'install uninstall',
  pip3: 'install uninstall',
  pipx: 'install',
  pipenv: 'install sync',
  uv: 'add sync pip lock remove tool',
  poetry: 'add install update remove',
  pdm: 'add install sync',
  conda: 'install create',
  cargo: 'add install update fetch',
  go: 'get install mod',
  gem: 'install',
  bundle: 'install add update',
  composer: 'install require update',
  dotnet: 'add restore tool',
  nuget: 'install restore',
  mix: 'deps.get',
  swift: 'package',
  brew: 'install upgrade tap',
  apt: 'install',
  'apt-get': 'install',
  apk: 'add',
  dnf: 'install',
  yum: 'install',
  pacman: '-S',
  mise: 'install use trust',
  asdf: 'install plugin',
  nvm: 'install use',
  rustup: 'install update component target',
  make: 'install deps setup',
};

const GIT_SUBCOMMANDS: readonly (readonly [Action, string])[] = [
  ['commit', 'commit'],
  ['push', 'push'],
  [
    'checkout',
    'checkout switch restore merge rebase pull reset stash cherry-pick revert apply am worktree clone clean',
  ],
  ['edit', 'mv rm'],
  ['run', 'add'],
  ['search', 'grep'],
  ['probe', 'rev-parse show-ref merge-base ls-files check-ignore ls-remote'],
];

const PROGRAMS: readonly (readonly [Action, string])[] = [
  ['test', 'pytest vitest jest mocha ava rspec phpunit ctest tox nox unittest gotestsum playwright cypress'],
  ['build', 'tsc vite webpack rollup esbuild cmake ninja gcc g++ clang javac msbuild'],
  ['lint', 'eslint golangci-lint ruff flake8 pylint mypy pyright shellcheck rubocop oxlint biome'],
  ['format', 'prettier black gofmt goimports rustfmt clang-format'],
  ['read', 'cat sed head tail less nl wc bat jq'],
  ['search', 'grep rg ag find fd'],
  ['probe', 'ls test [ [[ which type whence stat file pgrep ps lsof diff cmp ping'],
  ['create', 'mkdir touch cp'],
  ['edit', 'mv rm patch'],
];
const gitActions = once(() => invert(GIT_SUBCOMMANDS));
const programActions = once(() => invert(PROGRAMS));

function invert(rows: readonly (readonly [Action, string])[]): ReadonlyMap<string, Action> {
  return new Map(rows.flatMap(([action, names]) => names.split(' ').map((name) => [name, action] as const)));
}

/** Names of tasks and subcommands. The first of a command's words that is one decides; for that word, the first row. */
const tasks = once((): readonly (readonly [RegExp, Action])[] => [
  [/^(?:\w+[:_-])*(?:tests?|spec|e2e|integration)(?:[:_-]\w+)*$/, 'test'],
  [/^(?:\w+[:_-])*(?:lint|clippy|vet|typecheck|type-check|types)(?:[:_-]\w+)*$/, 'lint'],
  [/^(?:\w+[:_-])*(?:fmt|format)(?:[:_-]\w+)*$/, 'format'],
  [/^(?:\w+[:_-])*(?:build|compile|package|assemble)(?:[:_-]\w+)*$/, 'build'],
  [/^(?:\w+[:_-])*check(?:[:_-]\w+)*$/, 'test'],
]);

/** A task that changes what is outside the checkout, or removes something, whatever else it is named after. */
const LASTING_EFFECT =
  /(?:^|[:_-])(?:publish|deploy|push|upload|migrat\w*|delete|remove|destroy|drop|purge|prune|reset|rollback)(?:$|[:_-])/;

/** Programs whose subcommands or tasks are what they do. */
const runners = once(
  (): ReadonlySet<string> =>
    new Set(
      'npm pnpm yarn bun deno npx bunx make just task mise turbo nx rake cargo go mvn mvnw gradle gradlew dotnet mix swift zig bazel meson sbt composer hatch pdm rye uv poetry invoke rails flutter dart xcodebuild lerna'.split(
        ' ',
      ),
    ),
);

/** What a command does, judged by its words. */
export function classifyCommand(command: readonly string[]): Action {
  const words = stripInterpreter(command);
  const program = programOf(words);
  const rest = words.slice(1).filter((word) => !word.startsWith('-'));
  if (isInstall(words)) return 'install';
  if (program === 'git') return gitActions().get(gitSubcommand(words)) ?? 'run';
  if (program === 'command' && words.includes('-v')) return 'probe';
  if (program === 'sed' && words.some((word) => /^-[a-zA-Z]*i/.test(word))) return 'edit';
  const known = programActions().get(program);
  if (known !== undefined) return known;
  if (!runners().has(program) && !/\.(?:sh|bash|mjs|js|ts|py)$/.test(program)) {
    return 'run';
  }
  for (const word of rest.slice(0, 3)) {
    if (LASTING_EFFECT.test(word)) return 'run';
    for (const [pattern, action] of tasks()) if (pattern.test(word)) return action;
  }
  return 'run';
}

/** Whether a command installs packages. Takes its words without an interpreter. */
export function isInstall(words: readonly string[]): boolean {
  const program = programOf(words);
  const sub = words.slice(1).find((word) => !word.startsWith('-')) ?? '';
  return Object.hasOwn(INSTALLERS, program) && INSTALLERS[program]?.split(' ').includes(sub) === true;
}

/** Removes `python3 -m`, leaving e.g. `pip install x`. */
export function stripInterpreter(words: readonly string[]): readonly string[] {
  return words[1] === '-m' && /^(?:python[\d.]*|py)$/.test(programOf(words)) ? words.slice(2) : words;
}

/** The program of a command, without its folder. */
export function programOf(words: readonly string[]): string {
  return programName(words[0] ?? '');
}

/** The subcommand of a git command: `commit` of `git -C x -c a=b commit -m …`. */
export function gitSubcommand(words: readonly string[]): string {
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '-C' || word === '-c' || word === '--git-dir' || word === '--work-tree') at++;
    else if (!word.startsWith('-')) return word;
  }
  return '';
}

/** What only asks, so that its failure is an answer. */
export const READ_ONLY: ReadonlySet<Action> = new Set(['probe', 'read', 'search']);

/** What fails for another reason each time: the work that it checks. */
export const CHECKS: ReadonlySet<Action> = new Set(['test', 'build', 'lint', 'format']);
