import { expect, it } from 'vitest';
import { key } from './changes.ts';
import { type Kill, killAt, openKilledStack, recover, skipWhereNobodyKills } from './killed.ts';

/** Some of the kills that killed.exhaustive.ts plays. Each apply has more requests than this. */
const PLAYED: readonly Kill[] = [
  { at: 7, victim: 'both', kind: 'hold-after' },
  { at: 14, victim: 'core', kind: 'hold' },
  { at: 21, victim: 'provider', kind: 'hold-after' },
  { at: 28, victim: 'core', kind: 'hold-after' },
];

it('an apply of 20 keys that is killed leaves only keys that the next one adopts', async (context) => {
  skipWhereNobodyKills(context);
  const killed = await openKilledStack(20);
  try {
    let orphans = 0;
    for (const kill of PLAYED) {
      const recovery = await recover(killed, kill);
      expect(recovery, JSON.stringify(kill)).toBeDefined();
      orphans += recovery?.orphans ?? 0;
    }
    expect(orphans).toBeGreaterThan(0);
  } finally {
    await killed.place.close();
  }
});

it('a test adopts no key that a killed apply has made, and so deletes none', async (context) => {
  skipWhereNobodyKills(context);
  const killed = await openKilledStack(0);
  const { place, stack } = killed;
  try {
    const later = 'budget = { unlimited = true }\n  depends_on = [keyplane_api_key.key-0]';
    await stack.configure(key('key-0') + key('key-1', later));
    expect(await killAt(killed, { victim: 'core', at: 2, method: 'POST', kind: 'hold' })).toBe(true);
    const made = (await place.keys()).find(({ name }) => name === 'key-0');
    expect(made).toBeDefined();
    await stack.configure(key('key-0'));
    await stack.write('key.tftest.hcl', 'run "creates" {}\n');
    const { stdout, stderr } = await stack.run('test');
    expect(stdout + stderr).toContain('A key named "key-0" already exists');
    expect((await place.keys()).map(({ id }) => id)).toContain(made?.id);
  } finally {
    await place.close();
  }
});
