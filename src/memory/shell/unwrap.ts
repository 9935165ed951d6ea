import type { Assignment, ShellWord } from './tree.ts';
import { MAX_WRAPPER_WORDS, WRAPPERS, type Wrapper } from './wrappers.ts';

/** What unwrapping needs to know of a command. */
export interface Unwrappable {
  readonly assignments: readonly Assignment[];
  readonly words: readonly ShellWord[];
  readonly within: readonly string[];
}

/** The command that matters, and under which circumstances it runs. */
export interface Unwrapped {
  readonly words: readonly ShellWord[];
  /** `env:NAME` for an assignment (never its value), the wrapper's name for a wrapper; outermost first, each once. */
  readonly circumstances: readonly string[];
}

const ASSIGNMENT = /^([A-Za-z_]\w*)\+?=/;

/** Separates a command from its assignments and from the wrappers that run it: `sudo`, `timeout 60`, `npx`. */
export function unwrapCommand(command: Unwrappable): Unwrapped {
  const circumstances = new Set(command.within);
  for (const { name } of command.assignments) circumstances.add(`env:${name}`);
  let start = 0;
  for (;;) {
    const next = unwrapOnce(command.words, start, circumstances);
    if (next === undefined) break;
    start = next;
  }
  const words = start === 0 ? command.words : command.words.slice(start);
  return { words, circumstances: [...circumstances] };
}

/** The last part of a path: the program that a word names. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Where the command starts that the wrapper at `from` runs; undefined when no wrapper stands there. */
function unwrapOnce(
  words: readonly ShellWord[],
  from: number,
  circumstances: Set<string>,
): number | undefined {
  const found = findWrapper(words, from);
  if (found === undefined) return undefined;
  const names: string[] = [];
  const start = skipToCommand(words, from + found.length, found.wrapper, names);
  if (start === undefined || start >= words.length) return undefined;
  // `env A=b` says no more than `A=b` does.
  if (found.name !== 'env' || names.length === 0) circumstances.add(found.name);
  for (const name of names) circumstances.add(`env:${name}`);
  return start;
}

interface FoundWrapper {
  readonly name: string;
  readonly wrapper: Wrapper;
  /** In words. */
  readonly length: number;
}

function findWrapper(words: readonly ShellWord[], from: number): FoundWrapper | undefined {
  let name = '';
  for (let length = 1; length <= MAX_WRAPPER_WORDS && from + length <= words.length; length += 1) {
    const text = words[from + length - 1]?.text ?? '';
    name = length === 1 ? baseName(text) : `${name} ${text}`;
    const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
    if (wrapper !== undefined) return { name, wrapper, length };
  }
  return undefined;
}

/** Where the wrapped command starts; undefined when the wrapper runs none. */
function skipToCommand(
  words: readonly ShellWord[],
  from: number,
  wrapper: Wrapper,
  names: string[],
): number | undefined {
  if (wrapper.after !== undefined) {
    const marker = words.findIndex((word, index) => index >= from && wrapper.after?.includes(word.text));
    return marker === -1 ? undefined : marker + 1;
  }
  let index = from;
  let operands = wrapper.operands ?? 0;
  for (; index < words.length; index += 1) {
    const text = words[index]?.text ?? '';
    if (wrapper.queries?.includes(text)) return undefined;
    if (text === '--') continue;
    if (wrapper.values?.includes(text)) index += 1;
    else if (/^[-+]./.test(text)) continue;
    else if (text === '-' && wrapper.assigns) continue;
    else if (wrapper.assigns && ASSIGNMENT.test(text)) names.push(ASSIGNMENT.exec(text)?.[1] ?? '');
    else if (operands > 0) operands -= 1;
    else return index;
  }
  return undefined;
}
