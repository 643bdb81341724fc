import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { isSupportedNode } from '../../../src/cli/program/version.ts';
import { loadedBy } from '../../loaded-by.ts';

const SRC = resolve(import.meta.dirname, '../../../src');

it('the version is known without loading the program', () => {
  const loaded = [...loadedBy(resolve(SRC, 'cli/main.ts'))].map((file) => file.replace(`${SRC}/`, ''));
  expect(loaded.sort()).toEqual(['cli/main.ts', 'cli/output/exit-codes.ts', 'cli/program/version.ts', 'node:module']);
});

it('a version of Node.js that lacks what the program loads is rejected, and newer lines are not', () => {
  const versions = ['18.20.8', '20.18.3', '20.19.0', '21.7.3', '22.11.0', '22.12.0', '23.0.0', '24.1.0', '100.0.0'];
  expect(versions.filter(isSupportedNode)).toEqual(['20.19.0', '22.12.0', '23.0.0', '24.1.0', '100.0.0']);
  expect(createRequire(import.meta.url)('keyplane/package.json').engines.node).toBe('^20.19 || >=22.12');
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
