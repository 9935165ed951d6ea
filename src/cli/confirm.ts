import { createInterface } from 'node:readline';
import { YoreError } from '../record/index.ts';
import type { Output } from './output/output.ts';
import { sanitise } from './output/sanitise.ts';

/**
 * Asks a yes-or-no question on the terminal; anything but yes is no. Where there is no terminal to ask on:
 * USAGE, so that a script must say `--yes`.
 */
export async function confirm(question: string, output: Output): Promise<boolean> {
  if (!process.stdin.isTTY || !output.error.terminal.isTerminal) {
    throw new YoreError('USAGE', `${question} There is no terminal to ask on: add --yes to go on.`);
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await new Promise<boolean>((resolve) => {
      lines.on('close', () => resolve(false));
      lines.on('SIGINT', () => lines.close());
      lines.question(`${sanitise(question)} [y/N] `, (answer) => resolve(/^y(es)?$/i.test(answer.trim())));
    });
  } finally {
    lines.close();
  }
}
