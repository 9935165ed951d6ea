export { canonicalCommands, hidesExit } from './canonical.ts';
export type { CanonicalCommand } from './canonical-command.ts';
export { parseShell, type ShellCommand } from './parse-shell.ts';

export { unwrapCommand } from './unwrap.ts';
