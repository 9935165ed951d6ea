/** A value of type `T` that another thread has turned into JSON already. */
export class JsonText<T> {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  value(): T {
    return JSON.parse(this.text) as T;
  }
}
