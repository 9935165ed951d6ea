import { mkdtempSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openChat } from '../../chat/index.ts';
import { type Home, openHome } from '../../project/index.ts';
import { YoreError } from '../../record/index.ts';
import {
  type FoundServer,
  findServer,
  isLoopback,
  type RunningServer,
  startServer,
} from '../../server/index.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { packageFile } from '../machine.ts';
import { flagOption, textOption } from '../option-values.ts';
import { sanitiseLine } from '../output/sanitise.ts';
import { announcement, exposureWarning, outsideAddresses, type Served } from '../serve/announce.ts';
import { catchUpBriefly } from '../serve/catch-up-briefly.ts';
import { openBrowser } from '../serve/open-browser.ts';
import { stopSignal } from '../serve/stop-signal.ts';
import { readVersion } from '../version.ts';

const DEFAULT_HOST = '127.0.0.1';
const INDEXING = 'The search index is being brought up to date; lists and searches have more as it goes on.';

/** `yore serve`. Ends when it is told to by a signal. */
export async function runServe(
  context: CommandContext,
  _args: readonly string[],
  options: OptionValues,
): Promise<number> {
  // Mistakes are told before anything is made or read.
  portOption(options);
  hostOption(options);
  if (flagOption(options, 'demo')) return await serveDemo(context, options);
  const home = await context.openHome();
  const found = await findServer(home.path);
  if (found !== undefined) return await pointTo(found, context, options);
  return await serve({ home, cwd: context.cwd, stopped: stopSignal() }, context, options);
}

async function serveDemo(context: CommandContext, options: OptionValues): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'yore-demo-'));
  const cleanUp = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', cleanUp);
  // From here on, so that no signal ends the process before the folder is gone.
  const stopped = stopSignal();
  let home: Home | undefined;
  try {
    const { makeDemoHome } = await import('../demo/demo-home.ts');
    const made = await makeDemoHome(folder, context.now());
    home = openHome({ env: context.env, home: made.home });
    return await serve({ home, cwd: made.cwd, stopped }, context, options);
  } finally {
    home?.close();
    cleanUp();
  }
}

interface Serving {
  readonly home: Home;
  readonly cwd: string;
  readonly stopped: Promise<void>;
}

async function serve(
  { home, cwd, stopped }: Serving,
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

function start(
  home: Home,
  cwd: string,
  { env, now, output }: CommandContext,
  options: OptionValues,
): Promise<RunningServer> {
  const port = portOption(options);
  return startServer({
    home,
    cwd,
    openChat: (project, root, work) => openChat({ home, project, root, env, now, work }).chat,
    webFolder: packageFile('dist/web'),
    version: readVersion(),
    host: hostOption(options),
    allowRemoteWrites: flagOption(options, 'allowRemoteWrites'),
    now,
    ...(port === undefined ? {} : { port }),
    onError: (error) => {
      const isTold = flagOption(options, 'debug') && error instanceof Error;
      const text = isTold ? (error.stack ?? error.message) : messageOf(error);
      output.warn(`something unexpected went wrong: ${text}`);
    },
  });
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
    isEmpty: home.projects().length === 0,
    addresses: outsideAddresses(host, networkInterfaces()),
  };
  if (flagOption(options, 'json')) printJson({ ...server, pid: process.pid }, context);
  else output.lines(...announcement(server, served, output));
  if (!isLoopback(host)) output.warn(exposureWarning(host, server.readOnly));
  if (flagOption(options, 'open')) await open(server.url, context);
}

/** There is one server of a home at a time. */
async function pointTo(found: FoundServer, context: CommandContext, options: OptionValues): Promise<number> {
  const isWanted = flagOption(options, 'open') || flagOption(options, 'json');
  if (!isWanted) {
    throw new YoreError(
      'BUSY',
      `This home is served already, by process ${found.pid}, at ${found.url}\n      Open that: \`yore serve --open\` does. Or end the process first.`,
    );
  }
  if (flagOption(options, 'json')) printJson(found, context);
  else
    context.output.lines('yore serves this home already:', '', `  ${context.output.style.cyan(found.url)}`);
  if (flagOption(options, 'open')) await open(found.url, context);
  return EXIT.ok;
}

async function open(url: string, { output, env }: CommandContext): Promise<void> {
  if (await openBrowser(url, { platform: process.platform, env })) return;
  output.notice('There is no browser that could be opened here. Open the address in one yourself.');
}

function printJson({ url, port, token, readOnly, pid }: FoundServer, { output }: CommandContext): void {
  output.out.write(`${JSON.stringify({ url, port, token, readOnly, pid })}\n`);
}

function hostOption(options: OptionValues): string {
  const host = textOption(options, 'host') ?? DEFAULT_HOST;
  if (host.trim() === '') throw new YoreError('USAGE', '--host is empty. Name an address of this machine.');
  return host.trim();
}

function portOption(options: OptionValues): number | undefined {
  const text = textOption(options, 'port');
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new YoreError(
    'USAGE',
    `--port "${sanitiseLine(text)}" is not a port. Give a number up to 65535; 0 is any that is free.`,
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
