import { isCommandKey, isEditTool, isPathKey, parseJsonCall, type TurnPart, toParts } from './json-calls.ts';

const MAX_TAG_LINE = 4_000;
const MAX_VALUE_LINES = 300;
const TAG = /<(\/?)([A-Za-z][\w:.-]*)(=[\w.-]+)?((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>/g;
const ONLY_END_TAGS = /^\s*(?:<\/[\w:.-]+>\s*)+$/;
const ATTRIBUTE = /([\w:-]+)="([^"]*)"/g;
const PARAMETER = /^(?:parameter|param|arg|argument)$/i;
const RESULT_TAG = /result|output|stdout|stderr|observation|response/i;

/** A parameter whose value spans several lines. */
interface OpenValue {
  readonly key: string;
  readonly endTag: string;
  readonly lines: string[];
}

/** Parses tool calls that are written as tags, line by line. */
export class TagParser {
  #tool = '';
  #value: OpenValue | undefined;
  /** The name of the result tag that is open. */
  #result: string | undefined;

  /** The parts of a line; undefined if it has no tag of a call and is not inside one. */
  read(line: string): TurnPart[] | undefined {
    if (this.#value) return this.#continueValue(line, this.#value);
    if (this.#result !== undefined) return this.#continueResult(line, this.#result);
    if (!/^\s*<[A-Za-z/]/.test(line) || line.length > MAX_TAG_LINE) return undefined;
    if (ONLY_END_TAGS.test(line)) return [];
    const parts: TurnPart[] = [];
    let isCall = false;
    for (const match of line.matchAll(TAG)) {
      const [whole, closing, name = '', given, attributes = ''] = match;
      if (closing) continue;
      const rest = line.slice(match.index + whole.length);
      if (this.#open(name, given?.slice(1), parseAttributes(attributes), rest, parts)) isCall = true;
      if (this.#value || this.#result !== undefined) break;
    }
    return isCall ? parts : undefined;
  }

  /** Handles an opening tag. Returns whether it belongs to a call. `given` is the `x` of `<function=x>`. */
  #open(
    name: string,
    given: string | undefined,
    attributes: ReadonlyMap<string, string>,
    rest: string,
    parts: TurnPart[],
  ): boolean {
    const isParameter = PARAMETER.test(name);
    const bareKey = attributes.size === 0 ? name : '';
    const key = isParameter ? (attributes.get('name') ?? given ?? '') : bareKey;
    if (isCommandKey(key) || isPathKey(key)) {
      this.#value = { key, endTag: `</${name}>`, lines: [] };
      parts.push(...this.#continueValue(rest, this.#value));
      return true;
    }
    if (RESULT_TAG.test(name)) {
      this.#openResult(name, attributes, rest, parts);
      return true;
    }
    if (isParameter) return true;
    const isNamed = attributes.has('name') || given !== undefined || isEditTool(name);
    const tool = attributes.get('name') ?? given ?? name;
    const call = parseJsonCall(tool, Object.fromEntries(attributes));
    parts.push(...toParts(call));
    if (isNamed) this.#tool = tool;
    return call.command !== undefined || isNamed;
  }

  #openResult(name: string, attributes: ReadonlyMap<string, string>, rest: string, parts: TurnPart[]): void {
    if (attributes.get('error') === 'true' || attributes.get('is_error') === 'true')
      parts.push({ type: 'outcome', failed: true });
    const code = attributes.get('exit_code') ?? attributes.get('code') ?? attributes.get('exit');
    if (code !== undefined) parts.push({ type: 'outcome', failed: code !== '0' });
    this.#result = name;
    if (rest !== '') parts.push(...this.#continueResult(rest, name));
  }

  #continueValue(line: string, value: OpenValue): TurnPart[] {
    const end = line.indexOf(value.endTag);
    value.lines.push(end < 0 ? line : line.slice(0, end));
    if (end < 0 && value.lines.length < MAX_VALUE_LINES) return [];
    this.#value = undefined;
    return toParts(parseJsonCall(this.#tool, { [value.key]: value.lines.join('\n').trim() }));
  }

  #continueResult(line: string, tag: string): TurnPart[] {
    const end = line.indexOf(`</${tag}>`);
    if (end >= 0) this.#result = undefined;
    const text = end < 0 ? line : line.slice(0, end);
    return text === '' ? [] : [{ type: 'output', line: text }];
  }
}

function parseAttributes(text: string): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [key, value]));
}
