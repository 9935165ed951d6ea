import { parseTree } from './parser.ts';
import type { CommandNode, GroupNode, ListNode, Operator, PipelineNode } from './tree.ts';
import { findInlineScript, unwrapCommand } from './unwrap.ts';

/** A simple command, `[[ ]]` or `(( ))`. */
export interface ShellCommand extends Omit<CommandNode, 'kind' | 'substitutions'> {
  /** Inside `for`, `while`, `if`, `case`, a subshell, a function or a substitution. */
  readonly nested: boolean;
  /** Circumstances inherited from an enclosing `bash -c '…'`: `sh -c`, `sudo`, `env:A`. */
  readonly inherited: readonly string[];
}

/** Commands joined by `|`. The commands of a compound stage are pipelines of their own, before this one. */
interface Pipeline extends Omit<PipelineNode, 'stages'> {
  readonly commands: readonly ShellCommand[];
}

/** A command line as a flat list of pipelines, including those of compound commands, substitutions and `bash -c`. */
export interface ShellScript {
  readonly pipelines: readonly Pipeline[];
  /** False when the text is truncated, unbalanced, nested too deeply or longer than 64 KiB. */
  readonly complete: boolean;
}

interface ScriptDraft {
  readonly pipelines: Pipeline[];
  complete: boolean;
}

interface Scope {
  readonly nested: boolean;
  readonly inherited: readonly string[];
  readonly scriptDepth: number;
}

/** Parses a POSIX, bash or zsh command line. Never throws, and takes time linear in the length of the text. */
export function parseShell(text: string): ShellScript {
  const tree = parseTree(text);
  const script: ScriptDraft = { pipelines: [], complete: tree.complete };
  flatten(tree.list, '', { nested: false, inherited: [], scriptDepth: 0 }, script);
  return script;
}

function flatten(list: ListNode, first: Operator, scope: Scope, into: ScriptDraft): void {
  for (const [index, pipeline] of list.pipelines.entries()) {
    const operator = index === 0 ? first : pipeline.operator;
    const commands: ShellCommand[] = [];
    for (const stage of pipeline.stages) {
      if (stage.kind === 'command') flattenCommand(stage, operator, scope, commands, into);
      else flattenGroup(stage, operator, scope, into);
    }
    const { negated, background } = pipeline;
    if (commands.length > 0) into.pipelines.push({ commands, operator, negated, background });
  }
}

function flattenGroup(group: GroupNode, operator: Operator, scope: Scope, into: ScriptDraft): void {
  flattenSubstitutions(group.substitutions, scope, into);
  const inside = { ...scope, nested: scope.nested || group.kind !== 'group' };
  for (const [index, part] of group.parts.entries()) flatten(part.list, index === 0 ? operator : ';', inside, into);
}

function flattenSubstitutions(lists: readonly ListNode[], scope: Scope, into: ScriptDraft): void {
  for (const list of lists) flatten(list, '', { ...scope, nested: true }, into);
}

function flattenCommand(
  node: CommandNode,
  operator: Operator,
  scope: Scope,
  commands: ShellCommand[],
  into: ScriptDraft,
): void {
  const { assignments, words, redirections, heredocs } = node;
  const { nested, inherited } = scope;
  const command = { assignments, words, redirections, heredocs, nested, inherited };
  const script = findInlineScript(unwrapCommand(command), heredocs, scope.scriptDepth);
  if (script !== undefined) {
    const inside = { ...scope, inherited: script.circumstances, scriptDepth: scope.scriptDepth + 1 };
    const tree = parseTree(script.text);
    if (!tree.complete) into.complete = false;
    flatten(tree.list, operator, inside, into);
    return;
  }
  flattenSubstitutions(node.substitutions, scope, into);
  commands.push(command);
}
