import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { loadedBy } from '../../loaded-by.ts';

const SRC = resolve(import.meta.dirname, '../../../src');

it('the program begins without any room but the nouns, and without any heavy package', () => {
  const loaded = [...loadedBy(resolve(SRC, 'cli/main.ts'))];
  expect(loaded.filter((file) => file.startsWith(`${SRC}/`) && !/\/src\/(cli|domain)\//.test(file))).toEqual([]);
  const packages = loaded.filter((name) => !name.startsWith('/') && !name.startsWith('node:'));
  expect(packages.sort()).toEqual(['commander', 'ipaddr.js', 'picocolors']);
});
