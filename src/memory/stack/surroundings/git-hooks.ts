import type { Clue, Detector } from '../detector.ts';
import { objectAt, readJson, stringAt } from '../formats/json.ts';
import { readYaml, type YamlEntry } from '../formats/yaml.ts';
import type { Place } from '../place.ts';

/** More and longer lines than that are a program, not a list of commands. */
const MOST_COMMANDS = 10;
const LONGEST_COMMAND = 200;

const LEFTHOOK_FILES = ['lefthook.yml', 'lefthook.yaml', '.lefthook.yml', '.lefthook.yaml'];
const PRE_COMMIT_FILES = ['.pre-commit-config.yaml', '.pre-commit-config.yml'];

/** What runs before a commit: husky, lefthook, pre-commit, simple-git-hooks, or a hook of the project's own. */
export const GIT_HOOKS: Detector = {
  id: 'any',
  extensions: [],
  *detect(place) {
    if (place.folder !== '') return;
    yield* scriptHook(place, '.husky', 'husky');
    yield* scriptHook(place, '.githooks', undefined);
    const lefthook = place.first(LEFTHOOK_FILES);
    if (lefthook !== undefined) {
      yield { fact: 'tool', value: 'Lefthook', file: lefthook };
      yield* commands(lefthookCommands(readYaml(place.read(lefthook) ?? '')), lefthook);
    }
    const preCommit = place.first(PRE_COMMIT_FILES);
    if (preCommit !== undefined) {
      yield { fact: 'tool', value: 'pre-commit', file: preCommit };
      yield* commands(preCommitHooks(readYaml(place.read(preCommit) ?? '')), preCommit);
    }
    const simple = objectAt(readJson(place.read('package.json')) ?? {}, 'simple-git-hooks');
    yield* commands([stringAt(simple, 'pre-commit') ?? ''], 'package.json');
  },
};

function* scriptHook(place: Place, folder: string, tool: string | undefined): Generator<Clue> {
  if (!place.folders.includes(folder)) return;
  const file = `${folder}/pre-commit`;
  const text = place.read(file);
  if (tool !== undefined) yield { fact: 'tool', value: tool, file: text === undefined ? folder : file };
  yield* commands((text ?? '').split('\n').filter(isPlainCommand), file);
}

/** Not the lines that make a script of it. */
function isPlainCommand(line: string): boolean {
  return !/^\s*(#|\.\s|source\s|set\s|export\s|if\b|then\b|else\b|fi\b|exit\b|echo\b|for\b|do\b|done\b|}|\w+=)/.test(
    line,
  );
}

function lefthookCommands(entries: readonly YamlEntry[]): readonly string[] {
  return entries
    .filter(({ path }) => path[0] === 'pre-commit' && path.at(-1) === 'run')
    .map(({ value }) => value);
}

/** Hooks that are for another moment than the commit are left out. */
function preCommitHooks(entries: readonly YamlEntry[]): readonly string[] {
  const later = entries.filter(
    ({ path, value }) => path.includes('stages') && /push|commit-msg|manual/.test(value),
  );
  const isLater = (path: readonly string[]): boolean =>
    later.some((entry) => path.slice(0, -1).every((part, index) => entry.path[index] === part));
  return entries
    .filter(
      ({ path }) => path[0] === 'repos' && path.includes('hooks') && path.at(-1) === 'id' && !isLater(path),
    )
    .map(({ value }) => `pre-commit run ${value}`);
}

function* commands(lines: readonly string[], file: string): Generator<Clue> {
  const usable = lines
    .map((line) => line.trim())
    .filter((line) => line !== '' && line.length <= LONGEST_COMMAND);
  for (const value of usable.slice(0, MOST_COMMANDS)) yield { fact: 'beforeCommit', value, file };
}
