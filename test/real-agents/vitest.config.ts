import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/real-agents/*.story.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
