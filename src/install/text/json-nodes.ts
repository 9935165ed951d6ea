/** A value in a JSON text, with the place it has there. Offsets count UTF-16 units; `end` is exclusive. */
export type JsonNode = ObjectNode | ArrayNode | ScalarNode;

interface Place {
  readonly start: number;
  readonly end: number;
}

/** An object. Of a key that stands there twice the last one counts, as for `JSON.parse`. */
export interface ObjectNode extends Place {
  readonly kind: 'object';
  readonly members: readonly MemberNode[];
  /** Where the comma after the last member is; undefined when there is none. */
  readonly trailingComma?: number;
}

/** A key with its value. */
export interface MemberNode {
  readonly key: string;
  readonly start: number;
  readonly value: JsonNode;
}

/** An array. */
export interface ArrayNode extends Place {
  readonly kind: 'array';
  readonly elements: readonly JsonNode[];
  readonly trailingComma?: number;
}

/** A string, number, boolean or null. */
interface ScalarNode extends Place {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
}

/** Why a text is not JSON, and where: 1-based line and column. */
export class JsonTextError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(problem: string, text: string, offset: number) {
    super(problem);
    const before = text.slice(0, offset);
    this.line = before.split('\n').length;
    this.column = offset - before.lastIndexOf('\n');
  }
}

/**
 * Reads JSON as agents write and accept it: comments and trailing commas are allowed, a byte order mark is white space.
 * Throws {@link JsonTextError}.
 */
export function parseJsonText(text: string): JsonNode {
  return new Parser(text).document();
}

/** The plain value of a node. A key `__proto__` is a key like any other. */
export function plainValue(node: JsonNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'array') return node.elements.map(plainValue);
  const value: Record<string, unknown> = Object.create(null);
  for (const member of node.members) value[member.key] = plainValue(member.value);
  return value;
}

/** The value of a key, if the node is an object that has it. */
export function memberOf(node: JsonNode | undefined, key: string): MemberNode | undefined {
  return node?.kind === 'object' ? node.members.findLast((member) => member.key === key) : undefined;
}

/** White space and comments from an offset on: where they end, and where the last comment in them ends. */
export function skipTrivia(
  text: string,
  from: number,
): { readonly end: number; readonly commentEnd?: number } {
  let end = from;
  let commentEnd: number | undefined;
  for (;;) {
    const found = matchAt(TRIVIA, text, end);
    if (found === undefined) return commentEnd === undefined ? { end } : { end, commentEnd };
    end += found.length;
    if (found.startsWith('/')) commentEnd = end;
  }
}

const TRIVIA = /[ \t\r\n\uFEFF]+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\//y;
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const WORD = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const DEEPEST = 200;

class Parser {
  readonly #text: string;
  #offset = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): JsonNode {
    const value = this.#value(0);
    this.#skip();
    if (this.#offset < this.#text.length) this.#fail('expected the end of the file');
    return value;
  }

  #value(depth: number): JsonNode {
    if (depth > DEEPEST) this.#fail('nested too deeply');
    this.#skip();
    const start = this.#offset;
    if (this.#take('{')) return this.#object(start, depth);
    if (this.#take('[')) return this.#array(start, depth);
    const word = this.#match(STRING) ?? this.#match(WORD);
    if (word === undefined) return this.#fail('expected a value');
    return { kind: 'scalar', start, end: this.#offset, value: JSON.parse(word) };
  }

  #object(start: number, depth: number): ObjectNode {
    const members: MemberNode[] = [];
    const trailingComma = this.#list('}', () => {
      const at = this.#offset;
      const quoted = this.#match(STRING) ?? this.#fail('expected a key in double quotes');
      this.#skip();
      if (!this.#take(':')) this.#fail(`expected ":" after ${quoted}`);
      members.push({ key: String(JSON.parse(quoted)), start: at, value: this.#value(depth + 1) });
    });
    const node = { kind: 'object', start, end: this.#offset, members } as const;
    return trailingComma === undefined ? node : { ...node, trailingComma };
  }

  #array(start: number, depth: number): ArrayNode {
    const elements: JsonNode[] = [];
    const trailingComma = this.#list(']', () => elements.push(this.#value(depth + 1)));
    const node = { kind: 'array', start, end: this.#offset, elements } as const;
    return trailingComma === undefined ? node : { ...node, trailingComma };
  }

  /** Reads items up to the closing bracket; returns where a trailing comma is. */
  #list(closing: '}' | ']', item: () => void): number | undefined {
    let comma: number | undefined;
    for (;;) {
      this.#skip();
      if (this.#take(closing)) return comma;
      item();
      this.#skip();
      comma = this.#offset;
      if (this.#take(',')) continue;
      if (this.#take(closing)) return undefined;
      this.#fail(`expected "," or "${closing}"`);
    }
  }

  #skip(): void {
    this.#offset = skipTrivia(this.#text, this.#offset).end;
  }

  #take(character: string): boolean {
    if (this.#text[this.#offset] !== character) return false;
    this.#offset++;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    const found = matchAt(pattern, this.#text, this.#offset);
    if (found !== undefined) this.#offset += found.length;
    return found;
  }

  #fail(problem: string): never {
    throw new JsonTextError(problem, this.#text, this.#offset);
  }
}

function matchAt(pattern: RegExp, text: string, offset: number): string | undefined {
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0];
}
