import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Browser,
  type BrowserContextOptions,
  type BrowserServer,
  chromium,
  type Page,
} from 'playwright-core';
import { inject } from 'vitest';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Where Chromium is; undefined when the machine has none. */
export const CHROMIUM: string | undefined = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find((path) => existsSync(path));

/** Starts it for several processes; as root it runs only without its sandbox. */
export function startChromium(): Promise<BrowserServer> {
  return chromium.launchServer({
    ...(CHROMIUM === undefined ? {} : { executablePath: CHROMIUM }),
    args: ['--no-sandbox'],
  });
}

/** The one that all test files use; closing it leaves it to the others. */
export function connectBrowser(): Promise<Browser> {
  return chromium.connect(inject('chromium'));
}

/** Noise of a server that a test has stopped. */
const LOST_CONNECTION = /^WebSocket connection to '|ERR_CONNECTION_REFUSED/;

/** A page, and everything that went wrong in it. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors of scripts, what the policy refused, and requests that would have left the machine. */
  readonly problems: string[];
}

/** Opens an address in a context of its own. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport: { width: 1200, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !LOST_CONNECTION.test(message.text())) problems.push(message.text());
  });
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== new URL(url).origin)
      problems.push(`left the machine: ${request.url()}`);
  });
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(url);
  return { page, problems };
}

/** Builds the app into a folder. */
export function buildApp(folder: string): void {
  const script = fileURLToPath(new URL('../../scripts/build-web.mjs', import.meta.url));
  execFileSync(process.execPath, [script, folder], { stdio: 'pipe' });
}
