import type { FileContext } from '../context/files/file-context.ts';
import { lookupPath } from '../context/files/project-path.ts';
import { YoreError } from '../record/index.ts';

/** The files that the user wants the model to see. They are read anew for each request. */
export class SelectedFiles {
  readonly #context: FileContext;
  readonly #root: string;
  readonly #selected = new Set<string>();

  /** `root` is the folder that the context reads files from. */
  constructor(context: FileContext, root: string) {
    this.#context = context;
    this.#root = root;
  }

  /** Selects a file and returns its path in the project. NOT_FOUND, with the reason, when it cannot be sent. */
  add(path: string): string {
    const addition = this.#context.add(path);
    if (!addition.added) throw new YoreError('NOT_FOUND', addition.message);
    this.#selected.add(addition.path);
    return addition.path;
  }

  /** False when the file was not selected. */
  drop(path: string): boolean {
    const known = this.#selected.has(path) ? path : lookupPath(path, this.#root);
    this.#context.removeFile(known);
    return this.#selected.delete(known);
  }

  /**
   * Reads all selected files as they are now; those that are no longer there are no longer selected. Returns a line for
   * each of these. What was left out of a prompt for its size is tried again.
   */
  load(): readonly string[] {
    const problems: string[] = [];
    for (const path of [...this.#selected]) {
      const addition = this.#context.add(path);
      if (addition.added) continue;
      this.#selected.delete(path);
      problems.push(`${path} is not sent any more: ${addition.message}`);
    }
    return problems;
  }

  /** Sorted. */
  paths(): readonly string[] {
    return [...this.#selected].sort();
  }

  /** The files with what each adds to a prompt. */
  withTokens(): readonly { readonly path: string; readonly tokens: number }[] {
    const tokens = this.#context.getTokensByFile();
    return this.paths().map((path) => ({ path, tokens: tokens.get(path) ?? 0 }));
  }
}
