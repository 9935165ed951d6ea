import { once } from '../once.ts';

/** What a successful call did, as far as memory cares. */
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

const INSTALLERS: Readonly<Record<string, readonly string[]>> = {
  npm: ['install', 'i', 'ci', 'add', 'update', 'uninstall'],
  pnpm: ['install', 'i', 'add', 'update', 'remove'],
  yarn: ['install', 'add', 'up', 'remove'],
  bun: ['install', 'i', 'add', 'update', 'remove'],
  deno: ['install', 'add'],
  pip: ['install', 'uninstall'],
  pip3: ['install', 'uninstall'],
  pipx: ['install'],
  pipenv: ['install', 'sync'],
  uv: ['add', 'sync', 'pip', 'lock', 'remove', 'tool'],
  poetry: ['add', 'install', 'update', 'remove'],
  pdm: ['add', 'install', 'sync'],
  conda: ['install', 'create'],
  cargo: ['add', 'install', 'update', 'fetch'],
  go: ['get', 'install', 'mod'],
  gem: ['install'],
  bundle: ['install', 'add', 'update'],
  composer: ['install', 'require', 'update'],
  dotnet: ['add', 'restore', 'tool'],
  nuget: ['install', 'restore'],
  mix: ['deps.get'],
  swift: ['package'],
  brew: ['install', 'upgrade', 'tap'],
  apt: ['install'],
  'apt-get': ['install'],
  apk: ['add'],
  dnf: ['install'],
  yum: ['install'],
  pacman: ['-S'],
  mise: ['install', 'use', 'trust'],
  asdf: ['install', 'plugin'],
  nvm: ['install', 'use'],
  rustup: ['install', 'update', 'component', 'target'],
  make: ['install', 'deps', 'setup'],
};

const GIT: Readonly<Record<string, Action>> = {
  commit: 'commit',
  push: 'push',
  checkout: 'checkout',
  switch: 'checkout',
  restore: 'checkout',
  merge: 'checkout',
  rebase: 'checkout',
  pull: 'checkout',
  reset: 'checkout',
  stash: 'checkout',
  'cherry-pick': 'checkout',
  revert: 'checkout',
  apply: 'checkout',
  am: 'checkout',
  worktree: 'checkout',
  clone: 'checkout',
  clean: 'checkout',
  mv: 'edit',
  rm: 'edit',
  add: 'run',
  grep: 'search',
  'rev-parse': 'probe',
  'show-ref': 'probe',
  'merge-base': 'probe',
  'ls-files': 'probe',
  'check-ignore': 'probe',
  'ls-remote': 'probe',
};

const programs = once(
  (): Readonly<Record<string, Action>> => ({
    pytest: 'test',
    vitest: 'test',
    jest: 'test',
    mocha: 'test',
    ava: 'test',
    rspec: 'test',
    phpunit: 'test',
    ctest: 'test',
    tox: 'test',
    nox: 'test',
    unittest: 'test',
    gotestsum: 'test',
    playwright: 'test',
    cypress: 'test',
    tsc: 'build',
    vite: 'build',
    webpack: 'build',
    rollup: 'build',
    esbuild: 'build',
    cmake: 'build',
    ninja: 'build',
    gcc: 'build',
    'g++': 'build',
    clang: 'build',
    javac: 'build',
    msbuild: 'build',
    eslint: 'lint',
    'golangci-lint': 'lint',
    ruff: 'lint',
    flake8: 'lint',
    pylint: 'lint',
    mypy: 'lint',
    pyright: 'lint',
    shellcheck: 'lint',
    rubocop: 'lint',
    oxlint: 'lint',
    biome: 'lint',
    prettier: 'format',
    black: 'format',
    gofmt: 'format',
    goimports: 'format',
    rustfmt: 'format',
    'clang-format': 'format',
    cat: 'read',
    sed: 'read',
    head: 'read',
    tail: 'read',
    less: 'read',
    nl: 'read',
    wc: 'read',
    bat: 'read',
    jq: 'read',
    grep: 'search',
    rg: 'search',
    ag: 'search',
    find: 'search',
    fd: 'search',
    ls: 'probe',
    test: 'probe',
    '[': 'probe',
    '[[': 'probe',
    which: 'probe',
    type: 'probe',
    whence: 'probe',
    stat: 'probe',
    file: 'probe',
    pgrep: 'probe',
    ps: 'probe',
    lsof: 'probe',
    diff: 'probe',
    cmp: 'probe',
    ping: 'probe',
    mkdir: 'create',
    touch: 'create',
    cp: 'create',
    mv: 'edit',
    rm: 'edit',
    patch: 'edit',
  }),
);

