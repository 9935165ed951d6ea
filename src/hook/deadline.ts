/** How long a hook may take, seen from inside: work that is worth leaving out asks what is left. */
export class Deadline {
  readonly #end: number;
  readonly #clock: () => number;

  /** `clock` is any that only goes forward, in milliseconds. */
  constructor(budgetMs: number, clock: () => number) {
    this.#clock = clock;
    this.#end = clock() + budgetMs;
  }

  /** Milliseconds that are left; negative when it is over. */
  get left(): number {
    return this.#end - this.#clock();
  }

  get isOver(): boolean {
    return this.left <= 0;
  }
}
