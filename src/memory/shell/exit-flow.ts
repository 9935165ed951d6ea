import type { ListNode, PipelineNode } from './tree.ts';

/** Pipelines joined by `&&` and `||`. */
export interface Chain {
  readonly pipelines: readonly PipelineNode[];
  /** For each pipeline: a `||` after it turns its failure into a success. */
  readonly rescued: readonly boolean[];
  readonly background: boolean;
  /** A later `exit $?` hands its exit code on: of the last stage, or of the first with `${PIPESTATUS[0]}`. */
  readonly forwarded: 'no' | 'last' | 'first';
}

/** The chains of a list, with what becomes of their exit codes. */
export function chainsOf(list: ListNode): readonly Chain[] {
  const chains = splitChains(list);
  const forwarding = findForwarding(chains);
  return chains.map((pipelines, index) => ({
    pipelines,
    rescued: findRescued(pipelines),
    background: pipelines[0]?.background === true,
    forwarded: forwarding?.chain === index ? forwarding.stage : 'no',
  }));
}

function splitChains(list: ListNode): PipelineNode[][] {
  const chains: PipelineNode[][] = [];
  for (const pipeline of list.pipelines) {
    const last = chains.at(-1);
    if (last !== undefined && (pipeline.operator === '&&' || pipeline.operator === '||')) last.push(pipeline);
    else chains.push([pipeline]);
  }
  return chains;
}

/** A failure skips to the next `||`: whether what stands there can succeed decides. */
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

/** `exit 1`, `false`, or a group that ends so. */
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
  const stage = statusOf(status);
  if (stage !== undefined) return { chain: end - 1, stage };
  const name = /^\$\{?([A-Za-z_]\w*)\}?$/.exec(status)?.[1];
  return name === undefined ? undefined : findKept(chains, name);
}

function findKept(chains: readonly (readonly PipelineNode[])[], name: string): Forwarding | undefined {
  for (let index = chains.length - 1; index > 0; index -= 1) {
    const command = chains[index]?.[0]?.stages[0];
    if (command?.kind !== 'command' || command.words.length > 0) continue;
    const kept = command.assignments.find((assignment) => assignment.name === name);
    const stage = kept === undefined ? undefined : statusOf(kept.value);
    if (stage !== undefined) return { chain: index - 1, stage };
  }
  return undefined;
}

function statusOf(text: string): Forwarding['stage'] | undefined {
  if (text === '$?') return 'last';
  // zsh counts from 1.
  return /^\$\{?(?:PIPESTATUS\[0\]|pipestatus\[1\])\}?$/.test(text) ? 'first' : undefined;
}
