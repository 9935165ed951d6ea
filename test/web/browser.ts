import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, type BrowserServer, chromium, type Page } from 'playwright-core';
import { inject } from 'vitest';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The path of Chromium; undefined when the machine has none. */
export const CHROMIUM: string | undefined = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find((path) => existsSync(path));

/** Starts Chromium for all test files. As root it runs only without its sandbox. */
export function startChromium(): Promise<BrowserServer> {
  return chromium.launchServer({
    ...(CHROMIUM === undefined ? {} : { executablePath: CHROMIUM }),
    args: ['--no-sandbox'],
  });
}

/** Connects to the Chromium that all test files share. Closing the connection leaves it running. */
export function connectBrowser(): Promise<Browser> {
  return chromium.connect(inject('chromium'));
}

/**
 * Errors in the console after a test has stopped the server. Which one it is depends on what the connection was doing.
 * A missing file is reported with its status, and what the security policy forbids as blocked: both are problems.
 */
const LOST_CONNECTION = /^WebSocket connection to '|net::ERR_(?!BLOCKED_)/;

/** A page and its problems. */
export interface WatchedPage {
  readonly page: Page;
  /** Script errors, violations of the security policy, and requests to other machines. */
  readonly problems: string[];
}

/** Opens an address in its own browser context. */
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

/**
 * Reads a value until it has stayed the same for some frames: scrolling and measuring rows go on for a while after the
 * element of interest is there.
 */
export async function waitUntilStable<T>(page: Page, read: () => Promise<T> | T): Promise<T> {
  let value = await read();
  for (let unchanged = 0; unchanged < STABLE_READS; ) {
    await page.evaluate('new Promise((next) => requestAnimationFrame(() => setTimeout(next, 20)))');
    const next = await read();
    unchanged = JSON.stringify(next) === JSON.stringify(value) ? unchanged + 1 : 0;
    value = next;
  }
  return value;
}

/**
 * Presses keys that count together only when they come soon after each other, until that has worked: on a busy machine
 * they may be too far apart.
 */
export async function pressUntil(
  page: Page,
  keys: readonly string[],
  hasWorked: () => Promise<boolean> | boolean,
): Promise<void> {
  for (let time = 0; time < MAX_PRESSES; time += 1) {
    for (const key of keys) await page.keyboard.press(key);
    for (let frame = 0; frame < FRAMES_OF_A_PRESS; frame += 1) {
      if (await hasWorked()) return;
      await page.evaluate('new Promise((next) => requestAnimationFrame(() => setTimeout(next, 20)))');
    }
  }
  throw new Error(`Pressing ${keys.join(' ')} had no effect.`);
}

const MAX_PRESSES = 20;
/** Longer than keys count together, so that no key is taken for the second one of the press before. */
const FRAMES_OF_A_PRESS = 60;
const STABLE_READS = 8;

/** A PNG of one pixel. */
export const PIXEL: Buffer = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Serious and critical accessibility problems of the page. */
export async function violations(page: Page): Promise<readonly string[]> {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe.source);
  const found = (await page.evaluate(
    'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations.flatMap(({ id, impact, nodes }) => nodes.map(({ html, failureSummary }) => [id, impact, html, failureSummary])))',
  )) as readonly (readonly [string, string, string, string])[];
  return found
    .filter(([, impact]) => impact === 'serious' || impact === 'critical')
    .map(([id, , html, summary]) => `${id}: ${html.slice(0, 160)} ${summary.slice(0, 240)}`);
}
