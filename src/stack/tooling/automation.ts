import { joinFolders, recogniseCommands } from '../../facts/commands/recognise-commands.ts';
import type { Detector, Finding } from '../detector.ts';
import { objectAt, readJson, stringAt } from '../manifest.ts';
import type { ProjectFolder } from '../project-files.ts';
import { readYaml, type YamlEntry } from '../yaml.ts';

const WORKFLOWS = '.github/workflows';
const MAX_WORKFLOWS = 12;
/** Workflows with everyday commands, which are read before those for releases and sites. */
const EVERYDAY = /(^|[-_.])(ci|test|tests|check|checks|build|main|pr|pull|lint|verify)([-_.]|$)/;

const OTHERS: readonly (readonly [file: string, name: string])[] = [
  ['.gitlab-ci.yml', 'GitLab CI'],
  ['.circleci/config.yml', 'CircleCI'],
  ['azure-pipelines.yml', 'Azure Pipelines'],
  ['.travis.yml', 'Travis CI'],
  ['bitbucket-pipelines.yml', 'Bitbucket Pipelines'],
];

/** The commands of continuous integration, but for lines with variables. */
export const CONTINUOUS_INTEGRATION: Detector = {
  id: 'any',
  extensions: [],
  *detect(folder) {
    if (folder.path !== '') return;
    const workflows = folder.folders.includes('.github') ? workflowFiles(folder) : [];
    if (workflows[0] !== undefined) yield { fact: 'tool', value: 'GitHub Actions', file: workflows[0] };
    for (const file of workflows) {
      yield* findCommands(readYaml(folder.read(file) ?? ''), file);
    }
    for (const [file, name] of OTHERS) {
      const text = folder.read(file);
      if (text === undefined) continue;
      yield { fact: 'tool', value: name, file };
      yield* findCommands(readYaml(text), file);
    }
  },
};

function workflowFiles(folder: ProjectFolder): readonly string[] {
  const names = folder.list(WORKFLOWS).filter((name) => /\.ya?ml$/.test(name));
  const everyday = names.filter((name) => EVERYDAY.test(name));
  const others = names.filter((name) => !EVERYDAY.test(name));
  return [...everyday, ...others].slice(0, MAX_WORKFLOWS).map((name) => `${WORKFLOWS}/${name}`);
}

/** Keys whose value is a shell command or a list of them. */
const SHELL_KEYS: ReadonlySet<string> = new Set(['run', 'script', 'before_script', 'command', 'bash']);

function* findCommands(entries: readonly YamlEntry[], file: string): Generator<Finding> {
  const folders = workingFolders(entries);
  for (const { path, value } of entries) {
    const key = /^\d+$/.test(path.at(-1) ?? '') ? path.at(-2) : path.at(-1);
    if (key === undefined || !SHELL_KEYS.has(key) || value === '') continue;
    const workingFolder = findWorkingFolder(path, folders);
    for (const line of value.replaceAll('\\\n', ' ').split('\n')) {
      if (line.includes('$') || line.trimStart().startsWith('#')) continue;
      for (const use of recogniseCommands(line)) {
        const folder = joinFolders(workingFolder, use.folder);
        const { fact, value, ecosystem } = use;
        yield { fact, value, ecosystem, file, folder, source: 'ci' };
      }
    }
  }
}

/** `working-directory` by the path of its scope: a step, a job or the workflow. */
function workingFolders(entries: readonly YamlEntry[]): ReadonlyMap<string, string> {
  const folders = new Map<string, string>();
  for (const { path, value } of entries) {
    if (path.at(-1) !== 'working-directory' && path.at(-1) !== 'working_directory') continue;
    const isDefault = path.at(-2) === 'run' && path.at(-3) === 'defaults';
    folders.set(path.slice(0, isDefault ? -3 : -1).join('\n'), value);
  }
  return folders;
}

function findWorkingFolder(path: readonly string[], folders: ReadonlyMap<string, string>): string {
  for (let length = path.length - 1; length >= 0; length--) {
    const folder = folders.get(path.slice(0, length).join('\n'));
    if (folder !== undefined) return joinFolders('', folder);
  }
  return '';
}

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
