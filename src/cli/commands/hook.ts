import { runHook } from '../../hook/main.ts';
import type { CommandContext } from '../command.ts';

/** `yore hook AGENT [EVENT]`: what agents call. Ends the process by itself. */
export async function runHookCommand(context: CommandContext, args: readonly string[]): Promise<void> {
  await runHook(args, context.homeOption);
}
