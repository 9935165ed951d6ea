import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { YoreError } from '../../record/index.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { flagOption, textOption } from '../option-values.ts';
import { sanitiseLine } from '../output/sanitise.ts';
import { readVersion } from '../version.ts';

/** `yore mcp`. Ends when the client closes standard input, or by a signal. */
export async function runMcp(
  context: CommandContext,
  _args: readonly string[],
  options: OptionValues,
): Promise<void> {
  const folder = folderOption(options, context.cwd);
  // Loaded here alone: no other command pays for the protocol and its schemas.
  const { serveMcpStdio } = await import('../../mcp/index.ts');
  if (process.stdin.isTTY) {
    context.output.notice(
      'yore mcp waits for an agent to speak to it. How to add it to one: docs/mcp.md. Ctrl-C ends it.',
    );
  }
  const ending = new AbortController();
  const end = (): void => ending.abort();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, end);
  await serveMcpStdio(
    {
      version: readVersion(),
      env: context.env,
      currentFolder: context.cwd,
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      ...(context.homeOption === undefined ? {} : { home: context.homeOption }),
      ...(folder === undefined ? {} : { folder }),
    },
    { input: process.stdin, output: process.stdout },
    {
      signal: ending.signal,
      onError: (error) => {
        // Standard output belongs to the protocol; standard error is what clients show when something is wrong.
        if (flagOption(options, 'debug'))
          context.output.error.write(`yore: ${sanitiseLine(error.message)}\n`);
      },
    },
  );
  // An open pipe would keep the process alive after a signal.
  process.stdin.destroy();
}

function folderOption(options: OptionValues, cwd: string): string | undefined {
  const given = textOption(options, 'project');
  if (given === undefined) return undefined;
  const folder = resolve(cwd, given);
  if (given !== '' && statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new YoreError(
    'USAGE',
    `--project "${sanitiseLine(given)}" is not a folder. Name the folder of a project.`,
  );
}
