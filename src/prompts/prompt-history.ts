import { readStamp } from '../files/file-access.ts';
import { withLock } from '../files/lock.ts';
import type { Diagnostic } from '../record/error.ts';
import { omitUndefined } from '../record/object.ts';
import { redact } from '../redact/redact.ts';
import { isTypedPrompt } from '../text/is-typed-prompt.ts';
import { PendingPrompts } from './pending-prompts.ts';
import {
  deleteCopies,
  keepDamagedCopy,
  listCopies,
  PromptDocument,
  readPromptFile,
  writePromptFile,
} from './prompt-file.ts';
import { type Order, type PromptUse, type RankedPrompt, selectPrompts } from './prompt-list.ts';

/** The same as the default of the setting `prompts.size`, which {@link OfferedPrompts} applies. */
const DEFAULT_LIMIT = 100;

/** A prompt to record. */
export interface TypedPrompt {
  readonly text: string;
  /** Id of the project it was typed in, if any. */
  readonly project?: string | undefined;
  /** When it was typed, in epoch milliseconds. Default, also for an impossible time: now. */
  readonly usedAt?: number | undefined;
  /** How often it was used in all, if its source counts. Default: once more than before. */
  readonly uses?: number | undefined;
}

/** What to delete: all prompts of a project, prompts by text everywhere, or by text in one project. */
export type PromptsToForget =
  | { readonly project: string; readonly texts?: readonly string[] }
  | { readonly project?: undefined; readonly texts: readonly string[] };

/**
 * The prompts that the user typed in all projects, ranked by frecency, in one JSON file. Several processes may share
 * it: changes are made to the current file under a lock, and reading notices what others wrote. Nothing is read or
 * created before it is needed. Throws NEWER_VERSION when a newer yore wrote the file.
 */
export class PromptHistory {
  readonly #path: string;
  readonly #now: () => number;
  readonly #diagnostics: Diagnostic[] = [];
  readonly #pending: PendingPrompts;
  #loaded: { readonly document: PromptDocument; readonly stamp: string } | undefined;
  #unsaved: PromptUse[] = [];

  /** `path` is `prompts.json` in yore's home. */
  constructor(path: string, now: () => number = Date.now) {
    this.#path = path;
    this.#now = now;
    this.#pending = new PendingPrompts(path);
  }

  /**
   * Counts one use of a prompt and saves it, redacted. Returns false and records nothing if the user did not type it
   * (see {@link isTypedPrompt}). Over 500 prompts in a project, the one with the lowest score is evicted.
   */
  upsert(text: string, project?: string): boolean {
    return this.upsertAll([{ text, project }]) === 1;
  }

  /**
   * Like {@link upsert} for a process that must be fast: appends a line, which is merged into the file at the next
   * {@link save} or other change. Reading includes it at once.
   */
  defer(text: string, project: string): boolean {
    return this.#pending.add(text, project, this.#now());
  }

  /** Records many prompts, in order, with one write. Returns how many of them the user typed. */
  upsertAll(prompts: readonly TypedPrompt[]): number {
    const now = this.#now();
    let recorded = 0;
    for (const { text, project = '', usedAt = now, uses } of prompts) {
      if (!isTypedPrompt(text)) continue;
      const isPast = usedAt > 0 && usedAt <= now;
      const use = { text: redact(text).trim(), project, usedAt: isPast ? usedAt : now, now };
      this.#unsaved.push({ ...use, ...omitUndefined({ uses }) });
      recorded++;
    }
    this.save();
    return recorded;
  }

  /** Writes deferred prompts and those that could not be written before, e.g. because the disk was full. */
  save(): void {
    if (this.#unsaved.length === 0 && this.#pending.isEmpty) return;
    this.#change((document) => {
      for (const use of this.#unsaved) document.add(use);
    });
    this.#unsaved = [];
  }

  /**
   * Prompts that contain `query`, ignoring case, most recently used first. An empty query matches all. `limit` defaults
   * to 100; 0 or less is no limit. With a project its own prompts come first, then those that only other projects used.
   */
  search(query: string, limit: number = DEFAULT_LIMIT, project?: string): RankedPrompt[] {
    const lowerCase = query.toLowerCase();
    return this.#select((text) => text.toLowerCase().includes(lowerCase), 'recency', limit, project);
  }

  /** Completions of what was typed so far, ignoring case, highest score first. `limit` and `project` as in {@link search}. */
  suggest(prefix: string, limit: number = DEFAULT_LIMIT, project?: string): RankedPrompt[] {
    const typed = prefix.trimStart();
    const lowerCase = typed.toLowerCase();
    const completes = (text: string) => text !== typed && text.toLowerCase().startsWith(lowerCase);
    return this.#select(completes, 'score', limit, project);
  }

