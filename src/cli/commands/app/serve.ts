import { mkdtempSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openChat } from '../../../chat/index.ts';
import { type Home, openHome } from '../../../project/index.ts';
import { YoreError } from '../../../record/index.ts';
import { omitUndefined } from '../../../record/object.ts';
import {
  type AgentStatus,
  type FoundServer,
  findServer,
  isLoopback,
  type RunningServer,
  startServer,
} from '../../../server/index.ts';
import type { CommandContext, CommandRun, OptionValues } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { packageFile, readVersion, yoreCommand } from '../../machine.ts';
import { flagOption, textOption } from '../../options.ts';
import { sanitiseLine } from '../../output/sanitise.ts';
import { announcementLines, exposureWarning, externalAddresses, openBrowser, type Served } from './announce.ts';

const DEFAULT_HOST = '127.0.0.1';
const INDEXING = 'Updating the search index; lists and searches are incomplete until it is done.';
const INDEXING_TIMEOUT_MS = 1000;
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** `yore serve`. Ends on a signal. */
export const runServe: CommandRun = async (context, _args, options) => {
  // Throws for invalid values before anything is created or read.
  portOption(options);
  hostOption(options);
  if (flagOption(options, 'demo')) return await serveDemo(context, options);
  const home = await context.openHome();
  const found = await findServer(home.path);
  if (found !== undefined) return await pointTo(found, context, options);
  return await serve(home, context.cwd, waitForStopSignal(), context, options);
};

async function serveDemo(context: CommandContext, options: OptionValues): Promise<number> {
  // Signals are handled from here on, so that none ends the process before the folder is deleted.
  const stopped = waitForStopSignal();
  const folder = mkdtempSync(join(tmpdir(), 'yore-demo-'));
  const cleanUp = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', cleanUp);
  let home: Home | undefined;
  try {
    const { makeDemoHome } = await import('../../demo/demo-home.ts');
    const made = await makeDemoHome(folder, context.now());
    home = openHome({ env: context.env, home: made.home });
    return await serve(home, made.cwd, stopped, context, options);
  } finally {
    home?.close();
    cleanUp();
  }
}

async function serve(
  home: Home,
  cwd: string,
  stopped: Promise<void>,
  context: CommandContext,
  options: OptionValues,
): Promise<number> {
  const isIndexed = catchUpBriefly(home, context.now);
  const server = await start(home, cwd, context, options);
  try {
    await announce(server, home, context, options);
    if (!isIndexed) context.output.notice(INDEXING);
    await stopped;
  } finally {
    await server.close();
  }
  return EXIT.ok;
}

function start(home: Home, cwd: string, context: CommandContext, options: OptionValues): Promise<RunningServer> {
  const { env, now, output } = context;
  const port = portOption(options);
  const isDemo = flagOption(options, 'demo');
  return startServer({
    home,
    cwd,
    isDemo,
    command: yoreCommand(context.cwd),
    // The agents of this machine have nothing to do with the demo.
    ...(isDemo ? {} : { checkAgents: () => checkAgents(context, home) }),
    openChat: (project, root, work) => openChat({ home, project, root, env, now, work }).chat,
    webFolder: packageFile('dist/web'),
    version: readVersion(),
    host: hostOption(options),
    allowRemoteWrites: flagOption(options, 'allow-remote-writes'),
    now,
    ...omitUndefined({ port }),
    onError: (error) => {
      const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
      output.warn(`unexpected error: ${flagOption(options, 'debug') ? stack : message}`);
    },
  });
}

async function checkAgents(context: CommandContext, home: Home): Promise<readonly AgentStatus[]> {
  const { examineAgents, toAgentStatus } = await import('../../agent-health.ts');
  return (await examineAgents(context, home)).map((check) => toAgentStatus(check, context.now()));
}

async function announce(
  server: RunningServer,
  home: Home,
  context: CommandContext,
  options: OptionValues,
): Promise<void> {
  const { output } = context;
  const host = hostOption(options);
  const served: Served = {
    home: home.path,
    isDemo: flagOption(options, 'demo'),
    command: yoreCommand(context.cwd),
    isEmpty: home.projects().length === 0,
    addresses: externalAddresses(host, networkInterfaces()),
  };
  if (flagOption(options, 'json')) printJson({ ...server, pid: process.pid }, context);
  else output.lines(...announcementLines(server, served, output));
  if (!isLoopback(host)) output.warn(exposureWarning(host, server.readOnly));
  if (flagOption(options, 'open')) await open(server.url, context);
}

/** A home has one server at a time: prints the address of the one that is running. */
async function pointTo(found: FoundServer, context: CommandContext, options: OptionValues): Promise<number> {
  const isWanted = flagOption(options, 'open') || flagOption(options, 'json');
  if (!isWanted) {
    throw new YoreError(
      'BUSY',
      `This home is already served by process ${found.pid} at ${found.url}\n      To open it: yore serve --open. Or stop that process first.`,
    );
  }
  const { output } = context;
  if (flagOption(options, 'json')) printJson(found, context);
  else output.lines('This home is already being served:', '', `  ${output.style.cyan(found.url)}`);
  if (flagOption(options, 'open')) await open(found.url, context);
  return EXIT.ok;
}

async function open(url: string, { output, env }: CommandContext): Promise<void> {
  if (await openBrowser(url, { platform: process.platform, env })) return;
  output.notice('No browser could be opened. Open the address yourself.');
}

function printJson({ url, port, token, readOnly, pid }: FoundServer, { output }: CommandContext): void {
  output.out.write(`${JSON.stringify({ url, port, token, readOnly, pid })}\n`);
}

function hostOption(options: OptionValues): string {
  const host = textOption(options, 'host') ?? DEFAULT_HOST;
  if (host.trim() === '') throw new YoreError('USAGE', '--host is empty. Give an address of this machine.');
  return host.trim();
}

function portOption(options: OptionValues): number | undefined {
  const text = textOption(options, 'port');
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new YoreError(
    'USAGE',
    `--port "${sanitiseLine(text)}" is not a port. Give a number up to 65535; 0 picks a free port.`,
  );
}

/** Updates the index for at most a second; the server does the rest. Returns whether it is up to date. */
function catchUpBriefly(home: Home, now: () => number): boolean {
  const end = now() + INDEXING_TIMEOUT_MS;
  const timeout = new Error('timeout');
  try {
    const { complete } = home.catchUp((done, total) => {
      if (done < total && now() > end) throw timeout;
    });
    return complete;
  } catch (error) {
    if (error !== timeout) throw error;
    return false;
  }
}

/** Resolves on the first stop signal. A second one, while the server closes, ends the process at once. */
function waitForStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    const stop = (): void => {
      if (isStopping) process.exit(EXIT.interrupted);
      isStopping = true;
      resolve();
    };
    for (const signal of STOP_SIGNALS) process.on(signal, stop);
  });
}
