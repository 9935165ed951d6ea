import { spawn } from 'node:child_process';
import type { NetworkInterfaceInfo } from 'node:os';
import type { RunningServer } from '../../../server/index.ts';
import { hintLines, INIT_MEANING } from '../../choose-project.ts';
import { shortenPath } from '../../machine.ts';
import type { Output } from '../../output/output.ts';
import { sanitiseLine } from '../../output/sanitise.ts';

const HINTED_COMMAND_WIDTH = ' serve --demo'.length;

/** What a server serves. */
export interface Served {
  /** The folder of the home. */
  readonly home: string;
  /** Whether it is a temporary home with a demo project. */
  readonly isDemo: boolean;
  /** Whether nothing is recorded in it. */
  readonly isEmpty: boolean;
  /** How yore is started here: `yore`, or a script. */
  readonly command: string;
  /** Addresses by which other machines reach it. */
  readonly addresses: readonly string[];
}

/** Where the server listens, how to stop it, and what to do if there is nothing to show. */
export function announcementLines(server: RunningServer, served: Served, output: Output): string[] {
  const { style } = output;
  const commandHint = (command: string, meaning: string): string[] =>
    hintLines(`${served.command} ${command}`, meaning, output, served.command.length + HINTED_COMMAND_WIDTH);
  const what = served.isDemo
    ? 'Serving a demo project. It is deleted when you stop.'
    : `Serving ${sanitiseLine(shortenPath(served.home))}.`;
  return [
    ...output.wrap(what),
    '',
    // Never wrapped, so that they can be copied.
    `  ${style.cyan(server.url)}`,
    ...served.addresses.map((address) => `  ${style.cyan(`http://${address}:${server.port}/#token=${server.token}`)}`),
    '',
    ...(served.isEmpty ? gettingStartedLines(commandHint) : []),
    ...(served.isDemo ? [...commandHint('init', 'see your own history instead'), ''] : []),
    ...output.wrap(style.dim('Anyone with this address can read everything. Press Ctrl-C to stop.')),
  ];
}

function gettingStartedLines(commandHint: (command: string, meaning: string) => string[]): string[] {
  return [
    'Nothing is recorded here yet.',
    ...commandHint('init', INIT_MEANING),
    ...commandHint('import', 'only import their history'),
    ...commandHint('serve --demo', 'explore a demo project'),
    '',
  ];
}

/** The warning about a server that other machines can reach. */
export function exposureWarning(host: string, readOnly: boolean): string {
  const access = readOnly ? 'read everything, but change nothing' : 'read, change and delete everything';
  return `Other machines can reach ${sanitiseLine(host)}. Anyone who has the token can ${access}. The connection is not encrypted; a tunnel is safer, see docs/serve.md.`;
}

/** The machine's addresses for others to use, if the server listens on all of them. */
export function externalAddresses(
  host: string,
  interfaces: Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>,
): readonly string[] {
  if (host !== '0.0.0.0' && host !== '::') return [];
  return Object.values(interfaces)
    .flatMap((all) => all ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address);
}

/** The facts that decide how to open a browser. */
interface BrowserEnvironment {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** An opener that fails does so within this time; one that runs longer has become the browser. */
const OPEN_TIMEOUT_MS = 1500;

/** The command that opens an address in the user's browser; undefined without a display. */
export function browserCommand(
  address: string,
  { platform, env }: BrowserEnvironment,
): readonly [string, ...string[]] | undefined {
  if (platform === 'darwin') return ['open', address];
  // `start` takes its first quoted argument as a window title.
  if (platform === 'win32') return ['cmd', '/c', 'start', '""', address.replaceAll('&', '^&')];
  // Without a display, xdg-open would start a text browser in this terminal.
  const hasDisplay = Boolean(env.DISPLAY || env.WAYLAND_DISPLAY || env.BROWSER);
  return hasDisplay ? ['xdg-open', address] : undefined;
}

/** Opens an address in the user's browser, which outlives this process. Resolves to false if that fails. */
export function openBrowser(address: string, environment: BrowserEnvironment): Promise<boolean> {
  const [command, ...args] = browserCommand(address, environment) ?? [];
  if (command === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: 'ignore',
      detached: true,
      windowsHide: true,
      windowsVerbatimArguments: true,
    });
    const timeout = setTimeout(() => resolve(true), OPEN_TIMEOUT_MS);
    const settle = (isOpen: boolean): void => {
      clearTimeout(timeout);
      resolve(isOpen);
    };
    child.once('error', () => settle(false));
    child.once('exit', (code) => settle(code === 0));
    child.unref();
  });
}
