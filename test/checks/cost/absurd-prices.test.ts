import { expect, it } from 'vitest';
import { estimatesFrom, type PricedRequest } from '../../../src/checks/cost/estimate.ts';
import { type Group, keyId } from '../../../src/domain/index.ts';
import type { PublicPrice } from '../../../src/wire/index.ts';

const REQUEST: PricedRequest = {
  model: 'm',
  body: { max_tokens: 512 },
  key: { id: keyId(1), group: 'default' },
  isMedia: false,
  unit: 'token',
  hasOutput: true,
  requests: 1,
  fingerprint: 'm',
};
const CHEAP: PublicPrice = { model: 'm', by: 'token', input: 2, output: 6 };

it.each<[string, PublicPrice, string]>([
  ['a use that costs more than any account holds', { model: 'm', by: 'use', usd: 1e15 }, '1'],
  ['tokens that cost more than any account holds', { ...CHEAP, output: 1e300 }, '1'],
  ['tokens beyond the largest number', { ...CHEAP, input: 1e308, output: 1e308 }, '1'],
  ['a group with a ratio below 0', CHEAP, '-3'],
  ['a group with an enormous ratio', CHEAP, '1e300'],
])('takes %s for an unknown price', (_, price, ratio) => {
  const groups: readonly Group[] = [{ name: 'default', ratio } as Group];
  const estimates = estimatesFrom({ entries: [], groups, prices: [price], keys: [], quotaPerUnit: 500_000 });
  expect([estimates.usual(REQUEST), estimates.most(REQUEST)]).toEqual([undefined, undefined]);
});
