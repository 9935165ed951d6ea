/** A command of the project, by what it is for. */
export type CommandFact =
  | 'testCommand'
  | 'buildCommand'
  | 'lintCommand'
  | 'formatCommand'
  | 'typecheckCommand'
  | 'runCommand';

/** A family of languages with its own manifests and tools; `any` is for runners that serve all. */
export type Ecosystem =
  | 'node'
  | 'deno'
  | 'python'
  | 'rust'
  | 'go'
  | 'jvm'
  | 'dotnet'
  | 'ruby'
  | 'php'
  | 'elixir'
  | 'swift'
  | 'native'
  | 'any';

/** The commands of an ecosystem by their first words, with the form for the whole project after `=>`. */
type Commands = { readonly [K in CommandFact]?: string };

/**
 * Commands that test, build, lint, format, check types and run the program. Longer heads are tried first. `*` stands for the
 * main program among the arguments.
 */
export const COMMANDS: Readonly<Record<Ecosystem, Commands>> = {
  node: {
    testCommand:
      'bun test, vitest run, vitest => vitest run, jest, mocha, ava, tap, node --test, ' +
      'playwright test, cypress run, ng test, react-scripts test, karma start, tsx --test',
    buildCommand:
      'tsc, vite build, next build, nuxt build, astro build, ng build, react-scripts build, ' +
      'tsup, tsdown, rollup, webpack, rspack build, rolldown, unbuild, bun build, parcel build',
    lintCommand:
      'eslint => eslint ., biome check => biome check ., biome lint => biome lint ., ' +
      'biome ci => biome ci ., oxlint, standard, xo, next lint, ng lint, ' +
      'prettier --check => prettier --check .',
    formatCommand:
      'prettier --write => prettier --write ., prettier -w => prettier --write ., dprint fmt, ' +
      'oxfmt, biome check --write => biome check --write ., ' +
      'biome format --write => biome format --write .',
    typecheckCommand: 'tsc --noEmit, vue-tsc --noEmit, svelte-check',
    runCommand: 'next dev, nuxt dev, astro dev, vite dev, ng serve',
  },
  deno: {
    testCommand: 'deno test',
    buildCommand: 'deno compile',
    lintCommand: 'deno lint',
    formatCommand: 'deno fmt',
    typecheckCommand: 'deno check',
  },
  python: {
    testCommand: 'pytest, py.test => pytest, unittest, tox, nox, manage.py test, nose2, hatch test',
    buildCommand: 'build, uv build, poetry build, hatch build, pdm build, maturin build, maturin develop',
    lintCommand: 'ruff check, flake8, pylint',
    formatCommand: 'ruff format, black => black ., yapf, autopep8, hatch fmt',
    typecheckCommand: 'mypy => mypy ., pyright, basedpyright, ty check',
    runCommand: 'manage.py runserver, flask run, fastapi dev',
  },
  rust: {
    testCommand: 'cargo nextest run, cargo test, cargo t => cargo test',
    buildCommand: 'cargo build, cargo b => cargo build',
    lintCommand: 'cargo clippy',
    formatCommand: 'cargo fmt',
    typecheckCommand: 'cargo check',
    runCommand: 'cargo run',
  },
  go: {
    testCommand: 'go test => go test ./..., gotestsum => gotestsum ./..., ginkgo',
    buildCommand: 'go build => go build ./..., goreleaser build',
    lintCommand: 'golangci-lint run, go vet => go vet ./..., staticcheck => staticcheck ./...',
    formatCommand: 'gofmt -w => gofmt -w ., go fmt => go fmt ./..., gofumpt -w => gofumpt -w ., ' + 'golangci-lint fmt',
    runCommand: 'go run => go run *',
  },
  jvm: {
    testCommand: 'gradle test, gradle check, mvn test, mvn verify, mvn clean verify, sbt test, bazel test',
    buildCommand:
      'gradle build, gradle clean build, gradle assemble, mvn package, mvn compile, mvn install, ' +
      'mvn clean package, mvn clean install, sbt compile',
    lintCommand:
      'gradle ktlintCheck, gradle detekt, gradle spotlessCheck, mvn checkstyle:check, ' + 'mvn spotless:check',
    formatCommand: 'gradle spotlessApply, gradle ktlintFormat, mvn spotless:apply',
    runCommand: 'gradle run, gradle bootRun, mvn spring-boot:run, sbt run',
  },
  dotnet: {
    testCommand: 'dotnet test',
    buildCommand: 'dotnet build, msbuild',
    formatCommand: 'dotnet format, csharpier format, dotnet csharpier',
    runCommand: 'dotnet run',
  },
  ruby: {
    testCommand: 'rspec, rails test, minitest, cucumber',
    buildCommand: 'gem build, rails assets:precompile',
    lintCommand: 'rubocop, standardrb',
    formatCommand: 'rubocop -a, rubocop -A => rubocop -a, standardrb --fix',
    runCommand: 'rails server, rails s => rails server',
  },
  php: {
    testCommand: 'phpunit, pest, artisan test, php artisan test, codecept run',
    lintCommand: 'phpstan analyse, phpstan analyze, psalm, phpcs',
    formatCommand: 'php-cs-fixer fix, pint, phpcbf',
    runCommand: 'artisan serve',
  },
  elixir: {
    testCommand: 'mix test',
    buildCommand: 'mix compile',
    lintCommand: 'mix credo, mix dialyzer',
    formatCommand: 'mix format',
    runCommand: 'mix phx.server',
  },
  swift: {
    testCommand: 'swift test, xcodebuild test',
    buildCommand: 'swift build, xcodebuild',
    lintCommand: 'swiftlint',
    formatCommand: 'swiftformat, swift-format, swift format',
    runCommand: 'swift run',
  },
  native: {
    testCommand: 'ctest, meson test, ninja test, bazel test',
    buildCommand: 'cmake --build, meson compile, ninja, xmake, bazel build',
    lintCommand: 'clang-tidy, cppcheck, cpplint',
    formatCommand: 'clang-format -i',
  },
  any: {
    testCommand: 'nx run-many -t test, nx affected -t test, pre-commit run pytest',
    buildCommand: 'nx run-many -t build, nx affected -t build',
    lintCommand: 'pre-commit run, prek run, lefthook run pre-commit, nx run-many -t lint',
  },
};

