import {
  findCommandEnd,
  parseCommandLine,
  parseOutcomeLine,
  parseProse,
  parseShellBlock,
} from './commands.ts';
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
  parseCall,
  parseJsonCalls,
  parseJsonLine,
  type TurnPart,
  toParts,
} from './json-calls.ts';
import { TagReader } from './tag-calls.ts';

/** Characters of a turn that are looked at: its beginning and its end. */
const SCANNED_CHARACTERS = 200_000;
const FENCE = /^\s{0,8}(`{3,}|~{3,})\s*([\w+.-]*)[^`]*$/;
const SHELL_LANGUAGE =
  /^(?:bash|sh|shell|zsh|fish|console|terminal|shell-session|shellsession|powershell|pwsh|cmd)$/i;
/** A sentence of somebody who tells what they do. Documents that programs print rarely say `I`. */
const FIRST_PERSON_SENTENCE =
  /^(?:I|I'm|I've|I'll|I'd|We've|We'll|Let me|Let's|Now I|Next I)\b[^|{}<>]{10,}[.:!?]$/;
/** The label of a command that somebody may run. */
const PROPOSED = /^CMD: /;
const FIELD = /^\W{0,8}(\w{2,20})\W{0,3}:\W{1,4}([^\s"'`]+)\W{0,2}$/;
/** `Read src/a.ts`, `web_search …`, `TodoWrite: …`: a tool that is no shell and its arguments. */
const TOOL =
  /^\s*(?:[-*•⏺●]\s+)?(?:(?:Read|View|Grep|Glob|Search|List|LS|Open|Fetch|Task|Agent|(?:[A-Z][a-z]+){2,})(?:\(|\s?:\s|\s+\S*[/\\*.]\S)|(?:mcp__\w+|_?[a-z]+(?:_[a-z]+)+)(?:[\s:(]|$))/;

/**
 * What a turn says, in order: commands with the lines they printed, files that were changed, and what was said. Nobody
 * prescribes how tool calls are written into a turn, so all usual ways are read: prompts (`$ `), labels (`CMD: `), fenced
 * shell blocks, JSON and tags.
 */
export function parseTurn(content: string): TurnPart[] {
  const text =
    content.length <= 2 * SCANNED_CHARACTERS
      ? content
      : `${content.slice(0, SCANNED_CHARACTERS)}\n${content.slice(-SCANNED_CHARACTERS)}`;
  return parseJsonCalls(text) ?? new TurnParser(text.split('\n')).read();
}

class TurnParser {
  readonly #lines: readonly string[];
  readonly #marks: TurnPart[] = [];
  readonly #tags = new TagReader();
  #at = 0;
  /** A command, an edit or another tool was told by a prompt, a label or a call: what follows is what it printed. */
  #told = false;
  /** Calls are written as JSON in this turn. */
  #asJson = false;
  /** The tool whose call is being read. */
  #tool = '';
  /** The last command between back-ticks. */
  #spokenOf = '';
  /** Inside a block that is no shell text. */
  #fence: string | undefined;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  read(): TurnPart[] {
    for (; this.#at < this.#lines.length; this.#at++) this.#readLine(this.#lines[this.#at] ?? '');
    return this.#marks;
  }

  #readLine(line: string): void {
    const called = this.#tags.read(line) ?? this.#readJsonLine(line);
    if (called !== undefined) {
      this.#push(called);
      return;
    }
    if (this.#readFence(line)) return;
    const command = parseCommandLine(line);
    if (command === undefined) this.#readText(line);
    else this.#pushCommand(command);
  }

  /** Calls as JSON: but not in what a program printed, unless this turn has its calls in JSON. */
  #readJsonLine(line: string): TurnPart[] | undefined {
    if (!/^\s*[{[]/.test(line) || (this.#told && !this.#asJson)) return undefined;
    const marks = parseJsonCalls(line);
    if (marks?.some(({ type }) => type === 'command')) this.#asJson = true;
    return marks;
  }

  #push(marks: readonly TurnPart[]): void {
    for (const mark of marks) {
      this.#marks.push(mark);
      if (mark.type === 'command') this.#told = true;
    }
  }

  #pushCommand(command: string): void {
    const end = findCommandEnd(this.#lines, this.#at, command);
    const text = [command, ...this.#lines.slice(this.#at + 1, end + 1)].join('\n');
    if (PROPOSED.test(this.#lines[this.#at] ?? '')) this.#marks.push({ type: 'command', text, spoken: true });
    else this.#push([{ type: 'command', text }]);
    this.#at = end;
  }

  /** Reads a whole block of shell text; of other blocks only where they begin and end. */
  #readFence(line: string): boolean {
    const [, fence = '', language = ''] = FENCE.exec(line) ?? [];
    if (fence === '') return false;
    if (this.#fence !== undefined) {
      if (language === '' && fence.startsWith(this.#fence)) this.#fence = undefined;
      return true;
    }
    if (!SHELL_LANGUAGE.test(language) || this.#told) {
      this.#fence = fence;
      return true;
    }
    const end = this.#endOfFence(fence);
    const { commands, output } = parseShellBlock(this.#lines.slice(this.#at + 1, end));
    for (const text of commands) this.#marks.push({ type: 'command', text, spoken: true });
    for (const printed of output) this.#marks.push({ type: 'output', line: printed });
    this.#at = end;
    return true;
  }

  #endOfFence(fence: string): number {
    for (let at = this.#at + 1; at < this.#lines.length; at++) {
      const line = (this.#lines[at] ?? '').trim();
      if (line.startsWith(fence) && /^[`~]+$/.test(line)) return at;
    }
    return this.#lines.length;
  }

  #editedIn(line: string): string[] {
    const searched = findSearchReplaceFile(this.#lines, this.#at);
    if (searched !== undefined) return [searched];
    if (this.#told) return findEditsInOutput(line);
    return this.#fence === undefined ? findEditsInProse(line) : findEditsInBlock(line);
  }

  /** Is it somebody speaking again after what a tool printed? */
  #isSaidAfter(line: string): boolean {
    if (isEditReport(line) && /^\W*[A-Z]/.test(line)) return true;
    return (this.#lines[this.#at - 1] ?? '').trim() === '' && FIRST_PERSON_SENTENCE.test(line);
  }

  /** A line out of a call that is written over several: `"command": "npm test",` or `path: src/a.ts`. */
  #readPart(line: string): TurnPart[] {
    if (this.#told && !this.#asJson) return [];
    this.#tool = findToolName(line) ?? this.#tool;
    if (line.includes('":')) {
      const marks = parseJsonLine(line, this.#tool);
      if (marks.length > 0) this.#asJson = true;
      return marks;
    }
    const [, key = '', value = ''] = FIELD.exec(line) ?? [];
    return isPathKey(key) && isFilePath(value) ? toParts(parseCall(this.#tool, { [key]: value })) : [];
  }

  #readText(line: string): void {
    const part = this.#readPart(line);
    if (part.length > 0) {
      this.#push(part);
      return;
    }
    const failed = parseOutcomeLine(line);
    if (failed !== undefined) {
      this.#marks.push({ type: 'verdict', failed });
      this.#told = false;
    }
    if (this.#told && this.#isSaidAfter(line)) {
      this.#told = false;
      this.#fence = undefined;
    }
    const edited = this.#editedIn(line);
    this.#marks.push(...edited.map((path) => ({ type: 'edit', path }) as const));
    if (this.#told || this.#fence !== undefined) {
      this.#marks.push({ type: 'output', line });
      return;
    }
    if (isEditReport(line) || TOOL.test(line)) this.#told = true;
    for (const mark of parseProse(line, this.#spokenOf)) {
      this.#marks.push(mark);
      if (mark.type === 'command') this.#spokenOf = mark.text;
    }
    if (edited.length === 0)
      this.#marks.push(...findPaths(line).map((path) => ({ type: 'seen', path }) as const));
    this.#marks.push({ type: 'prose', line });
  }
}
