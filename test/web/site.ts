import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject } from 'vitest';
import { connectBrowser, openPage, type WatchedPage } from './browser.ts';
import { createHistory } from './fake-history.ts';
import { FakeServer } from './fake-server.ts';

/** Options of {@link useSite}. */
export interface SiteOptions {
  readonly sessions?: number;
  /** Contents of messages by id. */
  readonly special?: ReadonlyMap<string, string>;
}

/** The app in a browser, with a fake server per test. */
export interface Site {
  readonly server: FakeServer;
  /** Opens a page. The test fails when the page has problems, see {@link WatchedPage}. */
  open(fragment: string, options?: BrowserContextOptions): Promise<WatchedPage>;
}

/** Sets up a site for the tests of a file. */
export function useSite({ sessions = 500, special }: SiteOptions = {}): Site {
  let browser: Browser;
  let server: FakeServer;
  let opened: WatchedPage[] = [];
  beforeAll(async () => {
    browser = await connectBrowser();
  });
  beforeEach(async () => {
    server = new FakeServer(inject('app'), createHistory(sessions, special));
    await server.start();
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    await server.stop();
    const problems = opened.flatMap((page) => page.problems);
    opened = [];
    expect(problems).toEqual([]);
  });
  afterAll(() => browser?.close());
  return {
    get server() {
      return server;
    },
    async open(fragment, options) {
      const page = await openPage(browser, `${server.url}${fragment}`, options);
      opened.push(page);
      return page;
    },
  };
}
