import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ACCESS_TOKEN, openPlace, type Place } from '../place.ts';
import { expectApplied, expectSettled, key, planned, stateOf } from './changes.ts';
import { openStack, type Stack, skipWithoutTerraform } from './stack.ts';

const flat = (text: string): string => text.replaceAll(/\s*│?\s+/g, ' ');

describe('terraform, where a key may be another or a figure may move', () => {
  let place: Place;
  let stack: Stack;
  beforeEach(async (context) => {
    skipWithoutTerraform(context);
    place = await openPlace([], 'deployed');
  });
  afterEach(() => place?.close());

  const names = async () => (await place.keys()).map(({ name }) => name).sort();
  const fail = (...scripts: readonly object[]) => place.control('POST', '/faults', scripts);

  it('does not take a key that somebody made by hand for a create that was lost', async () => {
    stack = await openStack(place, key('one'));
    await fail(
      { method: 'POST', path: '/api/token/', kind: 'cut-before' },
      { method: 'GET', path: '/api/token/', kind: 'cut-before', skip: 2, times: 99 },
    );
    const lost = await stack.run('apply', '-auto-approve');
    expect([lost.code, flat(lost.stdout + lost.stderr)]).toEqual([
      1,
      expect.stringContaining('It is unknown whether the key was created'),
    ]);
    await place.control('DELETE', '/faults');
    const headers = { Authorization: ACCESS_TOKEN, 'New-Api-User': '42', 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'one', remain_quota: 777, expired_time: -1, unlimited_quota: false });
    expect((await fetch(`${place.url}/api/token/`, { method: 'POST', headers, body })).ok).toBe(true);
    const refused = await stack.run('apply', '-auto-approve');
    expect([refused.code, flat(refused.stderr)]).toEqual([
      1,
      expect.stringContaining('A key named "one" already exists'),
    ]);
    expect(await place.keys()).toMatchObject([{ name: 'one', remain_quota: 777 }]);
  });

  it('does not think a key gone that is on another gateway', async () => {
    const other = await openPlace([], 'deployed');
    try {
      stack = await openStack(place, key('one'));
      await expectApplied(stack);
      const destroyed = await stack.runWith({ KEYPLANE_URL: other.url }, 'destroy', '-auto-approve');
      expect([destroyed.code, flat(destroyed.stderr)]).toEqual([1, expect.stringContaining('is not on the gateway')]);
      expect((await stack.run('state', 'list')).stdout).toContain('keyplane_api_key.one');
      await expectSettled(stack);
    } finally {
      await other.close();
    }
  });

  it('applies what it planned while figures move and values are not known', async () => {
    const source = (text: string): string => `resource "terraform_data" "end" { input = "${text}" }\n`;
    const expiring = key('one', 'budget = { usd = 10, below = { usd = 5 } }\n  expires_at = terraform_data.end.output');
    stack = await openStack(place, source('2030-01-01T00:00:00Z') + expiring);
    await expectApplied(stack);
    await stack.configure(source('2031-01-01T00:00:00Z') + expiring);
    expect(await planned(stack)).toMatchObject({ one: expect.stringContaining('expires_at?') });
    // Between the plan and its apply the key falls below what is topped up.
    await place.control('PATCH', '/keys/1', { remain_quota: 5 });
    const applied = await stack.run('apply', 'plan.bin');
    expect(applied.code, applied.stderr).toBe(0);
    await expectSettled(stack);
    expect(await place.keys()).toMatchObject([{ remain_quota: 5_000_000, expired_time: 1_924_992_000 }]);
  });

  it('takes a budget that is made of variables', async () => {
    const defaults = { unlimited: 'null', usd: '5', quota: 'null', per: '"lifetime"', initial: 'null' };
    const variables = Object.entries(defaults)
      .map(([name, value]) => `variable "${name}" { default = ${value} }\n`)
      .join('');
    const budget =
      'budget = { unlimited = var.unlimited, usd = var.usd, quota = var.quota, per = var.per, initial = var.initial }';
    stack = await openStack(place, variables + key('one', budget));
    expect((await stack.run('validate')).code).toBe(0);
    await expectApplied(stack);
    await expectSettled(stack);
  });

  it('warns in the plan of effects that the attributes do not show', async () => {
    stack = await openStack(
      place,
      key('one', 'budget = { usd = 10, per = "lifetime" }') + key('two', 'budget = { usd = 1, initial = true }'),
    );
    await expectApplied(stack);
    const one = (await place.keys()).find(({ name }) => name === 'one');
    await place.control('PATCH', `/keys/${one?.id}`, { remain_quota: 99_000_000 });
    const past = 'budget = { usd = 2, initial = true }\n  expires_at = "2020-01-01T00:00:00Z"';
    await stack.configure(
      key('one', 'budget = { usd = 10, per = "lifetime" }') +
        key('two', past) +
        key('Two') +
        key('two-again').replace('name = "two-again"', 'name = "two"'),
    );
    const output = flat((await stack.run('plan')).stdout);
    expect(output).toMatch(/\$198\.00 \(99000000 units\) remain, and its budget leaves \$10\.00 \(5000000 units\)/);
    expect(output).toContain('`initial` applies only at creation');
    expect(output).toContain('Expired, as declared');
    expect(output).toMatch(/Two resources create keys with the same name: "(two|Two)"/);
    await stack.configure(key('bare', ''));
    const refused = flat((await stack.run('plan')).stderr);
    expect(refused).toContain('A new key has no budget: “bare”.');
    expect(refused).toContain('Set a `budget`; `{ unlimited = true }` sets no ceiling.');
  });

  it('shows a key that was disabled or used up for what it is', async () => {
    stack = await openStack(place, key('one', 'budget = { usd = 1, per = "lifetime" }'));
    await expectApplied(stack);
    await place.control('POST', '/spend', { keyId: 1, quota: 500_000, model: 'alpha-chat-1' });
    await place.control('PATCH', '/keys/1', { status: 2 });
    const refreshed = await stack.run('apply', '-refresh-only', '-auto-approve');
    expect(flat(refreshed.stdout)).toContain('Its budget is used up');
    expect(await stateOf(stack, 'keyplane_api_key.one')).toMatchObject({
      status: 'disabled',
      remaining_quota: 500_000,
    });
    await stack.configure(key('one', 'budget = { usd = 2, per = "lifetime" }'));
    await expectApplied(stack);
    expect(await stateOf(stack, 'keyplane_api_key.one')).toMatchObject({ status: 'disabled', enabled: false });
    await expectSettled(stack);
    await stack.configure(key('one', 'enabled = true\n  budget = { usd = 2, per = "lifetime" }'));
    expect(flat((await stack.run('plan')).stdout)).toMatch(/enabled = false -> true/);
    await expectApplied(stack);
    expect(await stateOf(stack, 'keyplane_api_key.one')).toMatchObject({ status: 'enabled', enabled: true });
    expect(await names()).toEqual(['one']);
  });

  it('never enables a key that somebody disabled after the plan', async () => {
    const enabled = (name: string) => `resource "keyplane_api_key" "one" {
  name    = "${name}"
  enabled = true
  budget  = { usd = 1, per = "lifetime" }
}
`;
    stack = await openStack(place, enabled('one'));
    await expectApplied(stack);
    await stack.configure(enabled('two'));
    expect(await planned(stack)).toEqual({ one: 'update: name status? stored_status?' });
    await place.control('PATCH', '/keys/1', { status: 2 });
    const unseen = expect.stringContaining('The key "one" (id 1) has been disabled since the last refresh');
    for (const words of [
      ['apply', 'plan.bin'],
      ['apply', '-auto-approve', '-refresh=false'],
    ]) {
      const { code, stderr } = await stack.run(...words);
      expect([code, flat(stderr)]).toEqual([1, unseen]);
      expect(await place.keys()).toMatchObject([{ name: 'one', status: 2 }]);
    }
    expect(await planned(stack)).toEqual({ one: 'update: enabled name status? stored_status?' });
    const { code, stderr } = await stack.run('apply', 'plan.bin');
    expect(code, stderr).toBe(0);
    expect(await place.keys()).toMatchObject([{ name: 'two', status: 1 }]);
  });

  it('quotes no credential, wherever it was pasted', async () => {
    const pasted = `sk-${'c4n4ry'.repeat(8)}`;
    const bodies = [
      `group = "${pasted}"`,
      `models = ["${pasted}"]`,
      `allow_ips = ["${pasted}"]`,
      `expires_at = "${pasted}"`,
    ];
    stack = await openStack(
      place,
      bodies.map((body, index) => key(`k${index}`, body)).join('') + key('x').replace('"x"\n', `"${pasted}"\n`),
    );
    const { code, stdout, stderr } = await stack.run('validate', '-json');
    expect([code, JSON.parse(stdout).error_count]).toEqual([1, 5]);
    const summaries = JSON.parse(stdout).diagnostics.map(
      (d: { summary: string; detail: string }) => d.summary + d.detail,
    );
    expect(summaries.join() + stderr).not.toContain('c4n4ry');
    const imported = await stack.run('import', 'keyplane_api_key.k0', pasted);
    expect(imported.stderr.replace(/^.*terraform import.*$/gm, '')).not.toContain(`"${pasted}"`);
  });
});
