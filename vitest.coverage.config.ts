import { configDefaults, defineConfig } from 'vitest/config';
import all from './vitest.config.ts';
import { testsOfPrograms } from './vitest.quick.config.ts';

/** The rooms whose branches are measured, with the least part of them that tests take. */
const ROOMS = { domain: 95, reconcile: 95, manifest: 95, wire: 95 };

/** The folders of tests that enter these rooms in their own process. */
const FOLDERS = [
  'cli',
  'contract',
  'domain',
  'engine',
  'gateway',
  'manifest',
  'properties',
  'reconcile',
  'tfjson',
  'wire',
];

/** `npm run test:coverage`: which branches of the pure rooms no test takes. */
export default defineConfig({
  test: {
    ...all.test,
    globalSetup: [],
    include: FOLDERS.map((folder) => `test/${folder}/**/*.test.ts`),
    exclude: [...configDefaults.exclude, ...testsOfPrograms],
    coverage: {
      enabled: true,
      provider: 'v8',
      include: Object.keys(ROOMS).map((room) => `src/${room}/**/*.ts`),
      reporter: ['text', 'json-summary'],
      reportsDirectory: 'coverage',
      thresholds: Object.fromEntries(
        Object.entries(ROOMS).map(([room, branches]) => [`src/${room}/**/*.ts`, { branches }]),
      ),
    },
  },
});
