import { withLock } from '../files/index.ts';
import type { Warning } from '../record/index.ts';
import { redact } from '../redact/index.ts';
import { isTypedPrompt } from './is-typed-prompt.ts';
import { PendingPrompts } from './pending-prompts.ts';
import { PromptBook } from './prompt-book.ts';
import { copiesOf, deleteCopies, keepCopy, readPromptFile, stampOf, writePromptFile } from './prompt-file.ts';
import { choosePrompts, type Order, type PromptEntry, type PromptUse } from './prompt-list.ts';

/** Prompts surfaced when the caller names no limit; the setting `prompts.size` has the same default. */
const DEFAULT_LIMIT = 100;

/** A prompt to record. */
export interface TypedPrompt {
  readonly text: string;
  /** Id of the project it was typed in; none for a prompt that belongs to no project. */
  readonly project?: string | undefined;
  /** When it was typed, in epoch milliseconds. Default, and for a time that cannot be: now. */
  readonly usedAt?: number | undefined;
}

/** What to forget: all prompts of a project, prompts by text everywhere, or by text in one project. */
export type PromptsToForget =
  | { readonly project: string; readonly texts?: readonly string[] }
  | { readonly project?: undefined; readonly texts: readonly string[] };

interface Loaded {
  readonly book: PromptBook;
  readonly stamp: string;
}

/**
 * The frecent history of what the user typed in all projects, in one JSON file. Recording and forgetting work
 * on the file as it is now, under a lock, so that several processes may share it; reading notices what others
 * wrote. Nothing is read or created before it is needed. Throws NEWER_VERSION when a newer yore wrote the file.
 */
export class PromptHistory {
  readonly #path: string;
  readonly #now: () => number;
  readonly #notices: Warning[] = [];
  readonly #pending: PendingPrompts;
  #loaded: Loaded | undefined;
  #unsaved: PromptUse[] = [];

  /** `path` is the file: `prompts.json` in yore's home. */
  constructor(path: string, now: () => number = Date.now) {
    this.#path = path;
    this.#now = now;
    this.#pending = new PendingPrompts(path);
  }

  /**
   * Counts one use of a prompt and saves it, redacted. False when there is nothing to record: blank, or not
   * typed by a person (see {@link isTypedPrompt}). Over 500 prompts in a project the lowest-scored one goes.
   */
  upsert(text: string, project?: string): boolean {
    return this.upsertAll([{ text, project }]) === 1;
  }

  /**
   * The same as {@link upsert} for a process that somebody waits for: only a line is appended, which is taken into the
   * file when {@link save} or another change is made. It counts as recorded at once.
   */
  defer(text: string, project: string): boolean {
    if (!isTypedPrompt(text)) return false;
    this.#pending.add({ text: redact(text).trim(), project, usedAt: this.#now() });
    return true;
  }

  /** Records many prompts, in order, with one write. Returns how many were typed by a person. */
  upsertAll(prompts: readonly TypedPrompt[]): number {
    const now = this.#now();
    let recorded = 0;
    for (const { text, project = '', usedAt = now } of prompts) {
      if (!isTypedPrompt(text)) continue;
      const isPast = usedAt > 0 && usedAt <= now;
      this.#unsaved.push({ text: redact(text).trim(), project, usedAt: isPast ? usedAt : now, now });
      recorded++;
    }
    this.save();
    return recorded;
  }

  /** Writes what was deferred, or could not be written when it was recorded, because the disk was full, say. */
  save(): void {
    if (this.#unsaved.length === 0 && this.#pending.isEmpty) return;
    this.#change((book) => {
      for (const use of this.#unsaved) book.add(use);
    });
    this.#unsaved = [];
  }

  /**
   * Prompts that contain `query` in upper or lower case, most recently used first. An empty query matches
   * all; `limit` defaults to 100, 0 or less is no limit. With a project its own prompts come first, then
   * those that only other projects used.
   */
  search(query: string, limit: number = DEFAULT_LIMIT, project?: string): PromptEntry[] {
    const wanted = query.toLowerCase();
    return this.#choose((text) => text.toLowerCase().includes(wanted), 'recency', limit, project);
  }

