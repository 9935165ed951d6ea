import type { Home } from '../project/index.ts';
import type { CommandContext } from './command.ts';
import type { Output } from './output/output.ts';
import { countOf } from './output/quantity.ts';
import { sanitiseLine } from './output/sanitise.ts';

/** What is said in a folder of which nothing is known, with what to do. */
export function nothingRecorded(home: Home, { output, cwd }: CommandContext): string[] {
  const others = home.projects().length;
  return [
    `Nothing is recorded for ${sanitiseLine(cwd)} yet.`,
    ...(others > 0 ? [`${countOf(others, 'other project')} with history: yore sessions`] : []),
    ...hintsForBeginners(output),
  ];
}

/** What to try first. */
export function hintsForBeginners({ style }: Output): string[] {
  return [
    '',
    `  ${style.cyan('yore demo')}    see what it will do for you`,
    `  ${style.cyan('yore --help')}  all commands`,
  ];
}
