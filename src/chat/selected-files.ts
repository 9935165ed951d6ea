import type { FileContext } from '../context/files/file-context.ts';
import { lookupPath } from '../context/files/project-path.ts';
import { YoreError } from '../record/index.ts';

/** The files that the user has selected for the model. They are read again for each request. */
export class SelectedFiles {
  readonly #context: FileContext;
  readonly #root: string;
  readonly #selected = new Set<string>();

  /** `root` is the folder that the context reads files from. */
  constructor(context: FileContext, root: string) {
    this.#context = context;
    this.#root = root;
  }

  /** Selects a file and returns its path in the project. Throws NOT_FOUND with the reason if it cannot be sent. */
  add(path: string): string {
    const addition = this.#context.add(path);
    if (!addition.added) throw new YoreError('NOT_FOUND', addition.message);
    this.#selected.add(addition.path);
    return addition.path;
  }

  /** Returns false if the file was not selected. */
  drop(path: string): boolean {
    const known = this.#selected.has(path) ? path : lookupPath(path, this.#root);
    this.#context.removeFile(known);
    return this.#selected.delete(known);
  }

  /**
   * Reads all selected files, including those that were left out of the last prompt for their size. Deselects files that
   * can no longer be read and returns a line about each of them.
   */
  load(): readonly string[] {
    const problems: string[] = [];
    for (const path of [...this.#selected]) {
      const addition = this.#context.add(path);
      if (addition.added) continue;
      this.#selected.delete(path);
      problems.push(`${path} is no longer sent: ${addition.message}`);
    }
    return problems;
  }

  /** The selected paths, sorted. */
  paths(): readonly string[] {
    return [...this.#selected].sort();
  }

  /** The selected files with the tokens of each. */
  withTokens(): readonly { readonly path: string; readonly tokens: number }[] {
    const tokens = this.#context.getTokensByFile();
    return this.paths().map((path) => ({ path, tokens: tokens.get(path) ?? 0 }));
  }
}
