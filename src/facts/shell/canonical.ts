import { type Chain, changeState, initialState, type ShellState, splitChains } from './execution.ts';
import { parseTree } from './parser.ts';
import type { CommandNode, GroupNode, ListNode, Operator, PipelineNode, Redirection, ShellWord } from './tree.ts';
import { findInlineScript, programName, type Unwrapped, unwrapCommand } from './unwrap.ts';

/**
 * The commands that a line is run for, in the order in which they run. Commands that only change the shell (`cd`,
 * `export`, `set`), print or wait (`echo`, `sleep`) or limit output (`| tail`) are left out, unless there are no others.
 * `folder` is where the line starts, absolute or relative to a root; `cd` is followed from there.
 */
export function canonicalCommands(text: string, folder: string | undefined): readonly CanonicalCommand[] {
  const found = walk(text, folder);
  const role = findMainRole(found);
  const commands: CanonicalCommand[] = [];
  let joints: (Operator | '|')[] = [];
  for (const each of found) {
    joints.push(each.command.operator);
    if (each.role !== role) continue;
    commands.push({ ...each.command, operator: commands.length === 0 ? '' : joinOperators(joints) });
    joints = [];
  }
  return commands;
}

/**
 * Whether a line can exit with 0 although its work failed: `npm test | tail`, `make || true`, `make; echo`. Read-only
 * commands (`cat`, `ls`), conditions and substitutions count only where there are no others.
 */
export function hidesExitCode(text: string, folder?: string): boolean {
  const found = walk(text, folder);
  const role = findMainRole(found);
  const commands = found.filter((each) => each.role === role);
  const direct = commands.filter((each) => !each.incidental);
  const work = direct.filter((each) => !READERS.has(programName(each.command.words[0] ?? '')));
  const judged = work.length > 0 ? work : direct.length > 0 ? direct.slice(-1) : commands;
  return judged.some(({ command }) => command.piped || command.masked);
}

function findMainRole(found: readonly WalkedCommand[]): Role | undefined {
  const order: readonly Role[] = ['main', 'filler', 'state'];
  return order.find((role) => found.some((each) => each.role === role));
}

/** The operator between two commands when those between them are left out. */
function joinOperators(operators: readonly (Operator | '|')[]): Operator | '|' {
  const joints = operators.filter((operator) => operator !== '' && operator !== '|');
  if (joints.includes('&')) return '&';
  if (joints.includes(';')) return ';';
  if (joints.length === 0) return operators.includes('|') ? '|' : ';';
  const last = joints.at(-1) ?? ';';
  // `a || true && b` always runs b.
  return last === '&&' && joints.includes('||') ? ';' : last;
}

/** One command of a line, without what does not change what it does. */
export interface CanonicalCommand {
  /** Without wrappers, assignments, redirections and heredocs. */
  readonly words: readonly string[];
  /** The folder it runs in, if known. */
  readonly folder?: string;
  /** Wrappers, prefixes and names of assignments: `sudo`, `npx`, `env:CI`. */
  readonly circumstances: readonly string[];
  /** Joins it to the previous command of the result; `|` when it reads that command's output. */
  readonly operator: Operator | '|';
  /** Its exit code is hidden by a later stage of its pipeline. */
  readonly piped: boolean;
  /** Its exit code is hidden for another reason: `|| true`, `; echo`, `&`, a condition, a loop. */
  readonly masked: boolean;
  /** Inside a loop, a condition, a subshell, a function or a substitution. */
  readonly nested: boolean;
  readonly redirections: readonly Redirection[];
}

interface WalkedCommand {
  readonly role: Role;
  /** In a substitution, a condition or the body of a function. */
  readonly incidental: boolean;
  readonly command: CanonicalCommand;
}

/** Where a command stands in the line. */
interface Position {
  readonly operator: Operator | '|';
  readonly piped: boolean;
  readonly masked: boolean;
  readonly nested: boolean;
  readonly incidental: boolean;
  readonly inherited: readonly string[];
  readonly scriptDepth: number;
  readonly stage: number;
  readonly stages: number;
}

/** A cache of one line: callers ask for its commands and then whether it hides its exit code. */
let last: { text: string; folder: string | undefined; found: readonly WalkedCommand[] } | undefined;

/** All commands of a line with their roles, in the order in which they run. */
function walk(text: string, folder: string | undefined): readonly WalkedCommand[] {
  if (last?.text !== text || last.folder !== folder) last = { text, folder, found: walkLine(text, folder) };
  return last.found;
}

