import { defineConfig } from 'vitest/config';
import all from './vitest.config.ts';

/** The tests that `npm run test:mutation` runs for each mutant: in one process, against the store in memory, in seconds. */
export default defineConfig({
  test: {
    ...all.test,
    globalSetup: [],
    include: ['domain', 'engine', 'reconcile'].map((folder) => `test/${folder}/**/*.test.ts`),
  },
});
