import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { YoreError } from '../../../record/index.ts';
import { omitUndefined } from '../../../record/object.ts';
import type { CommandRun, OptionValues } from '../../command.ts';
import { readVersion } from '../../machine.ts';
import { flagOption, textOption } from '../../options.ts';
import { sanitiseLine } from '../../output/sanitise.ts';

/** `yore mcp`. Ends when the client closes standard input, or on a signal. */
export const runMcp: CommandRun = async (context, _args, options) => {
  const folder = folderOption(options, context.cwd);
  // Imported here only, so that no other command loads the protocol and its schemas.
  const { serveMcpStdio } = await import('../../../mcp/index.ts');
  if (process.stdin.isTTY) {
    context.output.notice(
      'yore mcp is waiting for an agent to connect. docs/mcp.md explains how to add it to one. Ctrl-C stops it.',
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
      ...omitUndefined({ home: context.homeOption, folder }),
    },
    { input: process.stdin, output: process.stdout },
    {
      signal: ending.signal,
      onError: (error) => {
        // Standard output belongs to the protocol; clients show standard error.
        if (flagOption(options, 'debug')) context.output.error.write(`yore: ${sanitiseLine(error.message)}\n`);
      },
    },
  );
  // An open pipe would keep the process alive after a signal.
  process.stdin.destroy();
};

function folderOption(options: OptionValues, cwd: string): string | undefined {
  const given = textOption(options, 'project');
  if (given === undefined) return undefined;
  const folder = resolve(cwd, given);
  if (given !== '' && statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new YoreError('USAGE', `--project "${sanitiseLine(given)}" is not a folder. Give the folder of a project.`);
}
