import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: 'test/acceptance/build.ts',
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    retry: 0,
    // Files of one worker share what they import: loading it anew for each took a quarter of the time. Nothing here is kept
    // in a module, or a test that depends on it would fail.
    isolate: false,
    // Half of the time a test waits for programs that it started: every core has one, and one more waits.
    maxWorkers: availableParallelism() + 1,
  },
});
