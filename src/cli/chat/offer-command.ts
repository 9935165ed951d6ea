import type { ChatCommands } from '../../chat/index.ts';
import type { FailureWarning } from '../../memory/index.ts';
import type { Output } from '../output/output.ts';
import { sanitise, sanitiseLine } from '../output/sanitise.ts';
import { warningLines } from '../output/warning-text.ts';
import type { Prompter } from './editor/prompter.ts';

/** What commands are offered with. */
export interface OfferContext {
  readonly commands: ChatCommands;
  readonly prompter: Prompter;
  readonly output: Output;
}

/**
 * Offers a command that a reply suggests: the user says yes, no, or changes it first. The guard is asked before, and what
 * it says is shown. Nothing runs without a yes.
 */
export async function offerCommand(command: string, context: OfferContext): Promise<void> {
  const { commands, prompter, output } = context;
  const { style } = output;
  let offered = command;
  for (;;) {
    const warning = commands.warn(offered);
    if (warning !== undefined) prompter.print(warningLines(warning, output).join('\n'));
    const answer = await prompter.ask(questionFor(offered, warning, output), 'yen');
    const changed = answer === 'e' ? await prompter.edit(offered) : undefined;
    if (changed !== undefined && changed.trim() !== '') {
      offered = changed.trim();
      continue;
    }
    if (answer === 'y') await run(offered, context);
    else prompter.print(style.dim(`not run: ${sanitiseLine(offered)}`));
    return;
  }
}

function questionFor(command: string, warning: FailureWarning | undefined, { style }: Output): string {
  const what = style.bold(sanitiseLine(command));
  return warning === undefined
    ? `Run ${what} ? (y/n/e to edit)`
    : `Proceed with ${what} anyway? (y/n/e to edit)`;
}

async function run(command: string, { commands, prompter, output }: OfferContext): Promise<void> {
  const { style, symbols } = output;
  const abort = new AbortController();
  prompter.print(style.bold(style.cyan(`$ ${sanitiseLine(command)}`)));
  let rest = '';
  const onOutput = (text: string): void => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) prompter.print(sanitise(lines.join('\n')));
  };
  const running = commands.run(command, { onOutput, signal: abort.signal });
  const { status, exitCode } = await prompter.during(running, () => abort.abort());
  if (rest !== '') prompter.print(sanitise(rest));
  if (status === 'ok') prompter.print(style.green(`${symbols.success} done`));
  else if (status === 'interrupted') prompter.print(style.yellow('stopped'));
  else
    prompter.print(
      style.red(`${symbols.failure} failed${exitCode === undefined ? '' : ` with exit code ${exitCode}`}`),
    );
}
