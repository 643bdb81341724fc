import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { loadedBy } from '../../loaded-by.ts';

const SRC = resolve(import.meta.dirname, '../../../src');

it('the version is known without loading the program', () => {
  const loaded = [...loadedBy(resolve(SRC, 'cli/main.ts'))].map((file) => file.replace(`${SRC}/`, ''));
  expect(loaded.sort()).toEqual(['cli/main.ts', 'cli/output/exit-codes.ts', 'cli/program/version.ts', 'node:module']);
});

it('checks begin without the reader of JSON Schema, which few of them need', () => {
  const loaded = [...loadedBy(resolve(SRC, 'checks/index.ts'))];
  for (const heavy of ['ajv', 'ajv-formats', 'sharp', 'mediabunny']) expect(loaded).not.toContain(heavy);
});

it('the program begins with no room but the nouns, no heavy package, and not the parser that explains mistakes', () => {
  const loaded = [...loadedBy(resolve(SRC, 'cli/process.ts'))];
  expect(loaded.filter((file) => file.startsWith(`${SRC}/`) && !/\/src\/(cli|domain)\//.test(file))).toEqual([]);
  const packages = loaded.filter((name) => !name.startsWith('/') && !name.startsWith('node:'));
  expect(packages.sort()).toEqual(['get-east-asian-width', 'ipaddr.js', 'picocolors']);
});
