import { readTree } from './grammar.ts';
import { findInlineScript } from './inline-script.ts';
import type {
  Assignment,
  CommandNode,
  GroupNode,
  ListNode,
  Operator,
  Redirection,
  ShellWord,
} from './tree.ts';
import { unwrapCommand } from './unwrap.ts';

/** A simple command, `[[ ]]` or `(( ))`. */
export interface ShellCommand {
  readonly assignments: readonly Assignment[];
  readonly words: readonly ShellWord[];
  readonly redirections: readonly Redirection[];
  /** The bodies of its heredocs, in order. */
  readonly heredocs: readonly string[];
  /** Inside `for`, `while`, `if`, `case`, a subshell, a function or a substitution. */
  readonly nested: boolean;
  /** What it inherits from the `bash -c '…'` it was written in: `sh -c`, `sudo`, `env:A`. */
  readonly within: readonly string[];
}

/** Commands joined by `|`. A compound command is not among them: what it runs precedes the pipeline. */
interface Pipeline {
  readonly commands: readonly ShellCommand[];
  readonly operator: Operator;
  readonly negated: boolean;
  /** Runs in the background. */
  readonly background: boolean;
}

/** A command line taken apart, its compound commands, substitutions and `bash -c` scripts laid out flat. */
export interface ShellScript {
  readonly pipelines: readonly Pipeline[];
  /** False when the text is cut off or unbalanced, nests too deep, or is longer than the 64 KiB that are read. */
  readonly complete: boolean;
}

/** The script while it is being laid out. */
interface Draft {
  readonly pipelines: Pipeline[];
  complete: boolean;
}

interface Surroundings {
  readonly nested: boolean;
  readonly within: readonly string[];
  readonly scriptDepth: number;
}

/** Takes a POSIX, bash or zsh command line apart. Never throws, whatever the text, and takes time linear in its length. */
export function parseShell(text: string): ShellScript {
  const tree = readTree(text);
  const script: Draft = { pipelines: [], complete: tree.complete };
  flatten(tree.list, '', { nested: false, within: [], scriptDepth: 0 }, script);
  return script;
}

function flatten(list: ListNode, first: Operator, around: Surroundings, into: Draft): void {
  for (const [index, pipeline] of list.pipelines.entries()) {
    const operator = index === 0 ? first : pipeline.operator;
    const commands: ShellCommand[] = [];
    for (const stage of pipeline.stages) {
      if (stage.kind === 'command') flattenCommand(stage, operator, around, commands, into);
      else flattenGroup(stage, operator, around, into);
    }
    const { negated, background } = pipeline;
    if (commands.length > 0) into.pipelines.push({ commands, operator, negated, background });
  }
}

function flattenGroup(group: GroupNode, operator: Operator, around: Surroundings, into: Draft): void {
  flattenSubstitutions(group.substitutions, around, into);
  const inside = { ...around, nested: around.nested || group.kind !== 'group' };
  for (const [index, part] of group.parts.entries())
    flatten(part.list, index === 0 ? operator : ';', inside, into);
}

function flattenSubstitutions(lists: readonly ListNode[], around: Surroundings, into: Draft): void {
  for (const list of lists) flatten(list, '', { ...around, nested: true }, into);
}

function flattenCommand(
  node: CommandNode,
  operator: Operator,
  around: Surroundings,
  commands: ShellCommand[],
  into: Draft,
): void {
  const { assignments, words, redirections, heredocs } = node;
  const command = {
    assignments,
    words,
    redirections,
    heredocs,
    nested: around.nested,
    within: around.within,
  };
  const script = findInlineScript(unwrapCommand(command), heredocs, around.scriptDepth);
  if (script !== undefined) {
    const inside = { ...around, within: script.circumstances, scriptDepth: around.scriptDepth + 1 };
    const tree = readTree(script.text);
    if (!tree.complete) into.complete = false;
    flatten(tree.list, operator, inside, into);
    return;
  }
  flattenSubstitutions(node.substitutions, around, into);
  commands.push(command);
}
