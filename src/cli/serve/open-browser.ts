import { spawn } from 'node:child_process';

/** What decides which browser there is. */
export interface BrowserPlace {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A command that fails at all fails within this time; one that runs longer has become the browser. */
const PATIENCE_MS = 1500;

/** The command that opens an address in the user's browser; undefined where there is no screen to show it on. */
export function browserCommand(
  address: string,
  { platform, env }: BrowserPlace,
): readonly [string, ...string[]] | undefined {
  if (platform === 'darwin') return ['open', address];
  // The first quoted argument of `start` is the title of a window.
  if (platform === 'win32') return ['cmd', '/c', 'start', '""', address.replaceAll('&', '^&')];
  // Without a screen, xdg-open starts a browser of the terminal, which would take it over.
  const hasScreen = Boolean(env.DISPLAY || env.WAYLAND_DISPLAY || env.BROWSER);
  return hasScreen ? ['xdg-open', address] : undefined;
}

/** Opens an address in the user's browser, which lives on when this process ends. False when there is none. */
export function openBrowser(address: string, place: BrowserPlace): Promise<boolean> {
  const [command, ...args] = browserCommand(address, place) ?? [];
  if (command === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: 'ignore',
      detached: true,
      windowsHide: true,
      windowsVerbatimArguments: true,
    });
    const patience = setTimeout(() => resolve(true), PATIENCE_MS);
    const settle = (isOpen: boolean): void => {
      clearTimeout(patience);
      resolve(isOpen);
    };
    child.once('error', () => settle(false));
    child.once('exit', (code) => settle(code === 0));
    child.unref();
  });
}
