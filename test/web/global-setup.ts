import { fileURLToPath } from 'node:url';
import type { BrowserServer } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { CHROMIUM, startChromium } from './browser.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The WebSocket endpoint of Chromium; empty when the machine has none. */
    chromium: string;
    /** The folder of the built app. */
    app: string;
  }
}

/** Starts Chromium, once for all tests of the browser app. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const chromium: BrowserServer | undefined = CHROMIUM === undefined ? undefined : await startChromium();
  project.provide('app', fileURLToPath(new URL('../../dist/web', import.meta.url)));
  project.provide('chromium', chromium?.wsEndpoint() ?? '');
  return async () => {
    await chromium?.close();
  };
}
