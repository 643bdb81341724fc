import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodePlan, encodePlan } from '../../src/manifest/index.ts';
import { openPlace, type Place } from './place.ts';

const SECRET = 's'.repeat(48);

describe('a saved plan', () => {
  let place: Place;
  beforeEach(async () => {
    place = await openPlace([{ id: 3, name: 'prod-search', key: SECRET, remain_quota: 1_000_000 }]);
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

  it('survives a chat request as the built program, reports what moved, and writes nothing under another digest', async () => {
    await place.declare('  prod-search: { group: vip, budget: { usd: 5 } }\n  prod-new: { budget: { usd: 1 } }');
    const created = await place.start(['plan', '--assume-log-complete', '--out', 'plan.json']).ended;
    expect(created.code).toBe(0);
    const chat = await fetch(`${place.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer sk-${SECRET}` },
      body: JSON.stringify({ model: 'alpha-chat-1', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 50 }),
    });
    expect(chat.status).toBe(200);
    await place.control('DELETE', '/requests');
    const other = `sha256:${'0'.repeat(64)}`;
    const refused = await place.run(['apply', 'plan.json', '--expect', other, '--yes']);
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('plan.unexpected')]);
    expect(await place.control('GET', '/requests')).toMatchObject({ total: 0 });

    const digest = /sha256:[0-9a-f]{64}/.exec(created.stdout)?.[0] ?? '';
    const applied = await place.start(['apply', 'plan.json', '--expect', digest, '--yes']).ended;
    expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining('Since the plan was saved')]);
    expect((await place.run(['drift'])).code).toBe(0);
  });

  it('is refused after a key was removed from the manifest', async () => {
    await place.declare('  prod-search: { group: vip }');
    const { code, stderr } = await place.run(['apply', 'plan.json', '--yes']);
    expect([code, stderr]).toEqual([4, expect.stringContaining('plan.other-manifest')]);
    expect(await place.keys()).toMatchObject([{ id: 3, group: '' }]);
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