function walkLine(text: string, folder: string | undefined): readonly WalkedCommand[] {
  const position: Position = {
    operator: '',
    piped: false,
    masked: false,
    nested: false,
    incidental: false,
    inherited: [],
    scriptDepth: 0,
    stage: 0,
    stages: 1,
  };
  const walker = new LineWalker();
  walker.walkList(parseTree(text).list, position, initialState(folder));
  return walker.found;
}

/** Collects the commands of a line while it follows the shell state. */
class LineWalker {
  readonly found: WalkedCommand[] = [];

  /** Walks a list and returns the shell state after it. */
  walkList(list: ListNode, position: Position, before: ShellState): ShellState {
    const chains = splitChains(list);
    let state = before;
    for (const [index, chain] of chains.entries()) {
      const inside = index === 0 ? position : { ...position, operator: ';' as const };
      const after = this.#walkChain(chain, index === chains.length - 1, inside, state);
      if (!chain.background) state = after;
    }
    return state;
  }

  #walkChain(chain: Chain, last: boolean, position: Position, before: ShellState): ShellState {
    let state = before;
    // Whether the folder depends on which commands of the chain succeeded. The first one is assumed to.
    let unsure = false;
    for (const [index, pipeline] of chain.pipelines.entries()) {
      const ends = index === chain.pipelines.length - 1;
      // `set -e` exits after a chain only if its last pipeline failed.
      const reaches = last || chain.forwarded !== 'no' || (state.errexit && ends);
      const hidden = !reaches || chain.background || pipeline.negated || chain.rescued[index] === true;
      const operator = index === 0 && pipeline.operator !== '&' ? position.operator : pipeline.operator;
      const inside = { ...position, operator, masked: position.masked || hidden };
      const alternative = pipeline.operator === '||';
      if (alternative && unsure) state = { ...state, folder: undefined };
      const after = this.#walkPipeline(pipeline, inside, state, chain.forwarded === 'first');
      const moved = index > 0 && after.folder !== state.folder;
      unsure ||= moved;
      state = moved && alternative ? { ...after, folder: undefined } : after;
    }
    return state;
  }

  #walkPipeline(pipeline: PipelineNode, position: Position, state: ShellState, forwardsFirst: boolean): ShellState {
    const [only] = pipeline.stages;
    const stages = pipeline.stages.length;
    if (only !== undefined && stages === 1) return this.#walkStage(only, { ...position, stage: 0, stages }, state);
    for (const [stage, node] of pipeline.stages.entries()) {
      const lost = forwardsFirst ? stage > 0 : stage < stages - 1 && !state.pipefail;
      const operator = stage === 0 ? position.operator : '|';
      // Each stage runs in a process of its own, so its state changes do not last.
      this.#walkStage(node, { ...position, operator, piped: position.piped || lost, stage, stages }, state);
    }
    return state;
  }

  #walkStage(node: CommandNode | GroupNode, position: Position, state: ShellState): ShellState {
    return node.kind === 'command' ? this.#walkCommand(node, position, state) : this.#walkGroup(node, position, state);
  }

  #walkGroup(group: GroupNode, position: Position, before: ShellState): ShellState {
    this.#walkSubstitutions(group.substitutions, position, true, before);
    const { kind } = group;
    const nested = position.nested || kind !== 'group';
    // A loop returns the exit code of its last round only; a function is merely defined here.
    const lost = kind === 'function' || (kind === 'loop' && !before.errexit);
    let state = before;
    let moved = false;
    for (const [index, { condition, list }] of group.parts.entries()) {
      const masked = position.masked || condition || lost;
      const incidental = position.incidental || condition || kind === 'function';
      const operator = index === 0 ? position.operator : ';';
      const after = this.walkList(list, { ...position, operator, nested, masked, incidental }, state);
      if (kind === 'group') return after;
      moved ||= after.folder !== before.folder;
      // Branches exclude each other; conditions run one after the other.
      if (condition) state = after;
    }
    if (kind === 'subshell' || kind === 'function' || !moved) return before;
    return { ...before, folder: undefined };
  }

  /** Walks the substitutions of a command; `lost` when the command has an exit code of its own. */
  #walkSubstitutions(lists: readonly ListNode[], position: Position, lost: boolean, state: ShellState): void {
    if (lists.length === 0) return;
    const masked = position.masked || lost;
    const operator = position.operator === '|' ? ';' : position.operator;
    const piped = position.piped && !lost;
    const inside: Position = { ...position, operator, masked, piped, nested: true, incidental: true };
    for (const list of lists) this.walkList(list, inside, state);
  }

  #walkCommand(node: CommandNode, position: Position, state: ShellState): ShellState {
    const inherited = state.exported.length > 0 ? [...position.inherited, ...state.exported] : position.inherited;
    const unwrapped = unwrapCommand({ assignments: node.assignments, words: node.words, inherited });
    const script = findInlineScript(unwrapped, node.heredocs, position.scriptDepth);
    if (script !== undefined) {
      const inside: Position = {
        ...position,
        inherited: script.circumstances,
        scriptDepth: position.scriptDepth + 1,
      };
      const errexit = script.inPlace ? state.errexit : script.errexit;
      const pipefail = script.inPlace ? state.pipefail : script.pipefail;
      const list = parseTree(script.text).list;
      const after = this.walkList(list, inside, { ...state, errexit, pipefail });
      return script.inPlace ? after : state;
    }
    // Only a bare assignment returns the exit code of its substitution.
    this.#walkSubstitutions(node.substitutions, position, node.words.length > 0, state);
    const changed = changeState(state, unwrapped.words);
    const role = changed === undefined ? findRole(unwrapped.words, node, position.stage, position.stages) : 'state';
    this.found.push({
      role,
      incidental: position.incidental,
      command: toCanonical(node, unwrapped, position, state),
    });
    return changed ?? state;
  }
}

