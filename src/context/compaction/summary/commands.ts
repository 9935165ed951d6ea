import type { TurnPart } from './json-calls.ts';

const MAX_LINE_LENGTH = 2_000;
const MAX_HEREDOC_LINES = 1_000;
const BULLET = '(?:[-*•>⏺●└├│]+\\s+)?';
/** `$ npm test`, `user@host:~/project$ npm test`, `❯ npm test`. */
const PROMPT = /^\s{0,8}(?:[\w.-]+@[\w.-]+[: ][^\s$#]{0,200}\s?[$#]|\$|❯|➜)\s+(\S.*)$/;
/** `CMD: npm test`, `- Ran: npm test`, `Command: npm test`. */
const LABEL = new RegExp(
  `^\\s*${BULLET}\\**(?:CMD|COMMAND|Command|command|cmd|Ran|Run|Running|Executed|Executing|Execute|Shell|shell|Bash|bash|Terminal|exec|exec_command|shell_command|run_shell_command|run_terminal_cmd|run_in_terminal|execute_command|local_shell|tool_call|Tool call)\\**\\s?:\\**\\s+(\\S.*)$`,
);
/** `Ran npm test`, `bash npm test`: only with a known program. */
const LOOSE = new RegExp(
  `^\\s*${BULLET}\\**(?:[Rr]an|[Rr]unning|[Ee]xecuted|[Bb]ash|[Ss]hell|exec|exec_command|run_shell_command|run_terminal_cmd|execute_command)\\**\\s+(?:the command\\s+)?(\\S.*)$`,
);
/** `Bash(npm test)`. */
const CALL = new RegExp(`^\\s*${BULLET}(?:Bash|bash|Shell|shell|exec|exec_command|Run|run|Terminal)\\((.+)\\)\\s*$`);
const TICKED = /`([^`\n]{3,300})`/g;

/** The command that a line shows after a prompt, a label or the name of a tool; undefined if there is none. */
export function parseRanLine(line: string): string | undefined {
  if (line.length > MAX_LINE_LENGTH) return undefined;
  const labelled = PROMPT.exec(line)?.[1] ?? LABEL.exec(line)?.[1];
  // `Tool call: {"command": …}` is parsed as JSON elsewhere.
  if (labelled !== undefined) return labelled.startsWith('{') ? undefined : unquote(labelled);
  const called = CALL.exec(line)?.[1];
  if (called !== undefined) return unquote(called.replace(/^(?:command|cmd)\s*[:=]\s*/, ''));
  const loose = LOOSE.exec(line)?.[1];
  if (loose === undefined) return undefined;
  const text = /^`/.test(loose) ? loose.slice(1).split('`')[0]?.trim() : loose.trim();
  return text && beginsWithProgram(text) ? text : undefined;
}

/** Commands that a sentence quotes in backticks: with at least one argument, and not read-only. */
function findQuotedCommands(line: string): string[] {
  if (!line.includes('`')) return [];
  return [...line.slice(0, MAX_LINE_LENGTH).matchAll(TICKED)]
    .map(([, text = '']) => text.trim())
    .filter((text) => text.includes(' ') && beginsWithProgram(text) && !isReadOnly(text));
}

/**
 * Parses a block of shell text: one command per line, except for lines joined by a backslash and heredocs. If the block has
 * prompts (`$ `), only lines with a prompt are commands and the others are output.
 */
export function parseShellBlock(lines: readonly string[]): {
  readonly commands: string[];
  readonly output: string[];
} {
  const hasPrompts = lines.some((line) => PROMPT.test(line));
  const commands: string[] = [];
  const output: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const command = hasPrompts ? parseRanLine(line) : line.trim();
    if (command === undefined) {
      output.push(line);
      continue;
    }
    if (command === '' || command.startsWith('#')) continue;
    const end = findCommandEnd(lines, at, command);
    commands.push([command, ...lines.slice(at + 1, end + 1)].join('\n').slice(0, MAX_LINE_LENGTH));
    at = end;
  }
  return { commands, output };
}

