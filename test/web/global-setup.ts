import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserServer } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { buildApp, CHROMIUM, startChromium } from './browser.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The WebSocket endpoint of Chromium; empty when the machine has none. */
    chromium: string;
    /** The folder of the built app. */
    app: string;
  }
}

/** Builds the app and starts Chromium, once for all tests of the browser app. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'yore-web-'));
  buildApp(folder);
  const chromium: BrowserServer | undefined = CHROMIUM === undefined ? undefined : await startChromium();
  project.provide('app', folder);
  project.provide('chromium', chromium?.wsEndpoint() ?? '');
  return async () => {
    await chromium?.close();
    rmSync(folder, { recursive: true, force: true });
  };
}
