import type { Action } from '../call/action.ts';
import type { CallAnalysis, CommandPart } from '../call/analyse-call.ts';
import { INTERPRETERS } from '../call/command-needs.ts';
import { mayTellCause } from './cause-words.ts';
import { errorLine, errorSignature, isHollow, linesOf } from './error-line.ts';
import { type Blamed, causesIn, type FailureClass } from './failure-class.ts';

/** Why a call failed, and which of the things it needs are to blame. */
export interface FailureAnalysis {
  readonly class: FailureClass;
  /** The line that says what went wrong. */
  readonly line: string;
  readonly signature: string;
  /** Keys out of what the call needs; the call itself when nothing narrower is known. */
  readonly blamed: readonly string[];
  /** What the output itself proposes instead. */
  readonly suggestion?: string;
}

const STATE_ACTIONS: ReadonlySet<Action> = new Set(['test', 'build', 'lint', 'format']);
const TRANSIENT_EXITS: ReadonlySet<number> = new Set([124, 130, 137, 143]);

/** Explains a failure from the call and what it printed. Never throws. */
export function analyseFailure(call: CallAnalysis, output: string, exitCode?: number): FailureAnalysis {
  const lines = linesOf(output);
  const line = errorLine(lines);
  const suggestion = suggestionIn(output);
  const found = causeIn(call, lines);
  const said = found === undefined || isHollow(found.line) ? line : found.line;
  const more = suggestion === undefined ? {} : { suggestion };
  if (found !== undefined && found.keys.length > 0) {
    return {
      class: found.class,
      line: said,
      signature: errorSignature(said),
      blamed: found.keys,
      ...more,
    };
  }
  const kind = classOf(call, line, found, exitCode);
  return { class: kind, line, signature: errorSignature(line), blamed: wholeCall(call, kind, line), ...more };
}

function classOf(
  call: CallAnalysis,
  line: string,
  found: Cause | undefined,
  exitCode?: number,
): FailureClass {
  if (exitCode !== undefined && TRANSIENT_EXITS.has(exitCode)) return 'transient';
  if (!STATE_ACTIONS.has(call.action)) return found?.class ?? 'unknown';
  return found?.class === 'transient' && found.line === line ? 'transient' : 'state';
}

interface Cause {
  readonly class: FailureClass;
  readonly line: string;
  readonly keys: readonly string[];
}

/** What is further along on a line is data, and costs time to look through. */
const LONGEST_LINE = 500;

/** The first cause whose subject the call needs; else the first that blames nothing narrower. */
function causeIn(call: CallAnalysis, lines: readonly string[]): Cause | undefined {
  let general: Cause | undefined;
  for (const [at, whole] of lines.entries()) {
    const line = whole.slice(0, LONGEST_LINE);
    if (!mayTellCause(line)) continue;
    for (const [{ class: kind, blames }, match] of causesIn(line)) {
      const subject = match.slice(1).find((group) => group !== undefined && group !== '');
      const keys = blames === undefined ? [] : blamedKeys(call, blames, subject, lines.slice(at + 1, at + 6));
      if (keys.length > 0) return { class: kind, line, keys };
      general ??= { class: kind, line, keys };
    }
  }
  return general;
}

function blamedKeys(
  call: CallAnalysis,
  kind: Blamed,
  subject: string | undefined,
  following: readonly string[],
): readonly string[] {
  if (kind === 'read' || kind === 'idle') return [`rule:${kind}`];
  const keys = call.needs.filter((key) => key.startsWith(`${kind}:`));
  switch (kind) {
    case 'setting':
      return keys;
    case 'stage': {
      const named = subject === undefined ? following : [subject];
      return keys.filter((key) => named.some((name) => isWithin(nameOf(key), name)));
    }
    case 'option':
      return first(keys, (key) => key.endsWith(` ${asOption(subject ?? '')}`));
    case 'version':
      return keys.length === 1 ? keys : [];
    case 'subcommand':
    case 'field':
      return first(keys, (key) => key.endsWith(` ${subject}`));
    case 'program':
      return first(keys, (key) => key.split(' ', 1)[0] === `program:${subject}`);
    case 'package':
      return keys.length === 1 ? keys : first(keys, (key) => nameOf(key) === subject?.replace(/%2f/i, '/'));
    case 'shape':
    case 'pattern':
    case 'merge':
      return keys.slice(-1);
    default:
      return pathKeys(call, keys, subject);
  }
}

/** Programs name an option with or without its dashes. */
function asOption(name: string): string {
  if (name.startsWith('-')) return name;
  return name.length === 1 ? `-${name}` : `--${name}`;
}

function pathKeys(
  call: CallAnalysis,
  keys: readonly string[],
  subject: string | undefined,
): readonly string[] {
  if (call.family !== 'shell') return keys.slice(0, 1);
  if (subject === undefined) return keys.length === 1 ? keys : [];
  const wanted = subject.replace(/^\.\//, '').replace(/\/$/, '');
  return first(keys, (key) => {
    const name = nameOf(key);
    return name === wanted || name.endsWith(`/${wanted}`) || wanted.endsWith(`/${name}`);
  });
}

function first(keys: readonly string[], fits: (key: string) => boolean): readonly string[] {
  const found = keys.find(fits);
  return found === undefined ? [] : [found];
}

function nameOf(key: string): string {
  return key.slice(key.indexOf(':') + 1);
}

/** `internal/x.go` is within `internal`: git names the ignored folder, not the file. */
function isWithin(path: string, folder: string): boolean {
  const name = folder.replace(/\/$/, '');
  return path === name || path.startsWith(`${name}/`);
}

/** The call; the part of a chain that the error names; and what kind of command it is, unless the project failed. */
function wholeCall(call: CallAnalysis, kind: FailureClass, line: string): readonly string[] {
  const blamed = [`call:${call.signature}`];
  const part =
    onlyOne(call.parts.filter((each) => isNamed(each, line))) ?? onlyOne(call.parts.filter(isWork));
  if (part === undefined) return blamed;
  if (call.parts.length > 1) blamed.push(part.key);
  if (kind !== 'state' && kind !== 'transient')
    blamed.push(...part.needs.filter((key) => key.startsWith('head:') && !INTERPRETERS.has(key.slice(5))));
  return blamed;
}

function onlyOne<T>(items: readonly T[]): T | undefined {
  return items.length === 1 ? items[0] : undefined;
}

const HARMLESS: ReadonlySet<Action> = new Set(['read', 'search', 'probe', 'create']);

function isWork({ action }: CommandPart): boolean {
  return !HARMLESS.has(action);
}

function isNamed({ command }: CommandPart, line: string): boolean {
  const program = command.words[0] ?? '';
  const sub = command.words.slice(1).find((word) => !word.startsWith('-')) ?? '';
  return line.startsWith(`${program}:`) || line.startsWith(`${program} ${sub}`);
}

function suggestionIn(output: string): string | undefined {
  if (!output.toLowerCase().includes('did you mean ')) return undefined;
  const found = /did you mean (?:one of these[:?]?\s*|to use |the )?['"`]?([^\s'"`?]+)/i.exec(output)?.[1];
  return found === undefined || /^(?:this|that|one|it|npm)$/i.test(found) ? undefined : found;
}
