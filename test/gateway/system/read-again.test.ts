import { expect, it } from 'vitest';
import { keyId, type ObservedKey } from '../../../src/domain/index.ts';
import { openReadAgain } from '../../../src/gateway/system/read-again.ts';

const PER_PAGE = 20;
const KEYS = Array.from({ length: 3 * PER_PAGE }, (_, n) => ({ id: keyId(n + 1) }) as ObservedKey);

async function opened() {
  const requests = { page: 0, one: 0, walk: 0 };
  const reads = openReadAgain({
    page: async (number) => {
      requests.page += 1;
      return { keys: KEYS.slice((number - 1) * PER_PAGE, number * PER_PAGE), total: KEYS.length } as never;
    },
    walk: async () => {
      requests.walk += 1;
      return KEYS;
    },
    one: async (id) => {
      requests.one += 1;
      return KEYS.find((key) => key.id === id);
    },
  });
  for (const number of [1, 2, 3]) await reads.page(number);
  requests.page = 0;
  return { requests, readAgain: reads.readAgain };
}

it.each([
  ['two keys of a page one by one', [1, 2], { page: 0, one: 2, walk: 0 }],
  ['three keys of a page with it', [1, 2, 3], { page: 1, one: 0, walk: 0 }],
  ['nine keys of three pages with these', [1, 2, 3, 21, 22, 23, 41, 42, 43], { page: 3, one: 0, walk: 0 }],
  ['five keys of two pages one by one', [1, 2, 3, 21, 22], { page: 0, one: 5, walk: 0 }],
  ['keys of which one was never listed one by one', [1, 2, 3, 99], { page: 0, one: 4, walk: 0 }],
] as const)('reads %s', async (_, ids, requests) => {
  const { requests: counted, readAgain } = await opened();
  const found = await readAgain(ids.map(keyId));
  expect([...found.keys()].sort((a, b) => a - b)).toEqual(ids.filter((id) => id <= KEYS.length));
  expect(counted).toEqual(requests);
});
