import { posix } from 'node:path';
import type { ShellWord } from './tree.ts';

/** What earlier commands of a line change for the later ones. Folders are undefined where they cannot be known. */
export interface ShellState {
  readonly folder: string | undefined;
  /** Where `cd -` goes. */
  readonly previous: string | undefined;
  /** Where `popd` goes, innermost last. */
  readonly stack: readonly (string | undefined)[];
  /** `set -e` is in force. */
  readonly stopsAtError: boolean;
  /** `set -o pipefail` is in force. */
  readonly pipeFails: boolean;
  /** Names that were exported, as circumstances: `env:A`. */
  readonly exported: readonly string[];
}

/** A line that goes deeper, stacks more or exports more than any real one is not followed: time stays linear. */
const MAX_PATH = 4096;
const MAX_STACK = 32;
const MAX_EXPORTED = 64;

/** A shell that has just started in a folder. */
export function startIn(folder: string | undefined): ShellState {
  return { folder, previous: undefined, stack: [], stopsAtError: false, pipeFails: false, exported: [] };
}

/** The state after a command that changes only the state; undefined for any other command. */
export function changeState(state: ShellState, words: readonly ShellWord[]): ShellState | undefined {
  switch (words[0]?.text) {
    case 'cd':
    case 'chdir':
      return changeFolder(state, operandOf(words));
    case 'pushd':
      return {
        ...changeFolder(state, operandOf(words)),
        stack: [...state.stack, state.folder].slice(-MAX_STACK),
      };
    case 'popd':
      return {
        ...state,
        folder: state.stack.at(-1),
        previous: state.folder,
        stack: state.stack.slice(0, -1),
      };
    case 'set':
    case 'setopt':
      return setOptions(state, words);
    case 'export':
      return addExported(state, words);
    case 'unset': {
      const removed = new Set(words.slice(1).map((word) => `env:${word.text}`));
      return { ...state, exported: state.exported.filter((name) => !removed.has(name)) };
    }
    default:
      return undefined;
  }
}

function operandOf(words: readonly ShellWord[]): ShellWord | undefined {
  return words.slice(1).find((word) => word.text === '-' || !word.text.startsWith('-'));
}

function changeFolder(state: ShellState, target: ShellWord | undefined): ShellState {
  if (target?.text === '-') return { ...state, folder: state.previous, previous: state.folder };
  return { ...state, folder: resolveFolder(state.folder, target), previous: state.folder };
}

function resolveFolder(folder: string | undefined, target: ShellWord | undefined): string | undefined {
  // The home folder is not known here.
  if (target === undefined || target.expands || target.source.startsWith('~')) return undefined;
  const { text } = target;
  if (text.startsWith('/') || /^[A-Za-z]:[\\/]/.test(text)) return trimSlash(posix.normalize(text));
  if (folder === undefined || folder.length + text.length > MAX_PATH) return undefined;
  return trimSlash(posix.join(folder, text));
}

function trimSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

function setOptions(state: ShellState, words: readonly ShellWord[]): ShellState {
  let { stopsAtError, pipeFails } = state;
  if (words[0]?.text === 'setopt') {
    for (const { text } of words) {
      const option = text.toLowerCase().replaceAll('_', '');
      if (option === 'errexit') stopsAtError = true;
      if (option === 'pipefail') pipeFails = true;
    }
    return { ...state, stopsAtError, pipeFails };
  }
  let on = true;
  for (const { text } of words.slice(1)) {
    if (text === '--') break;
    if (/^[-+]/.test(text)) {
      on = text.startsWith('-');
      if (text.includes('e')) stopsAtError = on;
    } else if (text === 'errexit') stopsAtError = on;
    else if (text === 'pipefail') pipeFails = on;
  }
  return { ...state, stopsAtError, pipeFails };
}

function addExported(state: ShellState, words: readonly ShellWord[]): ShellState {
  const exported = new Set(state.exported);
  for (const { text } of words) {
    const name = text === 'export' ? undefined : /^[A-Za-z_]\w*/.exec(text)?.[0];
    if (name !== undefined && exported.size < MAX_EXPORTED) exported.add(`env:${name}`);
  }
  return { ...state, exported: [...exported] };
}
