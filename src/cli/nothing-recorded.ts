import type { Home } from '../project/index.ts';
import type { CommandContext } from './command.ts';
import { clipped } from './output/indented.ts';
import type { Output } from './output/output.ts';
import { countOf } from './output/quantity.ts';
import { sanitiseLine } from './output/sanitise.ts';
import { pad, wrap } from './output/width.ts';

/** What is said in a folder of which nothing is known, with what to do. */
export function nothingRecorded(home: Home, { output, cwd }: CommandContext): string[] {
  const others = home.projects().length;
  return [
    ...wrap(`Nothing is recorded for ${sanitiseLine(cwd)} yet.`, output.columns),
    ...(others > 0
      ? wrap(`${countOf(others, 'other project')} with history: yore sessions`, output.columns)
      : []),
    ...hintsForBeginners(output),
  ];
}

/** What to try first. */
export function hintsForBeginners({ style, symbols, columns }: Output): string[] {
  const hint = (command: string, meaning: string): string[] =>
    clipped(meaning, {
      by: 15,
      columns,
      ellipsis: symbols.ellipsis,
      sign: `  ${style.cyan(pad(command, 11))} `,
    });
  return [
    '',
    ...hint('yore init', 'find your agents, import their history, record from now on'),
    ...hint('yore demo', 'see what it will do for you'),
    ...hint('yore --help', 'all commands'),
  ];
}
