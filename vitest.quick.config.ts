import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configDefaults, defineConfig, mergeConfig } from 'vitest/config';
import all from './vitest.config.ts';

/** Folders whose tests take long even without another program: whole runs of checks, encoded films, arbitrary input. */
const SLOW_FOLDERS = [
  'acceptance',
  'checks',
  'contract',
  'faults',
  'fuzz',
  'gateway/media',
  'manifest/write',
  'openai',
  'properties',
  'reference/failures',
  'reference/media',
  'synthetic',
  'terraform/any-config',
];

/** Imports that start a program, or use the built one. */
const STARTS_PROGRAMS = /from '(?:node:child_process|[./]+\/(?:loaded-by|script-words|place|compiled|samples)\.ts)'/;

const testFiles = readdirSync(join(import.meta.dirname, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => `test/${path}`);

/** Tests that start a program, or use the built one. */
export const testsOfPrograms = testFiles.filter((path) =>
  STARTS_PROGRAMS.test(readFileSync(join(import.meta.dirname, path), 'utf8')),
);

/** The inner loop, `npm run test:quick`: tests that run in the worker itself, without a build. */
export default mergeConfig(
  { ...all, test: { ...all.test, globalSetup: [] } },
  defineConfig({
    test: {
      exclude: [...configDefaults.exclude, ...SLOW_FOLDERS.map((folder) => `test/${folder}/**`), ...testsOfPrograms],
    },
  }),
);
