import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { loadedBy } from '../loaded-by.ts';

const SRC = resolve(import.meta.dirname, '../../src');

it('the provider answers with its schema without what validates or plans', () => {
  const loaded = [...loadedBy(resolve(SRC, 'terraform/main.ts'))];
  // The bundle has of the domain what these modules use.
  const own = loaded.filter((file) => file.includes('/src/') && !file.includes('/src/domain/'));
  expect(own.filter((file) => !/\/src\/terraform\/(main|schema-response|protocol\/|serve\/)/.test(file))).toEqual([]);
});

it('the provider validates without what only a gateway or a check needs', () => {
  const loaded = [...loadedBy(resolve(SRC, 'terraform/served.ts'))];
  const others = loaded.filter((file) => /\/src\/(checks|media|gateway|http|wire)\//.test(file));
  expect(others).toEqual([]);
  const packages = loaded.filter((name) => !name.startsWith('/') && !name.startsWith('node:'));
  // Two of the three processes that begin for a command compile these.
  expect(packages.sort()).toEqual([
    '@bufbuild/protobuf/wire',
    '@msgpack/msgpack',
    'fastest-levenshtein',
    'ipaddr.js',
    'lossless-json',
    'p-map',
  ]);
});
