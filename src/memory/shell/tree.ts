/** One word of a command line. */
export interface ShellWord {
  /** Quotes removed; expansions kept as written: `$HOME`, `$(date)`. */
  readonly text: string;
  /** Some part of it was quoted or escaped. */
  readonly quoted: boolean;
  /** Holds `$var`, `$( )`, a backtick, `<( )`, a glob or a brace expansion that the shell would replace. */
  readonly expands: boolean;
  /** Exactly as written, with its quotes. */
  readonly source: string;
}

/** A redirection with its file descriptor. A duplication (`2>&1`, `>&2`, `2>&-`) is all operator, its target is empty. */
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

/** A command of the tree: the words of one simple command, `[[ ]]` or `(( ))`. */
export interface CommandNode {
  readonly kind: 'command';
  readonly assignments: readonly Assignment[];
  readonly words: readonly ShellWord[];
  readonly redirections: readonly Redirection[];
  readonly heredocs: readonly string[];
  /** What its words run: `$( )`, backticks, `<( )`. */
  readonly substitutions: readonly ListNode[];
}

/** A list inside a compound command; the condition of an `if` or a loop only decides. */
export interface GroupPart {
  readonly condition: boolean;
  readonly list: ListNode;
}

/** A compound command. `group` is `{ }`, which runs where it stands; the others have a scope or a condition. */
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
  /** Ended by `&`: it or the `&&` chain it is in runs in the background. */
  readonly background: boolean;
}

/** Pipelines in order. */
export interface ListNode {
  readonly pipelines: readonly PipelineNode[];
}