/** Words that name a task of a task runner or a subcommand, in order of precedence. */
const tasks = once((): readonly (readonly [RegExp, Action])[] => [
  [/^(?:\w+[:_-])*(?:tests?|check|spec|e2e|integration)(?:[:_-]\w+)*$/, 'test'],
  [/^(?:\w+[:_-])*(?:lint|clippy|vet|typecheck|type-check|types)(?:[:_-]\w+)*$/, 'lint'],
  [/^(?:\w+[:_-])*(?:fmt|format)(?:[:_-]\w+)*$/, 'format'],
  [/^(?:\w+[:_-])*(?:build|compile|package|assemble|publish)(?:[:_-]\w+)*$/, 'build'],
]);

/** Programs whose subcommands or tasks are what they do. */
const runners = once(
  (): ReadonlySet<string> =>
    new Set([
      ...[
        'npm',
        'pnpm',
        'yarn',
        'bun',
        'deno',
        'npx',
        'bunx',
        'make',
        'just',
        'task',
        'mise',
        'turbo',
        'nx',
        'rake',
      ],
      ...[
        'cargo',
        'go',
        'mvn',
        'mvnw',
        'gradle',
        'gradlew',
        'dotnet',
        'mix',
        'swift',
        'zig',
        'bazel',
        'meson',
        'sbt',
      ],
      ...[
        'composer',
        'hatch',
        'pdm',
        'rye',
        'uv',
        'poetry',
        'invoke',
        'rails',
        'flutter',
        'dart',
        'xcodebuild',
        'lerna',
      ],
    ]),
);

/** What a command does, by its words. */
export function actionOf(command: readonly string[]): Action {
  const words = withoutInterpreter(command);
  const program = programOf(words);
  const rest = words.slice(1).filter((word) => !word.startsWith('-'));
  if (isInstall(words)) return 'install';
  if (program === 'git') return gitAction(gitSubcommand(words));
  if (program === 'command' && words.includes('-v')) return 'probe';
  if (program === 'sed' && words.some((word) => /^-[a-zA-Z]*i/.test(word))) return 'edit';
  const known = Object.hasOwn(programs(), program) ? programs()[program] : undefined;
  if (known !== undefined) return known;
  if (!runners().has(program) && !/\.(?:sh|bash|mjs|js|ts|py)$/.test(program)) {
    return 'run';
  }
  for (const word of rest.slice(0, 3)) {
    for (const [pattern, action] of tasks()) if (pattern.test(word)) return action;
  }
  return 'run';
}

/** Whether a command installs packages; its words without an interpreter. */
export function isInstall(words: readonly string[]): boolean {
  const program = programOf(words);
  const sub = words.slice(1).find((word) => !word.startsWith('-')) ?? '';
  return Object.hasOwn(INSTALLERS, program) && INSTALLERS[program]?.includes(sub) === true;
}

/** `pip install x` of `python3 -m pip install x`. */
export function withoutInterpreter(words: readonly string[]): readonly string[] {
  return words[1] === '-m' && /^(?:python[\d.]*|py)$/.test(programOf(words)) ? words.slice(2) : words;
}

function gitAction(subcommand: string): Action {
  return (Object.hasOwn(GIT, subcommand) ? GIT[subcommand] : undefined) ?? 'run';
}

/** The name of the program, without its folder. */
export function programOf(words: readonly string[]): string {
  const first = words[0] ?? '';
  return first.slice(first.lastIndexOf('/') + 1);
}

/** `commit` of `git -C x -c a=b commit -m …`. */
export function gitSubcommand(words: readonly string[]): string {
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '-C' || word === '-c' || word === '--git-dir' || word === '--work-tree') at++;
    else if (!word.startsWith('-')) return word;
  }
  return '';
}
