import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { buildApp, launchBrowser, openPage, type WatchedPage } from './browser.ts';
import { inventHistory } from './invented-history.ts';
import { InventedServer } from './invented-server.ts';

/** What a site is made of. */
export interface SiteOptions {
  readonly sessions?: number;
  /** Contents of messages by their id. */
  readonly special?: ReadonlyMap<string, string>;
}

/** The app in a browser, before a server of its own for each test. */
export interface Site {
  readonly server: InventedServer;
  open(fragment: string, options?: BrowserContextOptions): Promise<WatchedPage>;
}

/** Sets a site up for the tests of a file. */
export function useSite({ sessions = 500, special }: SiteOptions = {}): Site {
  let folder: string;
  let browser: Browser;
  let server: InventedServer;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'yore-web-'));
    buildApp(folder);
    browser = await launchBrowser();
  });
  beforeEach(async () => {
    server = new InventedServer(folder, inventHistory(sessions, special));
    await server.start();
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    await server.stop();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    get server() {
      return server;
    },
    open: (fragment, options) => openPage(browser, `${server.url}${fragment}`, options),
  };
}
