import { describe, expect, it } from 'vitest';
import { PROFILES, stage } from './stage.ts';

const READ = 'GET /api/token/{id}';
const LIST = 'GET /api/token/';
const RATE = 'GET /api/status';
const WRITE = 'PUT /api/token/';
const SWITCH = 'PUT /api/token/?status_only=true';

/** A record that does not report its use: the balance and the log show what the key spent during its update. */
const BLIND = { 'GET /api/log/self': 3, 'GET /api/user/self': 2 };

async function open(profile: (typeof PROFILES)[number]) {
  const { gateway, control } = await stage(profile);
  await gateway.keys.get(1);
  await gateway.keys.update(1, { models: ['alpha-chat-1'] });
  const requestsOf = async (work: () => Promise<unknown>) => {
    await control.takeRequests();
    await work();
    return (await control.takeRequests()).requests;
  };
  return { keys: gateway.keys, control, requestsOf };
}

describe.each(PROFILES)('the requests of one call of a client that has verified its account, profile %s', (profile) => {
  const blind = profile === 'contract' ? BLIND : {};

  it('are one read before an update, one right before its write, and one after it', async () => {
    const { keys, requestsOf } = await open(profile);
    const extra = profile === 'contract' ? 1 : 0;
    expect(await requestsOf(() => keys.update(1, { group: 'vip' }))).toEqual({
      [READ]: 3 + extra,
      [WRITE]: 1,
      ...blind,
    });
    expect(await requestsOf(() => keys.update(1, { group: 'vip' }))).toEqual({ [READ]: 1 });
  });

  it('are the rate in addition where an amount is in dollars', async () => {
    const { keys, requestsOf } = await open(profile);
    const extra = profile === 'contract' ? 1 : 0;
    const update = () => keys.update(1, { remaining: { usd: 3 } });
    expect(await requestsOf(update)).toEqual({ [RATE]: 1, [READ]: 3 + extra, [WRITE]: 1, ...blind });
  });

  it('are walks over all keys around a new name, which must be free', async () => {
    const { keys, requestsOf } = await open(profile);
    const requests = await requestsOf(() => keys.update(1, { name: 'other' }));
    expect(requests).toMatchObject({ [LIST]: 2, [WRITE]: 1 });
    expect(requests[RATE]).toBeUndefined();
  });

  it('are one read, the write and one read for a change of the status, and one read without a change', async () => {
    const { keys, requestsOf } = await open(profile);
    expect(await requestsOf(() => keys.disable(1))).toEqual({ [READ]: 2, [SWITCH]: 1 });
    expect(await requestsOf(() => keys.disable(1))).toEqual({ [READ]: 1 });
    expect(await requestsOf(() => keys.enable(1))).toEqual({ [READ]: 2, [SWITCH]: 1 });
  });

  it('are one read, one right before the deletion and one after it, and no write where there is no key', async () => {
    const { keys, requestsOf } = await open(profile);
    const requests = await requestsOf(() => keys.delete(2));
    // An absent key is believed only with credentials that are valid.
    expect(requests).toEqual({ [READ]: 3, 'POST /api/token/batch': 1, 'GET /api/user/self': 1 });
    expect(await requestsOf(() => keys.delete(2))).toEqual({ [READ]: 2, 'GET /api/user/self': 1 });
  });

  it('are the newest keys before and after a create', async () => {
    const { keys, requestsOf } = await open(profile);
    const create = () => keys.create({ name: 'x', remaining: 'unlimited' });
    expect(await requestsOf(create)).toEqual({ [LIST]: 2, 'POST /api/token/': 1 });
  });

  it('show the key as it is after the write, and what somebody else changed right before it stays', async () => {
    const { keys, control } = await open(profile);
    await control.script({ kind: 'cut-after', method: 'PUT', path: '/api/token/' });
    expect(await keys.update(1, { group: 'vip' })).toMatchObject({ group: 'vip' });
    await control.patchKey(1, { group: 'default' });
    expect(await keys.update(1, { remaining: { quota: 7 } })).toMatchObject({ group: 'default', remaining: 7 });
    await keys.disable(1);
    expect(await keys.update(1, { group: 'vip' })).toMatchObject({ group: 'vip', status: 'disabled' });
  });
});
