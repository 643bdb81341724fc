import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../place.ts';
import { expectApplied, expectSettled, key, planned } from './changes.ts';
import { openStack, type Stack, skipWithoutTerraform } from './stack.ts';

const PROVIDER = 'provider "keyplane" {\n  allow_unknown_models = true\n}\n';

const RESTRICTED = `budget     = { usd = 1, per = "lifetime" }
  models     = ["alpha-chat-1"]
  allow_ips  = ["10.0.0.0/8"]
  expires_at = "2037-01-01T00:00:00Z"`;

const inOneLine = (text: string): string => text.replaceAll(/[\s│]+/g, ' ');

describe('keys of terraform whose configuration omits what it had', () => {
  let place: Place;
  let stack: Stack;
  beforeEach(async (context) => {
    skipWithoutTerraform(context);
    place = await openPlace([]);
  });
  afterEach(() => place?.close());

  it('keep their restrictions, and the plan names each until it is applied', async () => {
    stack = await openStack(place, PROVIDER + key('one', RESTRICTED));
    expect(await expectApplied(stack)).not.toContain('Warning');
    await expectSettled(stack);
    const before = await place.keys();
    await stack.configure(PROVIDER + key('one'));
    const output = inOneLine((await stack.run('plan')).stdout);
    for (const name of ['models', 'allow_ips', 'expires_at']) {
      expect(output).toContain(`Warning: \`${name}\` of the key "one" is no longer managed`);
    }
    expect(output).toContain('set `models = ["any"]`');
    expect(await planned(stack)).toEqual({ one: 'update: status? stored_status?' });
    await expectApplied(stack);
    expect(await place.keys()).toEqual(before);
    const { code, stdout } = await stack.run('plan', '-detailed-exitcode');
    expect([code, stdout.includes('Warning')]).toEqual([0, false]);
  });

  it('keep them without a warning where lifecycle ignores the attribute', async () => {
    const body =
      'budget = { usd = 1, per = "lifetime" }\n  lifecycle {\n    ignore_changes = [models, allow_ips, expires_at]\n  }';
    stack = await openStack(place, PROVIDER + key('one', RESTRICTED));
    await expectApplied(stack);
    await stack.configure(PROVIDER + key('one', body));
    const { code, stdout } = await stack.run('plan', '-detailed-exitcode');
    expect([code, stdout.includes('Warning')]).toEqual([0, false]);
  });

  it('are not warned of as used up without a declared budget', async () => {
    stack = await openStack(place, key('one'));
    await expectApplied(stack);
    await stack.configure('resource "keyplane_api_key" "one" {\n  name = "one"\n}\n');
    await expectApplied(stack);
    await place.control('PATCH', '/keys/1', { remain_quota: 0 });
    const { code, stdout } = await stack.run('plan', '-detailed-exitcode');
    expect([code, stdout.includes('used up')], stdout).toEqual([0, false]);
  });

  it('are rejected at validation with amounts that no gateway can store', async () => {
    const amounts = ['usd = 0.0000001', 'quota = 500000000000001', 'usd = 1000000001'];
    stack = await openStack(place, amounts.map((amount, at) => key(`k${at}`, `budget = { ${amount} }`)).join(''));
    const { code, stderr } = await stack.run('validate');
    const summaries = [...stderr.matchAll(/^Error: (.*)$/gm)].map(([, summary]) => summary).sort();
    expect([code, summaries]).toEqual([
      1,
      [
        '`budget.usd`: The amount is less than one quota unit',
        '`quota`: The amount is too large',
        '`usd`: The amount is too large',
      ],
    ]);
  });
});
