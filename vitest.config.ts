import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: 'test/acceptance/build.ts',
    include: ['test/**/*.test.ts'],
    // At least ten times what the longest test needs on an idle machine: a limit is for tests that hang, not for slow machines.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    retry: 0,
    // Files of one worker share their imports, because loading them again took a quarter of the time. No module keeps state that
    // a test depends on.
    isolate: false,
    // Workers transform no file that one of this run or an earlier one has transformed.
    experimental: { fsModuleCache: true },
    // Tests wait for programs half of the time, so one worker more than there are cores.
    maxWorkers: availableParallelism() + 1,
  },
});