/** Commands that install, by package manager. */
export const INSTALLS: readonly (readonly [manager: string, Ecosystem, heads: readonly string[]])[] = [
  ['npm', 'node', ['npm install', 'npm i', 'npm ci', 'npm add']],
  ['pnpm', 'node', ['pnpm install', 'pnpm i', 'pnpm add']],
  ['yarn', 'node', ['yarn install', 'yarn add']],
  ['bun', 'node', ['bun install', 'bun i', 'bun add']],
  ['deno', 'deno', ['deno install', 'deno add']],
  ['uv', 'python', ['uv sync', 'uv add', 'uv pip install', 'uv lock']],
  ['poetry', 'python', ['poetry install', 'poetry add', 'poetry lock']],
  ['pdm', 'python', ['pdm install', 'pdm add', 'pdm sync']],
  ['pipenv', 'python', ['pipenv install', 'pipenv sync']],
  ['conda', 'python', ['conda install', 'conda env', 'mamba install']],
  ['pip', 'python', ['pip install', 'pip3 install']],
  ['cargo', 'rust', ['cargo add', 'cargo fetch', 'cargo update']],
  ['go', 'go', ['go get', 'go mod download', 'go mod tidy']],
  ['dotnet', 'dotnet', ['dotnet restore', 'dotnet add']],
  ['bundler', 'ruby', ['bundle install', 'bundle add', 'bundle update']],
  ['composer', 'php', ['composer install', 'composer require', 'composer update']],
  ['mix', 'elixir', ['mix deps.get', 'mix setup']],
  ['swiftpm', 'swift', ['swift package resolve', 'swift package update']],
  ['conan', 'native', ['conan install']],
  ['vcpkg', 'native', ['vcpkg install']],
];

/** Words that run a tool in the project's environment; they are part of the command. */
export const TOOL_RUNNERS: readonly string[] = (
  'npx, npm exec --, bunx, bun x, bun run, pnpm exec, pnpm dlx, yarn exec, yarn dlx, yarn run, ' +
  'pnpm, yarn, uv run -m, uv run, uvx, poetry run, pdm run, hatch run, pipenv run, rye run, ' +
  'bundle exec, mise exec --, mise x --, python -m, python3 -m, py -m, python, python3, php'
).split(', ');

/** Common names of scripts and targets, the most usual first. */
export const SCRIPT_NAMES: Readonly<Record<CommandFact, readonly string[]>> = {
  testCommand: 'test tests test:unit test-unit unit-test unit spec test:all test-all test:run test:ci test-ci'.split(
    ' ',
  ),
  buildCommand: ['build', 'compile', 'bundle', 'build:all', 'build-all', 'build:prod', 'assemble'],
  lintCommand: ['lint', 'lint:check', 'eslint', 'lint-check', 'lint:all', 'clippy', 'lint:js', 'linter'],
  formatCommand: 'format fmt format:write format:fix prettier:write prettify prettier format-fix'.split(' '),
  typecheckCommand: 'typecheck type-check check-types check:types types:check types'.split(' '),
  runCommand: ['dev', 'start', 'serve', 'run', 'develop'],
};

/** All command facts, in order. */
export const COMMAND_FACTS: readonly CommandFact[] = [
  'testCommand',
  'buildCommand',
  'lintCommand',
  'formatCommand',
  'typecheckCommand',
  'runCommand',
];

/** The command with which a runner runs a script `*`, if it is not just `runner *`. */
const CALLS: Readonly<Record<string, string>> = {
  npm: 'npm run *',
  pnpm: 'pnpm run *',
  bun: 'bun run *',
  deno: 'deno task *',
  mise: 'mise run *',
  turbo: 'turbo run *',
  nox: 'nox -s *',
  pdm: 'pdm run *',
  hatch: 'hatch run *',
};

/** Package managers with a short form for these scripts. */
const WITH_SHORT_FORM: ReadonlySet<string> = new Set(['npm', 'pnpm']);
/** Scripts that npm runs without `run`. */
export const SHORT_SCRIPTS: ReadonlySet<string> = new Set(['test', 'start']);

/** The command that runs a script of the project: `npm test`, `pnpm run build`, `make lint`. */
export function scriptCommand(runner: string, script: string): string {
  if (SHORT_SCRIPTS.has(script) && WITH_SHORT_FORM.has(runner)) return `${runner} ${script}`;
  return (CALLS[runner] ?? `${runner} *`).replace('*', () => script);
}

/** The purpose of a script by its name. */
export function scriptPurpose(script: string): CommandFact | undefined {
  return PURPOSES.get(script);
}

const PURPOSES: ReadonlyMap<string, CommandFact> = new Map(
  (Object.keys(SCRIPT_NAMES) as CommandFact[]).flatMap((fact) =>
    SCRIPT_NAMES[fact].map((name) => [name, fact] as const),
  ),
);

/** The script for a purpose, by the most usual name. */
export function findScript(names: readonly string[], fact: CommandFact): string | undefined {
  return SCRIPT_NAMES[fact].find((name) => names.includes(name));
}
