const NAMES =
  'git gh glab hg svn npm npx pnpm pnpx yarn bun bunx deno node tsx ts-node tsc vite vitest jest mocha eslint biome ' +
  'prettier oxlint turbo nx lerna next astro playwright cypress python python3 pip pip3 pipx uv uvx poetry pdm hatch ' +
  'pytest tox nox ruff black mypy pyright flake8 cargo rustc rustup rustfmt go gofmt golangci-lint make cmake ctest ' +
  'ninja meson just task mise asdf direnv gradle gradlew mvn mvnw java javac kotlinc sbt dotnet msbuild ruby bundle ' +
  'rake gem rails rspec rubocop php composer phpunit artisan mix elixir iex swift xcodebuild pod flutter dart zig gcc ' +
  'g++ clang docker docker-compose podman kubectl helm terraform tofu ansible ansible-playbook vagrant aws gcloud az ' +
  'flyctl vercel netlify heroku wrangler ssh scp rsync curl wget psql mysql sqlite3 redis-cli mongosh createdb ' +
  'systemctl journalctl brew apt apt-get dnf pacman ls cat bat head tail less sed awk grep rg ag find fd xargs sort ' +
  'uniq wc cut tr diff patch jq yq tee touch mkdir rmdir rm cp mv ln chmod chown tar zip unzip gunzip zcat which type ' +
  'stat file du df ps kill pkill lsof env export source bash sh zsh fish pwsh time timeout sudo cd pwd echo printf ' +
  'test nl tree open code pre-commit act hyperfine ffmpeg protoc buf alembic flask uvicorn gunicorn django-admin';
const PROGRAMS: ReadonlySet<string> = new Set(NAMES.split(' '));

/** Programs that only show what is there: what they were asked rarely is asked again in the same words. */
const READERS: ReadonlySet<string> = new Set(
  'ls cat bat head tail less sed awk grep rg ag find fd wc nl tree jq yq which type stat file echo printf diff'.split(
    ' ',
  ),
);

/** Where a command runs and with which variables; it says nothing of what runs. */
const BEFORE =
  /^(?:cd\s+(?:"[^"]*"|'[^']*'|[^\s;&|]+)\s*(?:&&|;)\s*|[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|[^\s"']*)\s+)/;
const MOST_BEFORE = 8;

/** Does the text begin with a program that developers run? Used where nothing else says that it is a command. */
export function beginsWithProgram(text: string): boolean {
  const name = programOf(text);
  if (PROGRAMS.has(name)) return true;
  return /^\.{1,2}\/[\w./-]+$/.test(name);
}

/** Does the command only show something of the project? */
export function isReading(command: string): boolean {
  return READERS.has(programOf(command));
}

/** The first word of a command that says what runs. */
function programOf(command: string): string {
  let text = command.slice(0, 500).trimStart();
  for (let count = 0; count < MOST_BEFORE; count++) {
    const match = BEFORE.exec(text);
    if (match === null || match[0].length === text.length) break;
    text = text.slice(match[0].length);
  }
  return /^\S+/.exec(text)?.[0] ?? '';
}
