import type { CanonicalCommand } from './canonical-command.ts';
import { type Chain, chainsOf } from './exit-flow.ts';
import { readTree } from './grammar.ts';
import { findInlineScript } from './inline-script.ts';
import { type Role, roleOf } from './roles.ts';
import { changeState, type ShellState, startIn } from './shell-state.ts';
import type { CommandNode, GroupNode, ListNode, Operator, PipelineNode } from './tree.ts';
import { type Unwrapped, unwrapCommand } from './unwrap.ts';

/** A command with what it is there for. */
export interface Found {
  readonly role: Role;
  /** In a substitution, a condition or the body of a function: not what the line is run for. */
  readonly aside: boolean;
  readonly command: CanonicalCommand;
}

/** What the place of a command in the line says of it. */
interface Place {
  readonly operator: Operator | '|';
  readonly piped: boolean;
  readonly masked: boolean;
  readonly nested: boolean;
  readonly aside: boolean;
  readonly within: readonly string[];
  readonly scriptDepth: number;
  readonly stage: number;
  readonly stages: number;
}

/** The line that was walked last: what it does and what its exit code says are asked one after the other. */
let last: { readonly text: string; readonly folder: string | undefined; readonly found: readonly Found[] } = {
  text: '',
  folder: undefined,
  found: [],
};

/** All commands of a line in the order in which they run, each with its role. */
export function canonicalWalk(text: string, folder: string | undefined): readonly Found[] {
  if (last.text !== text || last.folder !== folder) last = { text, folder, found: walkLine(text, folder) };
  return last.found;
}

function walkLine(text: string, folder: string | undefined): readonly Found[] {
  const found: Found[] = [];
  const place: Place = {
    operator: '',
    piped: false,
    masked: false,
    nested: false,
    aside: false,
    within: [],
    scriptDepth: 0,
    stage: 0,
    stages: 1,
  };
  walkList(readTree(text).list, place, startIn(folder), found);
  return found;
}

/** Walks a list and returns the state in which it leaves the shell. */
function walkList(list: ListNode, place: Place, before: ShellState, found: Found[]): ShellState {
  const chains = chainsOf(list);
  let state = before;
  for (const [index, chain] of chains.entries()) {
    const operator = index === 0 ? place.operator : undefined;
    const after = walkChain(
      chain,
      index === chains.length - 1,
      { ...place, operator: operator ?? ';' },
      state,
      found,
    );
    if (!chain.background) state = after;
  }
  return state;
}

function walkChain(
  chain: Chain,
  last: boolean,
  place: Place,
  before: ShellState,
  found: Found[],
): ShellState {
  let state = before;
  // Whether the folder depends on which commands of the chain succeeded; the first one is taken to.
  let unsure = false;
  for (const [index, pipeline] of chain.pipelines.entries()) {
    const ends = index === chain.pipelines.length - 1;
    // `set -e` stops at a failing chain only when its last pipeline is what failed.
    const reaches = last || chain.forwarded !== 'no' || (state.stopsAtError && ends);
    const hidden = !reaches || chain.background || pipeline.negated || chain.rescued[index] === true;
    const operator = index === 0 && pipeline.operator !== '&' ? place.operator : pipeline.operator;
    const inside = { ...place, operator, masked: place.masked || hidden };
    const alternative = pipeline.operator === '||';
    if (alternative && unsure) state = { ...state, folder: undefined };
    const after = walkPipeline(pipeline, inside, state, chain.forwarded === 'first', found);
    const moved = index > 0 && after.folder !== state.folder;
    unsure ||= moved;
    state = moved && alternative ? { ...after, folder: undefined } : after;
  }
  return state;
}

function walkPipeline(
  pipeline: PipelineNode,
  place: Place,
  state: ShellState,
  forwardsFirst: boolean,
  found: Found[],
): ShellState {
  const [only] = pipeline.stages;
  const stages = pipeline.stages.length;
  if (only !== undefined && stages === 1)
    return walkStage(only, { ...place, stage: 0, stages }, state, found);
  for (const [stage, node] of pipeline.stages.entries()) {
    const lost = forwardsFirst ? stage > 0 : stage < stages - 1 && !state.pipeFails;
    const operator = stage === 0 ? place.operator : '|';
    // Every stage is a process of its own: what it changes ends with it.
    walkStage(node, { ...place, operator, piped: place.piped || lost, stage, stages }, state, found);
  }
  return state;
}