  /**
   * Prompts that go on from what the user has typed so far, upper or lower case, highest score first.
   * `limit` and `project` as in {@link search}.
   */
  suggest(prefix: string, limit: number = DEFAULT_LIMIT, project?: string): PromptEntry[] {
    const typed = prefix.trimStart();
    const wanted = typed.toLowerCase();
    const goesOn = (text: string) => text !== typed && text.toLowerCase().startsWith(wanted);
    return this.#choose(goesOn, 'score', limit, project);
  }

  /** The prompts of one project only, or of all projects together, highest score first. */
  entries(project?: string): PromptEntry[] {
    const all = this.#choose(() => true, 'score', 0, project);
    return project === undefined ? all : all.filter((entry) => entry.projects.includes(project));
  }

  /**
   * Deletes prompts for good and returns how many. A damaged file is replaced by what can be read of it, and
   * copies kept of damaged ones are deleted: they may hold the same prompts.
   */
  forget({ project, texts }: PromptsToForget): number {
    this.save();
    if (stampOf(this.#path) === '' && copiesOf(this.#path).length === 0) return 0;
    const stored = texts?.map((text) => redact(text).trim());
    let removed = 0;
    this.#change((book) => {
      for (const id of project === undefined ? book.lists.keys() : [project]) {
        removed += book.remove(id, stored);
      }
    }, 'drop damaged');
    return removed;
  }

  /** What is wrong with the file, and where a copy of a damaged one is kept. Empty when all is well. */
  get warnings(): readonly Warning[] {
    const damage = this.#view()
      .findProblems()
      .map((problem) => ({
        code: 'invalid' as const,
        message: `The prompt history ${this.#path} is damaged: ${problem}. A copy is kept when the next prompt is recorded.`,
      }));
    return [...this.#notices, ...damage];
  }

  /** Applies a change to the file as it is now, while no other process does. */
  #change(
    apply: (book: PromptBook) => void,
    damaged: 'keep damaged' | 'drop damaged' = 'keep damaged',
  ): void {
    withLock(`${this.#path}.lock`, () => {
      const { book } = this.#load();
      // Until the change is written, what is in memory is not what is on disk.
      this.#loaded = undefined;
      this.#pending.take((deferred) => {
        for (const use of deferred) book.add({ ...use, now: this.#now() });
        apply(book);
        if (damaged === 'drop damaged') deleteCopies(this.#path);
        else if (book.problems.length > 0) this.#keepCopy(book.problems);
        if (book.changed || book.problems.length > 0) writePromptFile(this.#path, book.takeSections());
      });
      this.#loaded = { book, stamp: stampOf(this.#path) };
    });
  }

  #keepCopy(problems: readonly string[]): void {
    const copy = keepCopy(this.#path, this.#now());
    this.#notices.push({
      code: 'invalid',
      message:
        `The prompt history ${this.#path} was damaged: ${problems.join('; ')}. ` +
        `A copy is kept as ${copy}; what could be read of it is still here.`,
    });
  }

  #choose(
    matches: (text: string) => boolean,
    order: Order,
    limit: number,
    project: string | undefined,
  ): PromptEntry[] {
    return choosePrompts(this.#view().lists, { matches, order, limit, project, now: this.#now() });
  }

  /** What the file holds now, together with what could not be written to it yet. */
  #view(): PromptBook {
    if (this.#unsaved.length === 0 && this.#pending.isEmpty) return this.#load().book;
    const book = new PromptBook(readPromptFile(this.#path));
    for (const use of this.#pending.list()) book.add({ ...use, now: this.#now() });
    for (const use of this.#unsaved) book.add(use);
    return book;
  }

  #load(): Loaded {
    if (this.#loaded?.stamp === stampOf(this.#path)) return this.#loaded;
    const file = readPromptFile(this.#path);
    this.#loaded = { book: new PromptBook(file), stamp: file.stamp };
    return this.#loaded;
  }
}
