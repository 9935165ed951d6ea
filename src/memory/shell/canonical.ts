import type { CanonicalCommand } from './canonical-command.ts';
import { canonicalWalk, type Found } from './canonical-walk.ts';
import { onlyReads, type Role } from './roles.ts';
import type { Operator } from './tree.ts';

/**
 * The commands of a line that matter, in the order in which they run. What only changes the shell (`cd`, `export`,
 * `set`), only talks (`echo`, `sleep`) or only limits output (`| tail`) is left out, unless the line has nothing else.
 * `folder` is where the line starts, absolute or relative to a root; `cd` is followed from there.
 */
export function canonicalCommands(text: string, folder: string | undefined): readonly CanonicalCommand[] {
  const found = canonicalWalk(text, folder);
  const role = roleThatMatters(found);
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
 * Whether exit code 0 of a line does not mean that its work succeeded: `npm test | tail`, `make || true`, `make; echo`.
 * Commands that only look (`cat`, `ls`), conditions and substitutions count only where there is nothing else.
 */
export function hidesExit(text: string, folder?: string): boolean {
  const found = canonicalWalk(text, folder);
  const role = roleThatMatters(found);
  const commands = found.filter((each) => each.role === role);
  const direct = commands.filter((each) => !each.aside);
  const work = direct.filter((each) => !onlyReads(each.command.words[0] ?? ''));
  const judged = work.length > 0 ? work : direct.length > 0 ? direct.slice(-1) : commands;
  return judged.some(({ command }) => command.piped || command.masked);
}

function roleThatMatters(found: readonly Found[]): Role | undefined {
  const order: readonly Role[] = ['main', 'filler', 'state'];
  return order.find((role) => found.some((each) => each.role === role));
}

/** How two commands are joined when what stood between them is left out. */
function joinOperators(operators: readonly (Operator | '|')[]): Operator | '|' {
  const joints = operators.filter((operator) => operator !== '' && operator !== '|');
  if (joints.includes('&')) return '&';
  if (joints.includes(';')) return ';';
  if (joints.length === 0) return operators.includes('|') ? '|' : ';';
  const last = joints.at(-1) ?? ';';
  // `a || true && b` runs b in any case.
  return last === '&&' && joints.includes('||') ? ';' : last;
}
