import { canonicalCommands, hidesExit } from '../shell/canonical.ts';
import type { CanonicalCommand } from '../shell/canonical-command.ts';
import { type Action, actionOf } from './action.ts';
import type { CallAnalysis, CommandPart } from './call-analysis.ts';
import { type CommandNeeds, commandNeeds } from './command-needs.ts';
import { type CallFields, isAbsolute, rootOf } from './describe-call.ts';
import { maskVolatile } from './mask.ts';

/** From the most telling on; what is not named here tells less. */
const RANK: readonly Action[] = [
  'test',
  'build',
  'lint',
  'install',
  'commit',
  'push',
  'checkout',
  'format',
  'edit',
  'create',
  'run',
];
const LONGEST = 2000;

/** The analysis of a command line. What it needs and does is found when it is asked for: of most calls nobody does. */
export class CommandAnalysis implements CallAnalysis {
  readonly family = 'shell';
  readonly signature: string;
  readonly parts: readonly Part[];
  readonly isIdle = false;
  readonly #text: string;
  readonly #folder: string | undefined;
  #needs: readonly string[] | undefined;

  constructor(fields: CallFields) {
    const root = rootOf(fields);
    const escalated = fields.circumstances?.includes('escalated') === true ? '^' : '';
    this.#text = fields.command ?? '';
    this.#folder = absolute(fields.cwd, root);
    this.parts = canonicalCommands(this.#text, this.#folder).map(
      (command) => new Part(command, root, escalated),
    );
    this.signature = `sh${escalated} ${joined(this.parts)}`;
  }

  get action(): Action {
    const actions = this.parts.map((part) => part.action);
    return RANK.find((action) => actions.includes(action)) ?? actions[0] ?? 'run';
  }

  get hidesExit(): boolean {
    return hidesExit(this.#text, this.#folder);
  }

  get needs(): readonly string[] {
    this.#needs ??= this.#findNeeds();
    return this.#needs;
  }

  get makes(): readonly string[] {
    return this.parts.flatMap((part) => part.makes);
  }

  get files(): readonly string[] {
    const read = this.parts.flatMap((part) => part.needs.filter((key) => key.startsWith('file:')));
    return [...read.map((key) => key.slice(5)), ...this.makes];
  }

  get isProbe(): boolean {
    return (
      this.parts.length > 0 && this.parts.every((part) => part.action === 'probe' || isSilent(part.command))
    );
  }

  #findNeeds(): readonly string[] {
    // What a part needs counts only where its failure would fail the whole line.
    const counting = this.parts.filter(({ command }) => !command.piped && !command.masked);
    const keys = this.parts.length > 1 ? counting.map((part) => part.key) : [];
    return [...new Set([`call:${this.signature}`, ...keys, ...counting.flatMap((part) => [...part.needs])])];
  }
}

class Part implements CommandPart {
  readonly command: CanonicalCommand;
  /** The command as it stands in signatures. */
  readonly text: string;
  readonly #root: string | undefined;
  readonly #escalated: string;
  #action: Action | undefined;
  #found: CommandNeeds | undefined;

  constructor(command: CanonicalCommand, root: string | undefined, escalated: string) {
    this.command = command;
    this.text = commandText(command, root);
    this.#root = root;
    this.#escalated = escalated;
  }

  get action(): Action {
    this.#action ??= actionOf(this.command.words);
    return this.#action;
  }

  get key(): string {
    return `call:sh${this.#escalated} ${this.text}`;
  }

  get needs(): readonly string[] {
    return this.#find().needs;
  }

  /** Paths that exist after it went well. */
  get makes(): readonly string[] {
    return this.#find().makes;
  }

  #find(): CommandNeeds {
    if (this.#found === undefined) {
      const { needs, makes } = commandNeeds(this.command, this.#root);
      this.#found = { needs: needs.map((key) => scoped(key, this.#escalated)), makes };
    }
    return this.#found;
  }
}

/** Outside the sandbox other things work: network, permissions. Whether a file exists or an option is known is the same. */
function scoped(key: string, escalated: string): string {
  return escalated !== '' && /^(?:shape|program|head|setting):/.test(key) ? `${key} ${escalated}` : key;
}

function isSilent(command: CanonicalCommand): boolean {
  return ['echo', 'printf', 'true', ':', 'pwd', 'cd', 'set', 'export'].includes(command.words[0] ?? '');
}

function joined(parts: readonly Part[]): string {
  let text = '';
  for (const part of parts) {
    text += text === '' ? '' : ` ${part.command.operator || ';'} `;
    text += part.text;
  }
  return text;
}

function commandText(command: CanonicalCommand, root: string | undefined): string {
  const folder =
    command.folder === undefined || command.folder === root ? '' : `@${inside(command.folder, root)} `;
  const words = command.words.map((word) => inside(word, root).replace(/^\.\//, ''));
  return maskVolatile(`${folder}${words.join(' ')}`).slice(0, LONGEST);
}

function inside(word: string, root: string | undefined): string {
  if (root === undefined || !word.includes(root)) return word;
  return word === root ? '.' : word.replaceAll(`${root}/`, '');
}

function absolute(folder: string | undefined, root: string | undefined): string | undefined {
  if (folder === undefined || folder === '.') return root;
  if (isAbsolute(folder) || root === undefined) return folder;
  return `${root}/${folder}`;
}
