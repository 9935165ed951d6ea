import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Tests that start the built product. */
const BUILT = [
  'test/cli/built/**/*.test.ts',
  'test/**/*.built.test.ts',
  'test/**/*processes.test.ts',
  'test/backup/backup.test.ts',
  'test/bench/run.test.ts',
];

/** Tests of the browser app, which need Chromium. */
const WEB = 'test/web/**/*.test.ts';

export default defineConfig({
  test: {
    // Limits for a machine that is busy with much else; the tests take seconds.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // Most tests wait for files, processes or a browser, also on a machine with few processors.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // Modules of yore's hold no state that one test could leave to the next: loading them once halves the time.
    isolate: false,
    setupFiles: ['test/property-seed.ts'],
    projects: [
      {
        extends: true,
        test: { name: 'source', include: ['test/**/*.test.ts'], exclude: [...BUILT, WEB] },
      },
      {
        extends: true,
        test: { name: 'built', include: BUILT, globalSetup: 'test/global-setup.ts', exclude: [WEB] },
      },
      {
        extends: true,
        test: { name: 'web', include: [WEB], globalSetup: ['test/global-setup.ts', 'test/web/global-setup.ts'] },
      },
    ],
  },
});
