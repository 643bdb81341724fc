import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { loadedBy } from '../loaded-by.ts';

const SRC = resolve(import.meta.dirname, '../../src');

it('the provider begins without what only a gateway or a check needs', () => {
  const loaded = [...loadedBy(resolve(SRC, 'terraform/main.ts'))];
  const others = loaded.filter((file) => /\/src\/(checks|media|gateway|http|wire)\//.test(file));
  expect(others).toEqual([]);
  const packages = loaded.filter((name) => !name.startsWith('/') && !name.startsWith('node:'));
  // Three processes begin for each command, and each compiles these.
  expect(packages.sort()).toEqual([
    '@bufbuild/protobuf/wire',
    'fastest-levenshtein',
    'ipaddr.js',
    'lossless-json',
    'p-map',
  ]);
});
