/** Where things stand in a JSON text: its keys (by dotted path), and the first place that is not JSON. */
export interface ScannedJson {
  readonly keyLines: ReadonlyMap<string, number>;
  readonly error?: { readonly line: number; readonly column: number; readonly problem: string };
}

/**
 * Reads a JSON text only to say where: `JSON.parse` does not tell lines, nor, in some versions of Node.js, the
 * place of an error. For error messages, after something was found wrong.
 */
export function scanJson(text: string): ScannedJson {
  const scanner = new Scanner(text);
  try {
    scanner.document();
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    return { keyLines: scanner.keyLines, error: { ...placeOf(text, error.offset), problem: error.message } };
  }
  return { keyLines: scanner.keyLines };
}

class Broken extends Error {
  readonly offset: number;

  constructor(offset: number, problem: string) {
    super(problem);
    this.offset = offset;
  }
}

const SPACE = /[ \t\r\n]*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const DEEPEST = 100;

class Scanner {
  readonly keyLines = new Map<string, number>();
  readonly #text: string;
  #offset = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): void {
    this.#value('', 0);
    this.#skip();
    if (this.#offset < this.#text.length) this.#fail('expected the end of the file');
  }

  #value(path: string, depth: number): void {
    if (depth > DEEPEST) this.#fail('nested too deeply');
    this.#skip();
    if (this.#take('{')) this.#object(path, depth);
    else if (this.#take('[')) this.#array(path, depth);
    else if (this.#match(STRING) === undefined && this.#match(SCALAR) === undefined) {
      this.#fail('expected a value');
    }
  }

  #object(path: string, depth: number): void {
    this.#skip();
    if (this.#take('}')) return;
    do {
      this.#skip();
      const line = placeOf(this.#text, this.#offset).line;
      const quoted = this.#match(STRING) ?? this.#fail('expected a key in double quotes');
      const key = String(JSON.parse(quoted));
      const keyPath = path === '' ? key : `${path}.${key}`;
      this.keyLines.set(keyPath, line);
      this.#skip();
      if (!this.#take(':')) this.#fail(`expected ":" after ${quoted}`);
      this.#value(keyPath, depth + 1);
      this.#skip();
    } while (this.#take(','));
    if (!this.#take('}')) this.#fail('expected "," or "}"');
  }

  #array(path: string, depth: number): void {
    this.#skip();
    if (this.#take(']')) return;
    do {
      this.#value(path, depth + 1);
      this.#skip();
    } while (this.#take(','));
    if (!this.#take(']')) this.#fail('expected "," or "]"');
  }

  #skip(): void {
    this.#match(SPACE);
  }

  #take(character: string): boolean {
    if (this.#text[this.#offset] !== character) return false;
    this.#offset++;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#offset;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#offset += found.length;
    return found;
  }

  #fail(problem: string): never {
    throw new Broken(this.#offset, problem);
  }
}

function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
