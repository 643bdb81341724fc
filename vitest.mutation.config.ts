import { defineConfig } from 'vitest/config';
import all from './vitest.config.ts';

/** The tests that `npm run test:mutation` runs for each mutant: in one process, against the store in memory, in seconds. */
export default defineConfig({
  test: {
    ...all.test,
    globalSetup: [],
    include: [
      ...['domain', 'engine', 'reconcile'].map((folder) => `test/${folder}/**/*.test.ts`),
      // The lock and the journal of creates are checked by the suites of their ports, also in memory.
      ...['lock', 'claims', 'create-journal'].map((port) => `test/contract/${port}.test.ts`),
    ],
  },
});
