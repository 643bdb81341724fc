import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openPlace, type Place } from '../place.ts';
import { openStack, type Stack, skipWithoutTerraform } from './stack.ts';

const keyOf = (usd: number): string => `resource "keyplane_api_key" "one" {
  name   = "one"
  budget = { usd = ${usd}, per = "lifetime" }
}
`;
const flat = (text: string): string => text.replaceAll(/\s*│?\s+/g, ' ');

let place: Place;
let stack: Stack;
beforeEach(async (context) => {
  skipWithoutTerraform(context);
  place = await openPlace([]);
  stack = await openStack(place, keyOf(50));
  await stack.write('strict.yaml', 'version: 1\npolicy: { budget: { usd: 10 } }\n');
});
afterEach(() => place?.close());

it('a policy of the environment refuses plans and saved plans of Terraform, and writes nothing', async () => {
  const strict = { KEYPLANE_POLICY: join(place.folder, 'strict.yaml') };
  const refused = await stack.runWith(strict, 'plan');
  expect([refused.code, flat(refused.stderr)]).toEqual([1, expect.stringContaining('is more than $10')]);
  expect(flat(refused.stderr)).toContain('budget = { usd = 50, per = "lifetime" }');
  expect((await stack.run('plan', '-out', 'plan.bin')).code).toBe(0);
  const applied = await stack.runWith(strict, 'apply', 'plan.bin');
  expect([applied.code, await place.keys()]).toEqual([1, []]);
  expect(flat(applied.stderr)).toContain('is more than $10');
  const missing = await stack.runWith({ KEYPLANE_POLICY: 'missing.yaml' }, 'plan');
  expect([missing.code, flat(missing.stderr)]).toEqual([1, expect.stringContaining('KEYPLANE_POLICY')]);
  await stack.configure(keyOf(5));
  expect((await stack.runWith(strict, 'apply', '-auto-approve')).code).toBe(0);
  expect(await place.keys()).toHaveLength(1);
});

it('a policy that is added later refuses the next plan of Terraform, although nothing changed since the last apply', async () => {
  expect((await stack.run('apply', '-auto-approve')).code).toBe(0);
  expect((await stack.run('plan', '-detailed-exitcode')).code).toBe(0);
  for (const words of [['plan'], ['plan', '-refresh=false']]) {
    const refused = await stack.runWith({ KEYPLANE_POLICY: join(place.folder, 'strict.yaml') }, ...words);
    expect([refused.code, flat(refused.stderr)]).toEqual([1, expect.stringContaining('is more than $10')]);
    expect(flat(refused.stderr)).toContain('budget = { usd = 50, per = "lifetime" }');
  }
  expect(await place.keys()).toHaveLength(1);
});
