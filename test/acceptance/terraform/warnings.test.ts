import { afterEach, beforeEach, expect, it } from 'vitest';
import { openPlace, type Place } from '../place.ts';
import { key } from './changes.ts';
import { openInstalledStack, skipWithoutTerraform } from './stack.ts';

let place: Place;
beforeEach(async (context) => {
  skipWithoutTerraform(context);
  if (process.platform !== 'linux') context.skip('it finds the start of a process in /proc');
  place = await openPlace([], 'deployed');
});
afterEach(() => place?.close());

const warnings = (text: string): readonly (string | undefined)[] => [
  ...[...text.matchAll(/Warning: (.*)/g)].map(([, summary]) => summary),
  ...[...text.matchAll(/\(and .* similar .*\)/g)].map(([more]) => more),
];

it('terraform shows a warning of the plan once in an apply, and again in the next command', async () => {
  const models = key('one', 'models = ["alpha-chat-1"]\n  budget = { usd = 1, per = "lifetime" }');
  const stack = await openInstalledStack(place, models);
  const planned = await stack.run('plan');
  expect(warnings(planned.stdout)).toHaveLength(1);
  const applied = await stack.run('apply', '-auto-approve');
  expect(warnings(applied.stdout)).toEqual(warnings(planned.stdout));
  await stack.configure(models.replace('alpha-chat-1', 'text-embedding-3-small'));
  await stack.run('plan', '-out', 'plan.bin');
  const saved = await stack.run('apply', 'plan.bin');
  expect(warnings(saved.stdout)).toEqual(warnings(planned.stdout));
});

it('terraform shows a warning of a data source once in an apply that reads it twice', async () => {
  const watched = (models: string) => `${key('one', `models = ["${models}"]\n  budget = { usd = 1, per = "lifetime" }`)}
check "secret" {
  data "keyplane_api_key_secret" "one" {
    name = "one"
  }
  assert {
    condition     = data.keyplane_api_key_secret.one.id > 0
    error_message = "It has no ID."
  }
}
`;
  const stack = await openInstalledStack(place, key('one'));
  await stack.run('apply', '-auto-approve');
  await stack.configure(watched('alpha-chat-1'));
  await place.control('DELETE', '/requests');
  const { code, stdout, stderr } = await stack.run('apply', '-auto-approve');
  expect(code, stderr).toBe(0);
  const stored = warnings(stdout).filter((summary) => summary === 'The credential of a key is stored in the state');
  expect(stored).toHaveLength(1);
  const { requests } = await place.control<{ requests: Record<string, number> }>('GET', '/requests');
  expect(requests['POST /api/token/batch/keys']).toBe(2);
});

it('terraform shows once that a replaced key stays, although core plans its end again right before it', async () => {
  const replaced = (generation: number): string => `resource "keyplane_api_key" "one" {
  name_prefix = "one-"
  budget      = { usd = 1, per = "lifetime" }
  on_destroy  = "disable"
  rotate_when_changed = { generation = ${generation} }
  lifecycle { create_before_destroy = true }
}
`;
  const stack = await openInstalledStack(place, replaced(1));
  await stack.run('apply', '-auto-approve');
  await stack.configure(replaced(2));
  const { code, stdout, stderr } = await stack.run('apply', '-auto-approve');
  expect(code, stderr).toBe(0);
  expect(warnings(stdout)).toEqual([expect.stringMatching(/^The key \d+ \("one-.*"\) will not be deleted$/)]);
});

it('terraform counts each warning of several keys once in an apply', async () => {
  const names = ['a', 'b', 'c'];
  const keys = (more: string) =>
    names.map((name) => key(name, `budget = { usd = 1, per = "lifetime" }\n  ${more}`)).join('');
  const stack = await openInstalledStack(place, keys('enabled = true'));
  await stack.run('apply', '-auto-approve');
  for (const { id } of await place.keys()) await place.control('PATCH', `/keys/${id}`, { status: 2 });
  const enabling = await stack.run('plan');
  expect(warnings(enabling.stdout)).toEqual([1, 2, 3].map(() => expect.stringMatching(/^The disabled key "[abc]"/)));
  expect(warnings((await stack.run('apply', '-auto-approve')).stdout)).toEqual(warnings(enabling.stdout));
  await stack.configure(keys('expires_at = "2020-01-01T00:00:00Z"'));
  const expiring = await stack.run('plan');
  expect(warnings(expiring.stdout)).toEqual(['Expired, as declared', '(and 2 more similar warnings elsewhere)']);
  expect(warnings((await stack.run('apply', '-auto-approve')).stdout)).toEqual(warnings(expiring.stdout));
});
