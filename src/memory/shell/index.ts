export { canonicalCommands, hidesExit } from './canonical.ts';
export type { CanonicalCommand } from './canonical-command.ts';
export { type Pipeline, parseShell, type ShellCommand, type ShellScript } from './parse-shell.ts';
export type { Assignment, Operator, Redirection, ShellWord } from './tree.ts';
export { type Unwrapped, unwrapCommand } from './unwrap.ts';
