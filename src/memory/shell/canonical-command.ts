import type { Operator, Redirection } from './tree.ts';

/** A command that matters, out of a whole command line. */
export interface CanonicalCommand {
  /** Without wrappers, assignments, redirections and heredocs. */
  readonly words: readonly string[];
  /** Where it runs; left out where that cannot be known. */
  readonly folder?: string;
  /** Wrappers, prefixes and names of assignments: `sudo`, `npx`, `env:CI`. */
  readonly circumstances: readonly string[];
  /** How it is joined to the command before it in this list; `|` when it reads what that one writes. */
  readonly operator: Operator | '|';
  /** A later stage of its pipeline hides its exit code. */
  readonly piped: boolean;
  /** Its exit code does not reach the caller for another reason: `|| true`, `; echo`, `&`, a condition, a loop. */
  readonly masked: boolean;
  /** Inside a loop, a condition, a subshell, a function or a substitution. */
  readonly nested: boolean;
  /** Its words as they were written. */
  readonly text: string;
  readonly redirections: readonly Redirection[];
  /** The bodies of its heredocs. */
  readonly heredocs: readonly string[];
}
