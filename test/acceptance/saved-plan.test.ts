import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodePlan, encodePlan } from '../../src/manifest/index.ts';
import { openPlace, type Place } from './place.ts';

describe('a saved plan', () => {
  let place: Place;
  beforeEach(async () => {
    place = await openPlace([{ id: 3, name: 'prod-search', remain_quota: 1_000_000 }]);
    await place.declare('  prod-search: { group: vip }\n  prod-new: { budget: { usd: 1 } }');
    expect((await place.run(['plan', '--out', 'plan.json'])).code).toBe(0);
  });
  afterEach(() => place.close());

  it('is carried out exactly, once', async () => {
    expect((await place.run(['apply', 'plan.json', '--yes'])).code).toBe(0);
    expect((await place.run(['drift'])).code).toBe(0);
    expect((await place.run(['apply', 'plan.json', '--yes'])).code).toBe(4);
    expect(await place.keys()).toHaveLength(2);
  });

  it('is refused when a key that it would change has changed, and lists the changes', async () => {
    await place.control('PATCH', '/keys/3', { status: 2, group: 'default' });
    const { code, stderr } = await place.run(['apply', 'plan.json', '--yes']);
    expect(code).toBe(4);
    expect(stderr).toContain('plan.stale');
    expect(stderr).toContain('prod-search (id 3): ');
    expect(await place.keys()).toMatchObject([{ id: 3, group: 'default' }]);
  });

  it('is not for another account', async () => {
    const saved = decodePlan(await place.read('plan.json'));
    const other = encodePlan({ ...saved, account: { ...saved.account, userId: 7 } });
    await place.write('plan.json', JSON.stringify(other));
    expect(await place.run(['apply', 'plan.json', '--yes'])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('plan.foreign'),
    });
  });

  it('is refused when it was edited, and nothing is sent', async () => {
    const text = await place.read('plan.json');
    await place.write('plan.json', text.replaceAll('"vip"', '"default"'));
    const { code, stderr } = await place.run(['apply', 'plan.json', '--yes']);
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining('The saved plan was edited after Keyplane created it.'),
    ]);
    expect(await place.keys()).toHaveLength(1);
  });

  it('requires the manifest that it was made from', async () => {
    await place.write('teams.yaml', await place.read('keyplane.yaml'));
    await rm(join(place.folder, 'keyplane.yaml'));
    const { code, stderr } = await place.run(['apply', 'plan.json', '--yes']);
    expect([code, stderr.replace(/\s+/g, ' ')]).toEqual([
      3,
      expect.stringContaining('`keyplane apply plan.json -f …`'),
    ]);
    expect((await place.run(['apply', 'plan.json', '-f', 'teams.yaml', '--yes'])).code).toBe(0);
  });

  it('is refused when it is not one', async () => {
    await place.write('plan.json', '{"kind":"holiday"}');
    expect((await place.run(['apply', 'plan.json', '--yes'])).code).toBe(3);
  });
});
