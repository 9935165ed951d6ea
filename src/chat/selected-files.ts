import type { FileContext } from '../context/files/file-context.ts';
import { YoreError } from '../record/index.ts';

/** The files that the user wants the model to see. They are read anew for each request. */
export class SelectedFiles {
  readonly #context: FileContext;
  readonly #selected = new Set<string>();

  constructor(context: FileContext) {
    this.#context = context;
  }

  /** Selects a file and returns its path in the project. NOT_FOUND when it is missing or no text; USAGE when outside. */
  add(path: string): string {
    const before = new Set(this.#context.getFiles());
    if (!this.#context.addFile(path)) {
      throw new YoreError(
        'NOT_FOUND',
        `There is no text file ${path} in this project. Give its path from the project's folder.`,
      );
    }
    const added = this.#context.getFiles().find((file) => !before.has(file)) ?? path;
    this.#selected.add(added);
    return added;
  }

  drop(path: string): boolean {
    this.#context.removeFile(path);
    return this.#selected.delete(path);
  }

  /** Reads all selected files as they are now. Returns a line for each that is no longer there. */
  load(): readonly string[] {
    for (const path of this.#context.getFiles())
      if (!this.#selected.has(path)) this.#context.removeFile(path);
    const missing = [...this.#selected].filter((path) => !this.#isRead(path));
    for (const path of missing) this.drop(path);
    return missing.map((path) => `${path} is no longer there: it is not sent any more.`);
  }

  paths(): readonly string[] {
    return [...this.#selected].sort();
  }

  /** The files with what each adds to a prompt. */
  withTokens(): readonly { readonly path: string; readonly tokens: number }[] {
    const tokens = this.#context.getTokensByFile();
    return this.paths().map((path) => ({ path, tokens: tokens.get(path) ?? 0 }));
  }

  #isRead(path: string): boolean {
    try {
      return this.#context.addFile(path);
    } catch {
      return false;
    }
  }
}
