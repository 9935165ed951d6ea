import type { Detector, Finding } from '../detector.ts';
import { objectAt, readJson, stringAt } from '../manifest.ts';
import type { ProjectFolder } from '../project-files.ts';
import { readYaml, type YamlEntry } from '../yaml.ts';

/** Longer scripts and lines are programs, not lists of commands. */
const MAX_COMMANDS = 10;
const MAX_COMMAND_LENGTH = 200;

const LEFTHOOK_FILES = ['lefthook.yml', 'lefthook.yaml', '.lefthook.yml', '.lefthook.yaml'];
const PRE_COMMIT_FILES = ['.pre-commit-config.yaml', '.pre-commit-config.yml'];

/** What runs before a commit: husky, Lefthook, pre-commit, simple-git-hooks, or the project's own hook. */
export const GIT_HOOKS: Detector = {
  id: 'any',
  extensions: [],
  *detect(folder) {
    if (folder.path !== '') return;
    yield* scriptHook(folder, '.husky', 'husky');
    yield* scriptHook(folder, '.githooks', undefined);
    const lefthook = folder.first(LEFTHOOK_FILES);
    if (lefthook !== undefined) {
      yield { fact: 'tool', value: 'Lefthook', file: lefthook };
      yield* commitCommands(lefthookCommands(readYaml(folder.read(lefthook) ?? '')), lefthook);
    }
    const preCommit = folder.first(PRE_COMMIT_FILES);
    if (preCommit !== undefined) {
      yield { fact: 'tool', value: 'pre-commit', file: preCommit };
      yield* commitCommands(preCommitHooks(readYaml(folder.read(preCommit) ?? '')), preCommit);
    }
    const simple = objectAt(readJson(folder.read('package.json')) ?? {}, 'simple-git-hooks');
    yield* commitCommands([stringAt(simple, 'pre-commit') ?? ''], 'package.json');
  },
};

function* scriptHook(folder: ProjectFolder, hooks: string, tool: string | undefined): Generator<Finding> {
  if (!folder.folders.includes(hooks)) return;
  const file = `${hooks}/pre-commit`;
  const text = folder.read(file);
  if (tool !== undefined) yield { fact: 'tool', value: tool, file: text === undefined ? hooks : file };
  yield* commitCommands((text ?? '').split('\n').filter(isPlainCommand), file);
}

/** Whether a line of a script is a command, not control flow. */
function isPlainCommand(line: string): boolean {
  return !/^\s*(#|\.\s|source\s|set\s|export\s|if\b|then\b|else\b|fi\b|exit\b|echo\b|for\b|do\b|done\b|}|\w+=)/.test(
    line,
  );
}

function lefthookCommands(entries: readonly YamlEntry[]): readonly string[] {
  return entries.filter(({ path }) => path[0] === 'pre-commit' && path.at(-1) === 'run').map(({ value }) => value);
}

/** The hooks that run at a commit, not at a push or for the message. */
function preCommitHooks(entries: readonly YamlEntry[]): readonly string[] {
  const later = entries.filter(({ path, value }) => path.includes('stages') && /push|commit-msg|manual/.test(value));
  const isLater = (path: readonly string[]): boolean =>
    later.some((entry) => path.slice(0, -1).every((part, index) => entry.path[index] === part));
  return entries
    .filter(({ path }) => path[0] === 'repos' && path.includes('hooks') && path.at(-1) === 'id' && !isLater(path))
    .map(({ value }) => `pre-commit run ${value}`);
}

function* commitCommands(lines: readonly string[], file: string): Generator<Finding> {
  const usable = lines.map((line) => line.trim()).filter((line) => line !== '' && line.length <= MAX_COMMAND_LENGTH);
  for (const value of usable.slice(0, MAX_COMMANDS)) yield { fact: 'beforeCommit', value, file };
}
