import type { Clue, Detector } from '../detector.ts';
import { readYaml, type YamlEntry } from '../formats/yaml.ts';
import type { Place } from '../place.ts';
import { joinFolders } from '../programs-run.ts';
import { recogniseCommands } from '../recognise-commands.ts';

const WORKFLOWS = '.github/workflows';
/** More workflows than that are not read. */
const MOST_WORKFLOWS = 12;
/** The workflows whose commands are everyday ones, before those for releases and sites. */
const EVERYDAY = /(^|[-_.])(ci|test|tests|check|checks|build|main|pr|pull|lint|verify)([-_.]|$)/;

const OTHERS: readonly (readonly [file: string, name: string])[] = [
  ['.gitlab-ci.yml', 'GitLab CI'],
  ['.circleci/config.yml', 'CircleCI'],
  ['azure-pipelines.yml', 'Azure Pipelines'],
  ['.travis.yml', 'Travis CI'],
  ['bitbucket-pipelines.yml', 'Bitbucket Pipelines'],
];

/** The commands that continuous integration runs. Those with variables in them are left out. */
export const INTEGRATION: Detector = {
  id: 'any',
  extensions: [],
  *detect(place) {
    if (place.folder !== '') return;
    const workflows = place.folders.includes('.github') ? workflowFiles(place) : [];
    if (workflows[0] !== undefined) yield { fact: 'tool', value: 'GitHub Actions', file: workflows[0] };
    for (const file of workflows) {
      yield* commandsOf(readYaml(place.read(file) ?? ''), file);
    }
    for (const [file, name] of OTHERS) {
      const folder = file.includes('/') ? (file.split('/')[0] ?? '') : '';
      if (folder === '' ? !place.has(file) : !place.folders.includes(folder)) continue;
      const text = place.read(file);
      if (text === undefined) continue;
      yield { fact: 'tool', value: name, file };
      yield* commandsOf(readYaml(text), file);
    }
  },
};

function workflowFiles(place: Place): readonly string[] {
  const names = place.list(WORKFLOWS).filter((name) => /\.ya?ml$/.test(name));
  const everyday = names.filter((name) => EVERYDAY.test(name));
  const others = names.filter((name) => !EVERYDAY.test(name));
  return [...everyday, ...others].slice(0, MOST_WORKFLOWS).map((name) => `${WORKFLOWS}/${name}`);
}

/** Keys whose value is a shell line, or a list of them. */
const SHELL_KEYS: ReadonlySet<string> = new Set(['run', 'script', 'before_script', 'command', 'bash']);

function* commandsOf(entries: readonly YamlEntry[], file: string): Generator<Clue> {
  const folders = workingFolders(entries);
  for (const { path, value } of entries) {
    const key = /^\d+$/.test(path.at(-1) ?? '') ? path.at(-2) : path.at(-1);
    if (key === undefined || !SHELL_KEYS.has(key) || value === '') continue;
    const around = folderOf(path, folders);
    for (const line of value.replaceAll('\\\n', ' ').split('\n')) {
      if (line.includes('$') || line.trimStart().startsWith('#')) continue;
      for (const use of recogniseCommands(line)) {
        const folder = joinFolders(around, use.folder);
        yield {
          fact: use.fact,
          value: use.value,
          ecosystem: use.ecosystem,
          file,
          folder,
          strength: 'integration',
        };
      }
    }
  }
}

/** `working-directory` by the path of what it is set for: a step, a job's defaults or all of them. */
function workingFolders(entries: readonly YamlEntry[]): ReadonlyMap<string, string> {
  const folders = new Map<string, string>();
  for (const { path, value } of entries) {
    if (path.at(-1) !== 'working-directory' && path.at(-1) !== 'working_directory') continue;
    const isDefault = path.at(-2) === 'run' && path.at(-3) === 'defaults';
    folders.set(path.slice(0, isDefault ? -3 : -1).join('\n'), value);
  }
  return folders;
}

function folderOf(path: readonly string[], folders: ReadonlyMap<string, string>): string {
  for (let length = path.length - 1; length >= 0; length--) {
    const folder = folders.get(path.slice(0, length).join('\n'));
    if (folder !== undefined) return joinFolders('', folder);
  }
  return '';
}
