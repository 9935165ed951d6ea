import { decodeSection, encodeSection, type PromptFile } from './prompt-file.ts';
import { addUse, type PromptList, type PromptUse } from './prompt-list.ts';

/** A prompt file in memory. A project's prompts are decoded when first asked for and encoded only if changed. */
export class PromptBook {
  readonly #sections: Map<string, string>;
  readonly #lists: Map<string, PromptList> = new Map();
  readonly #changed: Set<string> = new Set();
  readonly #problems: string[];

  constructor(file: PromptFile) {
    this.#sections = new Map(file.sections);
    this.#problems = file.problem === undefined ? [] : [file.problem];
  }

  /** Counts one use of a prompt in its project. */
  add(use: PromptUse): void {
    addUse(this.#list(use.project), use);
    this.#changed.add(use.project);
  }

  /** Takes out prompts by text, or all of them, in one project; returns how many there were. */
  remove(project: string, texts?: readonly string[]): number {
    const list = this.#list(project);
    const before = list.size;
    for (const text of texts ?? [...list.keys()]) list.delete(text);
    if (list.size < before) this.#changed.add(project);
    return before - list.size;
  }

  /** Every project's prompts, by id, so that the order does not depend on who was read first. */
  get lists(): ReadonlyMap<string, PromptList> {
    const projects = new Set([...this.#sections.keys(), ...this.#lists.keys()]);
    return new Map([...projects].sort().map((project) => [project, this.#list(project)]));
  }

  /** What could not be read in the parts looked at so far. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  /** What cannot be read anywhere in it. */
  findProblems(): readonly string[] {
    for (const project of this.#sections.keys()) this.#list(project);
    return this.#problems;
  }

  /** Whether it differs from the file it was read from. */
  get changed(): boolean {
    return this.#changed.size > 0;
  }

  /** Hands over what the file is to hold from now on. Projects that nothing touched are passed on as they were. */
  takeSections(): ReadonlyMap<string, string> {
    for (const project of this.#changed) {
      const list = this.#list(project);
      if (list.size === 0) this.#sections.delete(project);
      else this.#sections.set(project, encodeSection(list));
    }
    this.#changed.clear();
    this.#problems.length = 0;
    return this.#sections;
  }

  #list(project: string): PromptList {
    const known = this.#lists.get(project);
    if (known) return known;
    const { list, dropped } = decodeSection(this.#sections.get(project) ?? '[]');
    if (dropped > 0) {
      this.#problems.push(`${dropped} of its prompts cannot be read`);
      this.#changed.add(project);
    }
    this.#lists.set(project, list);
    return list;
  }
}