/** Index of the last line of a command that begins at `start`, including joined lines or a heredoc. */
export function findCommandEnd(lines: readonly string[], start: number, first: string): number {
  const word = /<<-?\s*(["']?)([A-Za-z_]\w*)\1/.exec(first)?.[2];
  if (word !== undefined) {
    const last = Math.min(lines.length, start + MAX_HEREDOC_LINES);
    for (let at = start + 1; at < last; at++) if (lines[at]?.trim() === word) return at;
    return start;
  }
  let end = start;
  for (let line = first; line.endsWith('\\') && end + 1 < lines.length; line = lines[end] ?? '') end++;
  return end;
}

function unquote(text: string): string | undefined {
  const trimmed = text.trim();
  const inner = /^(`{1,3}|")([^`"]+)\1[.:]?$/.exec(trimmed)?.[2]?.trim() ?? trimmed;
  return inner || undefined;
}

const PROGRAM_NAMES =
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
const PROGRAMS: ReadonlySet<string> = new Set(PROGRAM_NAMES.split(' '));

/** Programs that only show something: such commands rarely recur verbatim. */
const READ_ONLY_PROGRAMS: ReadonlySet<string> = new Set(
  'ls cat bat head tail less sed awk grep rg ag find fd wc nl tree jq yq which type stat file echo printf diff'.split(
    ' ',
  ),
);

/** A change of folder or environment variables before the actual command. */
const COMMAND_PREFIX =
  /^(?:cd\s+(?:"[^"]*"|'[^']*'|[^\s;&|]+)\s*(?:&&|;)\s*|[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|[^\s"']*)\s+)/;
const MAX_PREFIXES = 8;

/** Whether the text begins with a known program. Used where nothing else says that it is a command. */
function beginsWithProgram(text: string): boolean {
  const name = findProgram(text);
  return PROGRAMS.has(name) || /^\.{1,2}\/[\w./-]+$/.test(name);
}

/** Whether a command only shows something. */
export function isReadOnly(command: string): boolean {
  return READ_ONLY_PROGRAMS.has(findProgram(command));
}

/** The program of a command, after any prefixes. */
function findProgram(command: string): string {
  let text = command.slice(0, 500).trimStart();
  for (let count = 0; count < MAX_PREFIXES; count++) {
    const match = COMMAND_PREFIX.exec(text);
    if (match === null || match[0].length === text.length) break;
    text = text.slice(match[0].length);
  }
  return /^\S+/.exec(text)?.[0] ?? '';
}

const MAX_PROSE_LENGTH = 2_000;
const PROSE_SENTENCE_END = /(?<=[.!?]["'”)]?)\s+(?=[A-Z`"'(])/;
const FAILED =
  /\b(?:fails?|failed|failing|broke|breaks|crash(?:es|ed)|does(?:n't| not) (?:work|pass|compile)|did(?:n't| not) (?:work|pass)|(?:got|gives|gave|get|with|threw|throws|hit)\s+(?:an?\s+|the\s+)?["'“`]?(?:\w*[Ee]rror|exception))\b/i;
const WORKED =
  /\b(?:pass(?:es|ed)?|succeed(?:s|ed)|works|worked|went well|goes through|is green|are green|all green|no errors)\b/i;
const REPEATED = /\b(?:again|now|this time|afterwards|re-?r[au]n)\b/i;
const QUOTED_ERROR = /["“`]([^"”`]{4,300}?)["”`]/g;
const NAMED_ERROR = /\b((?:\w*Error|\w*Exception|error\[?\w*\]?|fatal|panic):\s[^"”`]{3,300})/;
const ERROR_WORD = /error|fail|exception|refused|denied|not found|cannot|undefined|expected|missing|panic|fatal/i;

/**
 * Finds the commands that a line of prose quotes and whether they worked. A sentence without a command that says "it works
 * now" is another run of `last`, the command mentioned before.
 */
export function parseProse(line: string, last = ''): TurnPart[] {
  const parts: TurnPart[] = [];
  let command = last;
  for (const sentence of line.slice(0, MAX_PROSE_LENGTH).split(PROSE_SENTENCE_END)) {
    const quoted = findQuotedCommands(sentence);
    for (const text of quoted) parts.push({ type: 'command', text, isQuoted: true });
    const failed = FAILED.test(sentence);
    const worked = WORKED.test(sentence);
    command = quoted.at(-1) ?? command;
    if (command === '' || failed === worked) continue;
    if (quoted.length === 0 && !(worked && REPEATED.test(sentence))) continue;
    if (quoted.length === 0) parts.push({ type: 'command', text: command, isQuoted: true });
    const error = failed ? findError(sentence, quoted) : undefined;
    if (error !== undefined) parts.push({ type: 'output', line: error });
    parts.push({ type: 'outcome', failed });
  }
  return parts;
}

function findError(sentence: string, commands: readonly string[]): string | undefined {
  const quoted = [...sentence.matchAll(QUOTED_ERROR)].map(([, text = '']) => text.trim());
  const error = quoted.find((text) => ERROR_WORD.test(text) && !commands.includes(text));
  return error ?? NAMED_ERROR.exec(sentence)?.[1]?.replace(/[.\s]+$/, '');
}

const EXIT_LINE =
  /^[\W_]*(?:the )?(?:process |command )?(?:(?:failed|finished|completed|ended) )?(?:with )?exit(?:ed)?(?: with)?(?: code| status)?[\s:=]+(-?\d{1,5})[\W_]*$/i;
const OUTCOME_WORD =
  /^[\W_]*(?:status|result|outcome)?[\s:=]*(failed|failure|error|succeeded|success|passed|ok|done)[\W_]*$/i;
const FAILURE_WORD = /^(?:failed|failure|error)$/i;
const LOOKS_FAILED =
  /^(?:FAIL\b|--- FAIL|(?:\S+: )?(?:error|fatal|panic)(?:\[\w+\])?:|error(?:\[\w+\]| TS\d+):?|npm (?:ERR!|error) |Traceback |Exception\b|AssertionError|E {3})|command not found|: No such file or directory|\b[1-9]\d* (?:failed|failing|errors?)\b|\bFAILED\b/i;
const MAX_OUTCOME_LINE = 80;

/** Whether a line says that a command failed (true) or succeeded (false); undefined if it says neither. */
export function parseOutcomeLine(line: string): boolean | undefined {
  if (line.length > MAX_OUTCOME_LINE) return undefined;
  const exit = EXIT_LINE.exec(line);
  if (exit) return Number(exit[1]) !== 0;
  const word = OUTCOME_WORD.exec(line);
  return word ? FAILURE_WORD.test(word[1] ?? '') : undefined;
}

/** Whether a line of output looks like a failure. For commands whose outcome is not stated. */
export function looksFailed(line: string): boolean {
  return LOOKS_FAILED.test(line.slice(0, 500));
}
