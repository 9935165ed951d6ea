import { readInstallRecord } from '../install/install-record.ts';
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
    ...hintsForBeginners(home, output),
  ];
}

/** What to try first. Where agents are wired already, history comes by itself. */
export function hintsForBeginners(home: Home, { style, symbols, columns }: Output): string[] {
  const hint = (command: string, meaning: string): string[] =>
    clipped(meaning, {
      by: 15,
      columns,
      ellipsis: symbols.ellipsis,
      sign: `  ${style.cyan(pad(command, 11))} `,
    });
  return [
    '',
    ...(isWired(home.path)
      ? []
      : hint('yore init', 'find your agents, import their history, record from now on')),
    ...hint('yore demo', 'see what it will do for you'),
    ...hint('yore --help', 'all commands'),
  ];
}

function isWired(home: string): boolean {
  return readInstallRecord(home).files.size > 0;
}