  /** The prompts of one project, or of all projects together, highest score first. */
  list(project?: string): RankedPrompt[] {
    const all = this.#select(() => true, 'score', 0, project);
    return project === undefined ? all : all.filter((prompt) => prompt.projects.includes(project));
  }

  /**
   * Deletes prompts permanently and returns how many. Copies of damaged files are deleted too, since they may contain
   * the same prompts; a damaged file is replaced by what could be read of it.
   */
  forget({ project, texts }: PromptsToForget): number {
    this.save();
    if (readStamp(this.#path) === '' && listCopies(this.#path).length === 0) return 0;
    const stored = texts?.map((text) => redact(text).trim());
    let removed = 0;
    this.#change((document) => {
      for (const id of project === undefined ? document.lists.keys() : [project]) {
        removed += document.remove(id, stored);
      }
    }, 'drop');
    return removed;
  }

  /** Damage of the file, and where a copy of a damaged one was kept. */
  get diagnostics(): readonly Diagnostic[] {
    const damage = this.#view()
      .findProblems()
      .map((problem) => ({
        code: 'invalid' as const,
        message: `The prompt history ${this.#path} is damaged: ${problem}. A copy will be kept when the next prompt is recorded.`,
      }));
    return [...this.#diagnostics, ...damage];
  }

  /** Applies a change to the current file under the lock. */
  #change(apply: (document: PromptDocument) => void, damaged: 'keep' | 'drop' = 'keep'): void {
    withLock(`${this.#path}.lock`, () => {
      const document = this.#load();
      // Until the change is written, the document differs from the file.
      this.#loaded = undefined;
      this.#pending.consume((deferred) => {
        for (const use of deferred) document.add({ ...use, now: this.#now() });
        apply(document);
        if (damaged === 'drop') deleteCopies(this.#path);
        else if (document.problems.length > 0) this.#keepCopy(document.problems);
        if (document.isChanged || document.problems.length > 0) writePromptFile(this.#path, document.encodeSections());
      });
      this.#loaded = { document, stamp: readStamp(this.#path) };
    });
  }

  #keepCopy(problems: readonly string[]): void {
    const copy = keepDamagedCopy(this.#path, this.#now());
    this.#diagnostics.push({
      code: 'invalid',
      message:
        `The prompt history ${this.#path} was damaged: ${problems.join('; ')}. ` +
        `A copy was kept as ${copy}; the prompts that could be read are still here.`,
    });
  }

  #select(matches: (text: string) => boolean, order: Order, limit: number, project?: string): RankedPrompt[] {
    return selectPrompts(this.#view().lists, { matches, order, limit, project, now: this.#now() });
  }

  /** The current file together with prompts that are not written to it yet. */
  #view(): PromptDocument {
    if (this.#unsaved.length === 0 && this.#pending.isEmpty) return this.#load();
    const document = new PromptDocument(readPromptFile(this.#path));
    for (const use of this.#pending.list()) document.add({ ...use, now: this.#now() });
    for (const use of this.#unsaved) document.add(use);
    return document;
  }

  #load(): PromptDocument {
    if (this.#loaded?.stamp === readStamp(this.#path)) return this.#loaded.document;
    const file = readPromptFile(this.#path);
    const document = new PromptDocument(file);
    this.#loaded = { document, stamp: file.stamp };
    return document;
  }
}

/** What a view of the prompt history offers. */
interface OfferOptions {
  /** The setting `prompts.size`: the maximum number of prompts. */
  readonly size: number;
  /** Id of the project whose prompts come first. */
  readonly project?: string;
  /** Leaves out the prompts of other projects. Default false. */
  readonly only?: boolean;
}

/** The prompt history as views show it: never more than `size` prompts, whatever the limit. */
export class OfferedPrompts {
  readonly #history: PromptHistory;
  readonly #options: OfferOptions;

  constructor(history: PromptHistory, options: OfferOptions) {
    this.#history = history;
    this.#options = options;
  }

  /** Like {@link PromptHistory.search}. */
  search(query: string, limit?: number): RankedPrompt[] {
    return this.#offer(limit, (most) => this.#history.search(query, most, this.#options.project));
  }

  /** Like {@link PromptHistory.suggest}. */
  suggest(prefix: string, limit?: number): RankedPrompt[] {
    return this.#offer(limit, (most) => this.#history.suggest(prefix, most, this.#options.project));
  }

  #offer(limit: number | undefined, find: (most: number) => RankedPrompt[]): RankedPrompt[] {
    const { size, project, only = false } = this.#options;
    const most = Math.min(limit ?? size, size);
    if (!only || project === undefined) return find(most);
    return find(0)
      .filter(({ projects }) => projects.includes(project))
      .slice(0, most);
  }
}
