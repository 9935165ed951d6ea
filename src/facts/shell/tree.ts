/** One word of a command line. */
export interface ShellWord {
  /** Quotes removed; expansions kept as written: `$HOME`, `$(date)`. */
  readonly text: string;
  /** Some part of it was quoted or escaped. */
  readonly quoted: boolean;
  /** Contains something that the shell would expand: `$var`, `$( )`, a backtick, `<( )`, a glob or a brace expansion. */
  readonly expands: boolean;
  /** Exactly as written, with its quotes. */
  readonly source: string;
}

/** A redirection with its file descriptor. A duplication (`2>&1`, `>&2`, `2>&-`) is all operator; its target is empty. */
export interface Redirection {
  readonly operator: string;
  /** The file, the here-string, or the delimiter of a heredoc. */
  readonly target: string;
}

/** `NAME=value` before a command or on its own; an array keeps its value as written, `(a b)`. */
export interface Assignment {
  readonly name: string;
  readonly value: string;
}

/** How a pipeline is joined to the one before it; a newline counts as `;`. */
export type Operator = '' | '&&' | '||' | ';' | '&';

/** A simple command, `[[ ]]` or `(( ))`. */
export interface CommandNode {
  readonly kind: 'command';
  readonly assignments: readonly Assignment[];
  readonly words: readonly ShellWord[];
  readonly redirections: readonly Redirection[];
  readonly heredocs: readonly string[];
  /** Commands that its words run: `$( )`, backticks, `<( )`. */
  readonly substitutions: readonly ListNode[];
}

/** A list inside a compound command; `condition` marks the test of an `if` or a loop. */
export interface GroupPart {
  readonly condition: boolean;
  readonly list: ListNode;
}

/** A compound command. `group` is `{ }`, which runs in the current shell; the others have a scope or a condition. */
export interface GroupNode {
  readonly kind: 'group' | 'subshell' | 'if' | 'loop' | 'case' | 'function';
  readonly parts: readonly GroupPart[];
  readonly redirections: readonly Redirection[];
  readonly heredocs: readonly string[];
  readonly substitutions: readonly ListNode[];
}

/** Stages joined by `|`. */
export interface PipelineNode {
  readonly stages: readonly (CommandNode | GroupNode)[];
  readonly operator: Operator;
  readonly negated: boolean;
  /** The pipeline, or the `&&` chain it belongs to, ends with `&`. */
  readonly background: boolean;
}

/** Pipelines in order. */
export interface ListNode {
  readonly pipelines: readonly PipelineNode[];
}
