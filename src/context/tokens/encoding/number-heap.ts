/** Numbers of which the smallest comes out first. */
export class NumberHeap {
  #values: Float64Array;
  #size = 0;

  constructor(capacity: number) {
    this.#values = new Float64Array(Math.max(1, capacity));
  }

  push(value: number): void {
    if (this.#size === this.#values.length) this.#grow();
    const values = this.#values;
    let at = this.#size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((values[parent] as number) <= value) break;
      values[at] = values[parent] as number;
      at = parent;
    }
    values[at] = value;
  }

  pop(): number | undefined {
    if (this.#size === 0) return undefined;
    const values = this.#values;
    const smallest = values[0] as number;
    const value = values[--this.#size] as number;
    let at = 0;
    for (let child = 1; child < this.#size; child = 2 * at + 1) {
      if (child + 1 < this.#size && (values[child + 1] as number) < (values[child] as number)) child++;
      if ((values[child] as number) >= value) break;
      values[at] = values[child] as number;
      at = child;
    }
    values[at] = value;
    return smallest;
  }

  #grow(): void {
    const values = new Float64Array(this.#values.length * 2);
    values.set(this.#values);
    this.#values = values;
  }
}
