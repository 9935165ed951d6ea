/** Positions in a JSON text. */
export interface ScannedJson {
  /** The line of each key, by its dotted path. */
  readonly keyLines: ReadonlyMap<string, number>;
  /** Where and why it is not JSON. Lines and columns start at 1. */
  readonly error?: { readonly line: number; readonly column: number; readonly problem: string };
}

/**
 * Finds the positions of keys and of the first error in a JSON text, for error messages. `JSON.parse` reports no lines
 * and, in some versions of Node.js, not even the offset of an error.
 */
export function scanJson(text: string): ScannedJson {
  const scanner = new Scanner(text);
  try {
    scanner.scanDocument();
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return {
      keyLines: scanner.keyLines,
      error: { ...positionOf(text, error.offset), problem: error.message },
    };
  }
  return { keyLines: scanner.keyLines };
}

class JsonSyntaxError extends Error {
  readonly offset: number;

  constructor(offset: number, problem: string) {
    super(problem);
    this.offset = offset;
  }
}

const SPACE = /[ \t\r\n]*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const MAX_DEPTH = 100;

class Scanner {
  readonly keyLines = new Map<string, number>();
  readonly #text: string;
  #offset = 0;

  constructor(text: string) {
    this.#text = text;
  }

  scanDocument(): void {
    this.#scanValue('', 0);
    this.#skipSpace();
    if (this.#offset < this.#text.length) this.#fail('expected the end of the file');
  }

  #scanValue(path: string, depth: number): void {
    if (depth > MAX_DEPTH) this.#fail('nested too deeply');
    this.#skipSpace();
    if (this.#take('{')) this.#scanObject(path, depth);
    else if (this.#take('[')) this.#scanArray(path, depth);
    else if (this.#match(STRING) === undefined && this.#match(SCALAR) === undefined) {
      this.#fail('expected a value');
    }
  }

  #scanObject(path: string, depth: number): void {
    this.#skipSpace();
    if (this.#take('}')) return;
    do {
      this.#skipSpace();
      const line = positionOf(this.#text, this.#offset).line;
      const quoted = this.#match(STRING) ?? this.#fail('expected a key in double quotes');
      const key = String(JSON.parse(quoted));
      const keyPath = path === '' ? key : `${path}.${key}`;
      this.keyLines.set(keyPath, line);
      this.#skipSpace();
      if (!this.#take(':')) this.#fail(`expected ":" after ${quoted}`);
      this.#scanValue(keyPath, depth + 1);
      this.#skipSpace();
    } while (this.#take(','));
    if (!this.#take('}')) this.#fail('expected "," or "}"');
  }

  #scanArray(path: string, depth: number): void {
    this.#skipSpace();
    if (this.#take(']')) return;
    do {
      this.#scanValue(path, depth + 1);
      this.#skipSpace();
    } while (this.#take(','));
    if (!this.#take(']')) this.#fail('expected "," or "]"');
  }

  #skipSpace(): void {
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
    throw new JsonSyntaxError(this.#offset, problem);
  }
}

function positionOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
