import type { CanonicalCommand } from '../shell/canonical-command.ts';
import type { Action } from './action.ts';
import type { ToolFamily } from './tool-family.ts';

/** One command of a command line. */
export interface CommandPart {
  readonly command: CanonicalCommand;
  readonly action: Action;
  /** `call:` and the canonical command. */
  readonly key: string;
  readonly needs: readonly string[];
}

/**
 * What a call needs. A call fails because something it needs is not there; a call that goes well proves that all it
 * needs is there. Everything the guard knows follows from this.
 */
export interface CallAnalysis {
  readonly family: ToolFamily;
  /** The call without what cannot change its outcome. */
  readonly signature: string;
  /** What it does. Of a chain, the most telling part. */
  readonly action: Action;
  readonly parts: readonly CommandPart[];
  readonly needs: readonly string[];
  /** Paths that exist after it went well, and paths whose content is known after it. */
  readonly makes: readonly string[];
  /** Files whose content it shows or changes. */
  readonly files: readonly string[];
  /** A question whose failure is the answer. */
  readonly isProbe: boolean;
  /** Exit code 0 does not mean that it went well. */
  readonly hidesExit: boolean;
  /** An edit that replaces a text by itself. */
  readonly isIdle: boolean;
}
