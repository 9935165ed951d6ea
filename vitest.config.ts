import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      {
        extends: true,
        test: { name: 'source', include: ['test/**/*.test.ts'], exclude: ['test/cli/built/**'] },
      },
      {
        extends: true,
        test: {
          name: 'built',
          include: ['test/cli/built/**/*.test.ts'],
          globalSetup: 'test/global-setup.ts',
        },
      },
    ],
  },
});