function walkStage(
  node: CommandNode | GroupNode,
  place: Place,
  state: ShellState,
  found: Found[],
): ShellState {
  return node.kind === 'command'
    ? walkCommand(node, place, state, found)
    : walkGroup(node, place, state, found);
}

function walkGroup(group: GroupNode, place: Place, before: ShellState, found: Found[]): ShellState {
  walkSubstitutions(group.substitutions, place, true, before, found);
  const { kind } = group;
  const nested = place.nested || kind !== 'group';
  // Of a loop only the last round's exit code is seen, of a function none: it is only defined here.
  const lost = kind === 'function' || (kind === 'loop' && !before.stopsAtError);
  let state = before;
  let moved = false;
  for (const [index, { condition, list }] of group.parts.entries()) {
    const masked = place.masked || condition || lost;
    const aside = place.aside || condition || kind === 'function';
    const operator = index === 0 ? place.operator : ';';
    const after = walkList(list, { ...place, operator, nested, masked, aside }, state, found);
    if (kind === 'group') return after;
    moved ||= after.folder !== before.folder;
    // The branches of an `if` or a `case` do not follow one another; its conditions do.
    if (condition) state = after;
  }
  if (kind === 'subshell' || kind === 'function' || !moved) return before;
  return { ...before, folder: undefined };
}

/** Walks what words run; `lost` when the command that uses the output has an exit code of its own. */
function walkSubstitutions(
  lists: readonly ListNode[],
  place: Place,
  lost: boolean,
  state: ShellState,
  found: Found[],
): void {
  if (lists.length === 0) return;
  const masked = place.masked || lost;
  const operator = place.operator === '|' ? ';' : place.operator;
  const piped = place.piped && !lost;
  const inside: Place = { ...place, operator, masked, piped, nested: true, aside: true };
  for (const list of lists) walkList(list, inside, state, found);
}

function walkCommand(node: CommandNode, place: Place, state: ShellState, found: Found[]): ShellState {
  const within = state.exported.length > 0 ? [...place.within, ...state.exported] : place.within;
  const unwrapped = unwrapCommand({ assignments: node.assignments, words: node.words, within });
  const script = findInlineScript(unwrapped, node.heredocs, place.scriptDepth);
  if (script !== undefined) {
    const inside = { ...place, within: script.circumstances, scriptDepth: place.scriptDepth + 1 };
    const stopsAtError = script.inPlace ? state.stopsAtError : script.stopsAtError;
    const pipeFails = script.inPlace ? state.pipeFails : script.pipeFails;
    const list = readTree(script.text).list;
    const after = walkList(list, inside, { ...state, stopsAtError, pipeFails }, found);
    return script.inPlace ? after : state;
  }
  // Only a bare assignment hands on the exit code of what it runs.
  walkSubstitutions(node.substitutions, place, node.words.length > 0, state, found);
  const changed = changeState(state, unwrapped.words);
  const role = changed === undefined ? roleOf(unwrapped.words, node, place.stage, place.stages) : 'state';
  found.push({ role, aside: place.aside, command: toCanonical(node, unwrapped, place, state) });
  return changed ?? state;
}

function toCanonical(
  node: CommandNode,
  unwrapped: Unwrapped,
  place: Place,
  state: ShellState,
): CanonicalCommand {
  const { words, circumstances } = unwrapped;
  const { operator, piped, masked, nested } = place;
  const { redirections, heredocs } = node;
  const texts = words.map((word) => word.text);
  const text = words.map((word) => word.source).join(' ');
  const command = {
    words: texts,
    circumstances,
    operator,
    piped,
    masked,
    nested,
    text,
    redirections,
    heredocs,
  };
  return state.folder === undefined ? command : { ...command, folder: state.folder };
}
