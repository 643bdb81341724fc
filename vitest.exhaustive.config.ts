import { defineConfig, mergeConfig } from 'vitest/config';
import all from './vitest.config.ts';

/** Far less than Node.js takes by default: a reader that keeps more in memory ends the run. */
const HEAP_MIB = 1_536;

/** Enumerations that take minutes, `npm run test:exhaustive`. The tests of each change play a fixed part of them. */
export default mergeConfig(
  { ...all, test: { ...all.test, include: [] } },
  defineConfig({
    test: {
      include: ['test/**/*.exhaustive.ts'],
      testTimeout: 3_600_000,
      execArgv: [`--max-old-space-size=${HEAP_MIB}`],
    },
  }),
);