function toCanonical(node: CommandNode, unwrapped: Unwrapped, position: Position, state: ShellState): CanonicalCommand {
  const { operator, piped, masked, nested } = position;
  const words = unwrapped.words.map((word) => word.text);
  const command = {
    ...{ words, circumstances: unwrapped.circumstances, operator, piped, masked, nested },
    redirections: node.redirections,
  };
  return state.folder === undefined ? command : { ...command, folder: state.folder };
}

/** What a command contributes: `limiter` and `filler` only shape the output, `state` only changes the shell. */
type Role = 'main' | 'filler' | 'limiter' | 'state';

/** Commands that never are the purpose of a line that has any others. */
const FILLERS: ReadonlySet<string> = new Set('echo printf true : false sleep wait clear'.split(' '));

const STATE_COMMANDS: ReadonlySet<string> = new Set(
  'exit return break continue shift local declare typeset readonly let trap shopt unsetopt umask ulimit hash alias unalias bindkey'.split(
    ' ',
  ),
);

/** Commands that change nothing, so that their success does not mean that the work of a line succeeded. */
const READERS: ReadonlySet<string> = new Set(
  'echo printf yes true : false sleep wait cat head tail less more tee ls tree pwd which type whereis command date whoami hostname uname env printenv test [ [[ stat file wc sort uniq cut tr nl column basename dirname realpath readlink du df ps history seq'.split(
    ' ',
  ),
);

/** The role of a command by its words without wrappers. `stage` is its index in a pipeline of `stages` commands. */
function findRole(words: readonly ShellWord[], node: CommandNode, stage: number, stages: number): Role {
  const program = programName(words[0]?.text ?? '');
  if (program === '' || STATE_COMMANDS.has(program)) return 'state';
  if (stage > 0 && limitsOutput(program, words)) return 'limiter';
  if (stages > 1 || writesFile(node.redirections)) return 'main';
  // `$(cat <<EOF … )` is how agents write a long text.
  const isText = program === 'cat' && words.length === 1 && node.heredocs.length > 0;
  return isText || FILLERS.has(program) ? 'filler' : 'main';
}

function writesFile(redirections: readonly Redirection[]): boolean {
  return redirections.some(({ operator, target }) => operator.includes('>') && target !== '' && target !== '/dev/null');
}

function limitsOutput(program: string, words: readonly ShellWord[]): boolean {
  switch (program) {
    case 'tee':
    case 'less':
    case 'more':
      return true;
    case 'cat':
      return words.slice(1).every(({ text }) => text.startsWith('-'));
    case 'head':
    case 'tail':
      return !readsFile(words);
    case 'cut':
      return words.slice(1).every(({ text }) => /^(?:-[cb])?[\d,-]*$/.test(text));
    case 'sed':
      return words.length === 3 && words[1]?.text === '-n' && /^\d*,?(?:\d+|\$)?p$/.test(words[2]?.text ?? '');
    default:
      return false;
  }
}

function readsFile(words: readonly ShellWord[]): boolean {
  for (let index = 1; index < words.length; index += 1) {
    const text = words[index]?.text ?? '';
    if (/^(?:-[nc]|--lines|--bytes)$/.test(text)) index += 1;
    else if (!/^[-+]/.test(text)) return true;
  }
  return false;
}
