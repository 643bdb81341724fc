import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../place.ts';
import { expectApplied, expectSettled, planned } from './changes.ts';
import { openStack, type Stack, skipWithoutTerraform } from './stack.ts';

const flat = (text: string): string => text.replaceAll(/\s*│?\s+/g, ' ');

/** The edit of each key behind the plan, as the gateway stores it, with the text of the error. */
const EDITS: Readonly<Record<string, readonly [object, string]>> = {
  name: [{ name: 'theirs' }, '`name` was "name", and is now "theirs"'],
  group: [{ group: 'vip' }, '`group` was "default", and is now "vip"'],
  models: [{ model_limits: 'beta-chat-1' }, '`models` was ["alpha-chat-1"], and is now ["beta-chat-1"]'],
  ips: [{ allow_ips: '192.0.2.1' }, '`allow_ips` was ["127.0.0.0/8"], and is now ["192.0.2.1/32"]'],
  expiry: [{ expired_time: -1 }, '`expires_at` was "2030-01-01T00:00:00Z", and is now "never"'],
  budget: [{ remain_quota: 99_000_000 }, 'what the key may spend was changed: 99000000 quota units remain now'],
  unlimited: [{ unlimited_quota: true }, 'what the key may spend was changed: it has no ceiling now'],
};

const LABELS = [...Object.keys(EDITS), 'untouched', 'used', 'same'];

/** Keys with every setting, of which each plan changes one. */
const configuration = (end: string): string =>
  LABELS.map(
    (label) => `resource "keyplane_api_key" "${label}" {
  name       = "${label}"
  group      = "default"
  models     = ["alpha-chat-1"]
  allow_ips  = ["127.0.0.0/8"]
  expires_at = "${label === 'expiry' ? '2030-01-01T00:00:00Z' : end}"
  budget     = { usd = 1, per = "lifetime" }
  cross_group_retry = ${label === 'expiry' && !end.startsWith('2030')}
}
`,
  ).join('');

describe('a plan of terraform that is applied later', () => {
  let place: Place;
  let stack: Stack;
  const ids = new Map<string, number>();
  beforeEach(async (context) => {
    skipWithoutTerraform(context);
    place = await openPlace([], 'deployed');
    stack = await openStack(place, configuration('2030-01-01T00:00:00Z'));
    await expectApplied(stack);
    for (const { name, id } of await place.keys()) ids.set(name, id);
  });
  afterEach(() => place?.close());

  const edit = (label: string, settings: object) => place.control('PATCH', `/keys/${ids.get(label)}`, settings);
  const stored = async () => new Map((await place.keys()).map((key) => [key.id, key]));

  it('overwrites no edit that it does not show, and changes all other keys', async () => {
    await stack.configure(configuration('2031-01-01T00:00:00Z'));
    await planned(stack);
    for (const [label, [settings]] of Object.entries(EDITS)) await edit(label, settings);
    await place.control('POST', '/spend', { keyId: ids.get('used'), quota: 70_000, model: 'alpha-chat-1' });
    await edit('same', { expired_time: Date.parse('2031-01-01T00:00:00Z') / 1000 });
    const { code, stderr } = await stack.run('apply', 'plan.bin');
    expect(code).toBe(1);
    for (const [label, [settings, text]] of Object.entries(EDITS)) {
      const { name } = { name: label, ...settings };
      expect(flat(stderr)).toContain(
        `The key "${name}" (id ${ids.get(label)}) has changed since Terraform last read it`,
      );
      expect(flat(stderr)).toContain(`Somebody changed it: ${text}.`);
    }
    expect(stderr.match(/Error:/g)).toHaveLength(Object.keys(EDITS).length);
    const keys = await stored();
    for (const [label, [settings]] of Object.entries(EDITS)) {
      expect(keys.get(ids.get(label) ?? 0), label).toMatchObject(settings);
    }
    for (const label of ['untouched', 'used', 'same']) {
      expect(keys.get(ids.get(label) ?? 0)).toMatchObject({ expired_time: 1_924_992_000 });
    }
    // A plan that shows what it overwrites may do so.
    expect(Object.keys(await planned(stack)).sort()).toEqual(Object.keys(EDITS).sort());
    expect((await stack.run('apply', 'plan.bin')).code).toBe(0);
    await expectSettled(stack);
  });

  it('deletes no key that somebody changed meanwhile, and all others', async () => {
    await planned(stack, '-destroy');
    await edit('name', { name: 'theirs' });
    await edit('models', { model_limits: 'beta-chat-1' });
    await edit('group', { status: 2 });
    await place.control('POST', '/spend', { keyId: ids.get('used'), quota: 70_000, model: 'alpha-chat-1' });
    const { code, stderr } = await stack.run('apply', 'plan.bin');
    expect([code, stderr.match(/Error:/g)?.length]).toEqual([1, 3]);
    expect(flat(stderr)).toContain('`status` was "enabled", and is now "disabled"');
    expect((await place.keys()).map(({ name }) => name).sort()).toEqual(['group', 'models', 'theirs']);
    expect((await stack.run('destroy', '-auto-approve')).code).toBe(0);
    expect(await place.keys()).toEqual([]);
  });

  // Terraform 1.11 plans their end before it refreshes them.
  it('deletes keys that left the configuration after somebody changed them, in the second apply at the latest', async () => {
    await edit('name', { name: 'theirs' });
    await edit('models', { model_limits: 'beta-chat-1' });
    await edit('group', { status: 2 });
    await stack.configure('');
    await stack.run('apply', '-auto-approve');
    await expectApplied(stack);
    expect(await place.keys()).toEqual([]);
  });

  it('overwrites no drift that a plan without a refresh hides', async () => {
    await stack.configure(configuration('2031-01-01T00:00:00Z'));
    await edit('models', { model_limits: 'beta-chat-1' });
    const { code, stderr } = await stack.run('apply', '-auto-approve', '-refresh=false');
    expect([code, stderr.match(/Error:/g)?.length]).toEqual([1, 1]);
    expect((await stored()).get(ids.get('models') ?? 0)).toMatchObject({ model_limits: 'beta-chat-1' });
    await expectApplied(stack);
    await expectSettled(stack);
  });

  it('finds no difference in a key whose budget it does not manage, whatever somebody gives it', async () => {
    await stack.configure(configuration('2030-01-01T00:00:00Z').replaceAll(/ +budget .*\n/g, ''));
    await expectApplied(stack);
    await edit('budget', { remain_quota: 99_000_000 });
    for (const words of [['plan'], ['plan', '-refresh-only']]) {
      const { code, stdout } = await stack.run(...words, '-detailed-exitcode');
      expect(code, stdout).toBe(0);
    }
  });

  it('leaves to others what `ignore_changes` leaves to them', async () => {
    const ignoring = (end: string): string =>
      configuration(end).replaceAll('  cross', '  lifecycle { ignore_changes = [models, group] }\n  cross');
    await stack.configure(ignoring('2031-01-01T00:00:00Z').replaceAll('alpha-chat-1', 'gamma-chat-1'));
    await planned(stack);
    await edit('models', { model_limits: 'beta-chat-1' });
    const { code, stderr } = await stack.run('apply', 'plan.bin');
    expect(code, stderr).toBe(0);
    expect((await stored()).get(ids.get('models') ?? 0)).toMatchObject({
      model_limits: 'beta-chat-1',
      expired_time: 1_924_992_000,
    });
  });
});
