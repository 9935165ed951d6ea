import { findCommandEnd, parseOutcomeLine, parseProse, parseRanLine, parseShellBlock } from './commands.ts';
import {
  findEditsInBlock,
  findEditsInOutput,
  findEditsInProse,
  findPaths,
  findSearchReplaceFile,
  isEditReport,
  isFilePath,
} from './edits.ts';
import {
  findToolName,
  isPathKey,
  parseJsonCall,
  parseJsonCalls,
  parseJsonLine,
  type TurnPart,
  toParts,
} from './json-calls.ts';
import { TagParser } from './tag-calls.ts';

/** Of a long turn, this many characters at its beginning and at its end are parsed. */
const SCANNED_CHARACTERS = 200_000;
const FENCE = /^\s{0,8}(`{3,}|~{3,})\s*([\w+.-]*)[^`]*$/;
const SHELL_LANGUAGE = /^(?:bash|sh|shell|zsh|fish|console|terminal|shell-session|shellsession|powershell|pwsh|cmd)$/i;
/** A sentence in which somebody reports what they do. Documents that programs print rarely say `I`. */
const FIRST_PERSON_SENTENCE = /^(?:I|I'm|I've|I'll|I'd|We've|We'll|Let me|Let's|Now I|Next I)\b[^|{}<>]{10,}[.:!?]$/;
/** The label of a proposed command. */
const PROPOSED = /^CMD: /;
const FIELD = /^\W{0,8}(\w{2,20})\W{0,3}:\W{1,4}([^\s"'`]+)\W{0,2}$/;
/** `Read src/a.ts`, `web_search …`, `TodoWrite: …`: a tool other than a shell, with its arguments. */
const TOOL =
  /^\s*(?:[-*•⏺●]\s+)?(?:(?:Read|View|Grep|Glob|Search|List|LS|Open|Fetch|Task|Agent|(?:[A-Z][a-z]+){2,})(?:\(|\s?:\s|\s+\S*[/\\*.]\S)|(?:mcp__\w+|_?[a-z]+(?:_[a-z]+)+)(?:[\s:(]|$))/;

/**
 * Parses a turn into commands with their output, edited files and prose, in order. There is no standard for writing tool
 * calls into a turn, so all common ways are recognised: prompts (`$ `), labels (`CMD: `), fenced shell blocks, JSON and
 * tags.
 */
export function parseTurn(content: string): TurnPart[] {
  const text =
    content.length <= 2 * SCANNED_CHARACTERS
      ? content
      : `${content.slice(0, SCANNED_CHARACTERS)}\n${content.slice(-SCANNED_CHARACTERS)}`;
  return parseJsonCalls(text) ?? new TurnParser(text.split('\n')).parse();
}

class TurnParser {
  readonly #lines: readonly string[];
  readonly #parts: TurnPart[] = [];
  readonly #tags = new TagParser();
  #at = 0;
  /** Whether a command, an edit or another tool call came before, so that this is its output. */
  #isOutput = false;
  /** Whether calls are written as JSON in this turn. */
  #usesJson = false;
  /** The tool whose call is being read. */
  #tool = '';
  #lastQuotedCommand = '';
  /** The opening fence, inside a block that is not shell text. */
  #fence: string | undefined;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  parse(): TurnPart[] {
    for (; this.#at < this.#lines.length; this.#at++) this.#parseLine(this.#lines[this.#at] ?? '');
    return this.#parts;
  }

  #parseLine(line: string): void {
    const call = this.#tags.read(line) ?? this.#parseJson(line);
    if (call !== undefined) {
      this.#push(call);
      return;
    }
    if (this.#parseFence(line)) return;
    const command = parseRanLine(line);
    if (command === undefined) this.#parseText(line);
    else this.#pushCommand(command);
  }

  /** Calls as JSON, but not inside output, unless this turn has its calls in JSON. */
  #parseJson(line: string): TurnPart[] | undefined {
    if (!/^\s*[{[]/.test(line) || (this.#isOutput && !this.#usesJson)) return undefined;
    const parts = parseJsonCalls(line);
    if (parts?.some(({ type }) => type === 'command')) this.#usesJson = true;
    return parts;
  }

  #push(parts: readonly TurnPart[]): void {
    for (const part of parts) {
      this.#parts.push(part);
      if (part.type === 'command') this.#isOutput = true;
    }
  }

  #pushCommand(command: string): void {
    const end = findCommandEnd(this.#lines, this.#at, command);
    const text = [command, ...this.#lines.slice(this.#at + 1, end + 1)].join('\n');
    if (PROPOSED.test(this.#lines[this.#at] ?? '')) this.#parts.push({ type: 'command', text, isQuoted: true });
    else this.#push([{ type: 'command', text }]);
    this.#at = end;
  }

  /** Parses a whole shell block; of other blocks only their beginning and end. Returns false for any other line. */
  #parseFence(line: string): boolean {
    const [, fence = '', language = ''] = FENCE.exec(line) ?? [];
    if (fence === '') return false;
    if (this.#fence !== undefined) {
      if (language === '' && fence.startsWith(this.#fence)) this.#fence = undefined;
      return true;
    }
    if (!SHELL_LANGUAGE.test(language) || this.#isOutput) {
      this.#fence = fence;
      return true;
    }
    const end = this.#findFenceEnd(fence);
    const { commands, output } = parseShellBlock(this.#lines.slice(this.#at + 1, end));
    for (const text of commands) this.#parts.push({ type: 'command', text, isQuoted: true });
    for (const printed of output) this.#parts.push({ type: 'output', line: printed });
    this.#at = end;
    return true;
  }

  #findFenceEnd(fence: string): number {
    for (let at = this.#at + 1; at < this.#lines.length; at++) {
      const line = (this.#lines[at] ?? '').trim();
      if (line.startsWith(fence) && /^[`~]+$/.test(line)) return at;
    }
    return this.#lines.length;
  }

  #parseText(line: string): void {
    const fields = this.#parseField(line);
    if (fields.length > 0) {
      this.#push(fields);
      return;
    }
    const failed = parseOutcomeLine(line);
    if (failed !== undefined) {
      this.#parts.push({ type: 'outcome', failed });
      this.#isOutput = false;
    }
    if (this.#isOutput && this.#endsOutput(line)) {
      this.#isOutput = false;
      this.#fence = undefined;
    }
    const edited = this.#findEdits(line);
    for (const path of edited) this.#parts.push({ type: 'edit', path });
    if (this.#isOutput || this.#fence !== undefined) {
      this.#parts.push({ type: 'output', line });
      return;
    }
    if (isEditReport(line) || TOOL.test(line)) this.#isOutput = true;
    for (const part of parseProse(line, this.#lastQuotedCommand)) {
      this.#parts.push(part);
      if (part.type === 'command') this.#lastQuotedCommand = part.text;
    }
    if (edited.length === 0) for (const path of findPaths(line)) this.#parts.push({ type: 'mention', path });
    this.#parts.push({ type: 'prose', line });
  }

  /** A line of a call that spans several: `"command": "npm test",` or `path: src/a.ts`. */
  #parseField(line: string): TurnPart[] {
    if (this.#isOutput && !this.#usesJson) return [];
    this.#tool = findToolName(line) ?? this.#tool;
    if (line.includes('":')) {
      const parts = parseJsonLine(line, this.#tool);
      if (parts.length > 0) this.#usesJson = true;
      return parts;
    }
    const [, key = '', value = ''] = FIELD.exec(line) ?? [];
    return isPathKey(key) && isFilePath(value) ? toParts(parseJsonCall(this.#tool, { [key]: value })) : [];
  }

  /** Whether a line is prose again after tool output. */
  #endsOutput(line: string): boolean {
    if (isEditReport(line) && /^\W*[A-Z]/.test(line)) return true;
    return (this.#lines[this.#at - 1] ?? '').trim() === '' && FIRST_PERSON_SENTENCE.test(line);
  }

  #findEdits(line: string): string[] {
    const replaced = findSearchReplaceFile(this.#lines, this.#at);
    if (replaced !== undefined) return [replaced];
    if (this.#isOutput) return findEditsInOutput(line);
    return this.#fence === undefined ? findEditsInProse(line) : findEditsInBlock(line);
  }
}
