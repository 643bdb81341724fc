import { defineConfig, mergeConfig } from 'vitest/config';
import all from './vitest.config.ts';

/** Enumerations that take minutes, `npm run test:exhaustive`. The tests of each change play a fixed part of them. */
export default mergeConfig(
  { ...all, test: { ...all.test, include: [] } },
  defineConfig({ test: { include: ['test/**/*.exhaustive.ts'], testTimeout: 3_600_000 } }),
);
