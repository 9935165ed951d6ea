import { posix } from 'node:path';
import type { ListNode, PipelineNode, ShellWord } from './tree.ts';

/** What earlier commands of a line change for later ones. A folder is undefined when it is unknown. */
export interface ShellState {
  readonly folder: string | undefined;
  /** Target of `cd -`. */
  readonly previous: string | undefined;
  /** Targets of `popd`, innermost last. */
  readonly stack: readonly (string | undefined)[];
  /** `set -e`. */
  readonly errexit: boolean;
  /** `set -o pipefail`. */
  readonly pipefail: boolean;
  /** Exported names, as circumstances: `env:A`. */
  readonly exported: readonly string[];
}

/** Limits far beyond any real command line, so that its analysis takes linear time. */
const MAX_PATH = 4096;
const MAX_STACK = 32;
const MAX_EXPORTED = 64;

/** The state of a shell that starts in a folder. */
export function initialState(folder: string | undefined): ShellState {
  return { folder, previous: undefined, stack: [], errexit: false, pipefail: false, exported: [] };
}

/** The state after a builtin that only changes the state (`cd`, `set`, `export` …); undefined for other commands. */
export function changeState(state: ShellState, words: readonly ShellWord[]): ShellState | undefined {
  switch (words[0]?.text) {
    case 'cd':
    case 'chdir':
      return changeFolder(state, findOperand(words));
    case 'pushd':
      return {
        ...changeFolder(state, findOperand(words)),
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

function findOperand(words: readonly ShellWord[]): ShellWord | undefined {
  return words.slice(1).find((word) => word.text === '-' || !word.text.startsWith('-'));
}

function changeFolder(state: ShellState, target: ShellWord | undefined): ShellState {
  if (target?.text === '-') return { ...state, folder: state.previous, previous: state.folder };
  return { ...state, folder: resolveFolder(state.folder, target), previous: state.folder };
}

function resolveFolder(folder: string | undefined, target: ShellWord | undefined): string | undefined {
  // The home folder is unknown.
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
  let { errexit, pipefail } = state;
  if (words[0]?.text === 'setopt') {
    for (const { text } of words) {
      const option = text.toLowerCase().replaceAll('_', '');
      if (option === 'errexit') errexit = true;
      if (option === 'pipefail') pipefail = true;
    }
    return { ...state, errexit, pipefail };
  }
  let on = true;
  for (const { text } of words.slice(1)) {
    if (text === '--') break;
    if (/^[-+]/.test(text)) {
      on = text.startsWith('-');
      if (text.includes('e')) errexit = on;
    } else if (text === 'errexit') errexit = on;
    else if (text === 'pipefail') pipefail = on;
  }
  return { ...state, errexit, pipefail };
}

function addExported(state: ShellState, words: readonly ShellWord[]): ShellState {
  const exported = new Set(state.exported);
  for (const { text } of words) {
    const name = text === 'export' ? undefined : /^[A-Za-z_]\w*/.exec(text)?.[0];
    if (name !== undefined && exported.size < MAX_EXPORTED) exported.add(`env:${name}`);
  }
  return { ...state, exported: [...exported] };
}

/** Pipelines joined by `&&` and `||`. */
export interface Chain {
  readonly pipelines: readonly PipelineNode[];
  /** For each pipeline, whether a later `||` turns its failure into a success. */
  readonly rescued: readonly boolean[];
  readonly background: boolean;
  /** Whether a later `exit $?` returns its exit code: that of its last stage, or of its first (`${PIPESTATUS[0]}`). */
  readonly forwarded: 'no' | 'last' | 'first';
}

/** Splits a list into chains and finds out where their exit codes go. */
export function splitChains(list: ListNode): readonly Chain[] {
  const chains = groupPipelines(list);
  const forwarding = findForwarding(chains);
  return chains.map((pipelines, index) => ({
    pipelines,
    rescued: findRescued(pipelines),
    background: pipelines[0]?.background === true,
    forwarded: forwarding?.chain === index ? forwarding.stage : 'no',
  }));
}

function groupPipelines(list: ListNode): PipelineNode[][] {
  const chains: PipelineNode[][] = [];
  for (const pipeline of list.pipelines) {
    const last = chains.at(-1);
    if (last !== undefined && (pipeline.operator === '&&' || pipeline.operator === '||')) last.push(pipeline);
    else chains.push([pipeline]);
  }
  return chains;
}

/** A failure skips to the next `||`, which rescues it if its command can succeed. */
function findRescued(pipelines: readonly PipelineNode[]): readonly boolean[] {
  const rescued: boolean[] = new Array(pipelines.length).fill(false);
  let rescue = false;
  for (let index = pipelines.length - 1; index >= 0; index -= 1) {
    const pipeline = pipelines[index];
    rescued[index] = rescue;
    if (pipeline?.operator === '||') rescue = !alwaysFails(pipeline);
  }
  return rescued;
}

/** `exit 1`, `false`, or a group that ends with one of them. */
function alwaysFails(pipeline: PipelineNode): boolean {
  const stage = pipeline.stages.at(-1);
  if (stage === undefined || pipeline.negated) return false;
  if (stage.kind === 'group' || stage.kind === 'subshell') {
    const last = stage.parts.at(-1)?.list.pipelines.at(-1);
    return last !== undefined && alwaysFails(last);
  }
  if (stage.kind !== 'command') return false;
  const program = stage.words[0]?.text;
  if (program === 'false') return true;
  return (program === 'exit' || program === 'return') && stage.words[1]?.text !== '0';
}

interface Forwarding {
  readonly chain: number;
  readonly stage: 'last' | 'first';
}

/** `cmd; exit $?`, and `cmd; code=$?; …; exit $code`. */
function findForwarding(chains: readonly (readonly PipelineNode[])[]): Forwarding | undefined {
  const end = chains.length - 1;
  const stages = chains[end]?.length === 1 ? chains[end][0]?.stages : undefined;
  const command = stages?.length === 1 ? stages[0] : undefined;
  if (command?.kind !== 'command' || command.words[0]?.text !== 'exit') return undefined;
  const status = command.words[1]?.text ?? '$?';
  const stage = parseStatus(status);
  if (stage !== undefined) return { chain: end - 1, stage };
  const name = /^\$\{?([A-Za-z_]\w*)\}?$/.exec(status)?.[1];
  return name === undefined ? undefined : findSavedStatus(chains, name);
}

function findSavedStatus(chains: readonly (readonly PipelineNode[])[], name: string): Forwarding | undefined {
  for (let index = chains.length - 1; index > 0; index -= 1) {
    const command = chains[index]?.[0]?.stages[0];
    if (command?.kind !== 'command' || command.words.length > 0) continue;
    const kept = command.assignments.find((assignment) => assignment.name === name);
    const stage = kept === undefined ? undefined : parseStatus(kept.value);
    if (stage !== undefined) return { chain: index - 1, stage };
  }
  return undefined;
}

function parseStatus(text: string): Forwarding['stage'] | undefined {
  if (text === '$?') return 'last';
  // zsh counts from 1.
  return /^\$\{?(?:PIPESTATUS\[0\]|pipestatus\[1\])\}?$/.test(text) ? 'first' : undefined;
}
