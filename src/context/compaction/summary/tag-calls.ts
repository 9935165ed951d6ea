import { isCommandKey, isEditTool, isPathKey, parseCall, type TurnPart, toParts } from './json-calls.ts';

const MAX_TAG_LINE = 4_000;
const MAX_VALUE_LINES = 300;
const TAG = /<(\/?)([A-Za-z][\w:.-]*)(=[\w.-]+)?((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>/g;
const ONLY_ENDS = /^\s*(?:<\/[\w:.-]+>\s*)+$/;
const ATTRIBUTE = /([\w:-]+)="([^"]*)"/g;
const PARAMETER = /^(?:parameter|param|arg|argument)$/i;
const RESULT_TAG = /result|output|stdout|stderr|observation|response/i;

/** Reads tool calls that were written down in tags, line by line. */
export class TagReader {
  #tool = '';
  /** The value that is being read: its key, the tag that ends it, and the lines so far. */
  #value: { readonly key: string; readonly end: string; readonly lines: string[] } | undefined;
  #result: string | undefined;

  /** The marks of a line; undefined when it holds no tag of a call and is not inside one. */
  read(line: string): TurnPart[] | undefined {
    if (this.#value) return this.#continueValue(line, this.#value);
    if (this.#result !== undefined) return this.#continueResult(line, this.#result);
    if (!/^\s*<[A-Za-z/]/.test(line) || line.length > MAX_TAG_LINE) return undefined;
    if (ONLY_ENDS.test(line)) return [];
    const marks: TurnPart[] = [];
    let known = false;
    for (const match of line.matchAll(TAG)) {
      const [whole, closing, name = '', given, attributes = ''] = match;
      if (closing) continue;
      known =
        this.#open(
          name,
          given?.slice(1),
          parseAttributes(attributes),
          line.slice(match.index + whole.length),
          marks,
        ) || known;
      if (this.#value || this.#result !== undefined) break;
    }
    return known ? marks : undefined;
  }

  #open(
    name: string,
    given: string | undefined,
    attributes: ReadonlyMap<string, string>,
    rest: string,
    marks: TurnPart[],
  ): boolean {
    const key = PARAMETER.test(name)
      ? (attributes.get('name') ?? given ?? '')
      : attributes.size === 0
        ? name
        : '';
    if (isCommandKey(key) || isPathKey(key)) {
      this.#beginValue(key, name, rest, marks);
      return true;
    }
    if (RESULT_TAG.test(name)) {
      if (attributes.get('error') === 'true' || attributes.get('is_error') === 'true')
        marks.push({ type: 'verdict', failed: true });
      const code = attributes.get('exit_code') ?? attributes.get('code') ?? attributes.get('exit');
      if (code !== undefined) marks.push({ type: 'verdict', failed: code !== '0' });
      this.#result = name;
      if (rest !== '') marks.push(...this.#continueResult(rest, name));
      return true;
    }
    if (PARAMETER.test(name)) return true;
    const tool = attributes.get('name') ?? given ?? name;
    const call = parseCall(tool, Object.fromEntries(attributes));
    marks.push(...toParts(call));
    if (attributes.has('name') || given !== undefined || isEditTool(name)) this.#tool = tool;
    return call.command !== undefined || attributes.has('name') || given !== undefined || isEditTool(name);
  }

  #beginValue(key: string, tag: string, rest: string, marks: TurnPart[]): void {
    const end = `</${tag}>`;
    this.#value = { key, end, lines: [] };
    marks.push(...this.#continueValue(rest, this.#value));
  }

  #continueValue(
    line: string,
    value: { readonly key: string; readonly end: string; readonly lines: string[] },
  ): TurnPart[] {
    const at = line.indexOf(value.end);
    value.lines.push(at < 0 ? line : line.slice(0, at));
    if (at < 0 && value.lines.length < MAX_VALUE_LINES) return [];
    this.#value = undefined;
    return toParts(parseCall(this.#tool, { [value.key]: value.lines.join('\n').trim() }));
  }

  #continueResult(line: string, tag: string): TurnPart[] {
    const at = line.indexOf(`</${tag}>`);
    if (at >= 0) this.#result = undefined;
    const text = at < 0 ? line : line.slice(0, at);
    return text === '' ? [] : [{ type: 'output', line: text }];
  }
}

function parseAttributes(text: string): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [key, value]));
}
