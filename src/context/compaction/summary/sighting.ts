/** How a command ended, as far as the text tells: `suspect` when only its output looks like a failure. */
export type Ending = 'worked' | 'failed' | 'suspect' | 'unknown';

/** A command that was run in a turn. */
export interface CommandSighting {
  readonly text: string;
  readonly turn: number;
  readonly ending: Ending;
  /** The line that says what went wrong; empty when it did not fail. */
  readonly errorLine: string;
}

/** A file that was changed, or only spoken of, in a turn. */
export interface FileSighting {
  readonly path: string;
  readonly turn: number;
  readonly edited: boolean;
}

/** Something that was said: what was asked, decided or measured. */
export interface Statement {
  readonly kind: 'request' | 'decision' | 'figure';
  readonly text: string;
  readonly turn: number;
}

/** Everything that was found in turns, in their order. */
export interface Sightings {
  readonly commands: readonly CommandSighting[];
  readonly files: readonly FileSighting[];
  readonly statements: readonly Statement[];
  readonly turns: number;
}
