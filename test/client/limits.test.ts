import { describe, expect, it } from 'vitest';
import { asFault } from '../../src/domain/index.ts';
import { faultOf } from '../http/client.ts';
import { PROFILES, stage } from './stage.ts';

describe.each(PROFILES)('the limits of one call, profile %s', (profile) => {
  it('end a walk as soon as its signal aborts, with the reason as the cause', async () => {
    const { gateway, control } = await stage(profile, { keys: 350 });
    await control.script({ kind: 'hold', path: '/api/token/', skip: 1, times: 9 });
    const stop = new AbortController();
    const list = gateway.keys.list({}, { signal: stop.signal }).toArray();
    await control.waitForHeld();
    const reason = new Error('the user closed the page');
    const at = performance.now();
    stop.abort(reason);
    expect(await faultOf(list)).toMatchObject({ code: 'gateway.interrupted', cause: reason });
    expect(performance.now() - at).toBeLessThan(1000);
    await control.release();
    await control.clearFaults();
    expect(await gateway.keys.list().toArray()).toHaveLength(350);
  });

  it('end a read of the usage log, and a wait for a rate limit', async () => {
    const { gateway, control } = await stage(profile);
    await gateway.status();
    await control.script({ kind: 'hold', path: '/api/log/self', times: 9 });
    const stop = new AbortController();
    const sum = gateway.usage.sum({}, { signal: stop.signal });
    await control.waitForHeld();
    stop.abort();
    expect((await faultOf(sum)).code).toBe('gateway.interrupted');
    await control.release();
    await control.clearFaults();
    await control.script({ kind: 'empty-429', path: '/api/token/{id}', times: 99 });
    expect((await faultOf(gateway.keys.get(1, { maxRetries: 2 }))).code).toBe('gateway.rate-limited');
  });

  it('end a call after its time', async () => {
    const { gateway, control } = await stage(profile);
    await control.script({ kind: 'hold', path: '/api/token/{id}', times: 9 });
    const fault = await faultOf(gateway.keys.get(1, { timeoutMs: 500 }));
    expect(fault).toMatchObject({
      code: 'gateway.timeout',
      message: expect.stringContaining('not finished within 500 ms, the time limit of the call'),
    });
    await control.release();
  });

  it('end an update at each of its requests, and report it as interrupted only where nothing was written', async () => {
    const { gateway, control } = await stage(profile);
    await gateway.status();
    const outcomes: unknown[][] = [];
    for (let skip = 0; outcomes.at(-1)?.[0] !== 'vip'; skip += 1) {
      await control.script({ kind: 'hold', skip, times: 1 });
      const stop = new AbortController();
      const update = gateway.keys.update(1, { group: 'vip' }, { signal: stop.signal }).then(
        ({ group }) => group,
        (thrown: unknown) => asFault(thrown).code,
      );
      await control.waitForHeld();
      stop.abort();
      await control.release();
      outcomes.push([await update, (await control.state()).keys[0]?.group]);
    }
    expect(outcomes.length).toBeGreaterThan(2);
    expect(outcomes.pop()).toEqual(['vip', 'vip']);
    expect(outcomes).toEqual(outcomes.map(() => ['gateway.interrupted', '']));
  });

  it('end the wait for an earlier create of the same name, and not that create', async () => {
    const { gateway, control, names } = await stage(profile);
    await control.script({ kind: 'hold-after', method: 'POST', path: '/api/token/' });
    const first = gateway.keys.create({ name: 'team-a', remaining: 'unlimited' });
    await control.waitForHeld();
    const second = gateway.keys.create({ name: 'team-a', remaining: 'unlimited' }, { timeoutMs: 20 });
    expect((await faultOf(second)).code).toBe('gateway.timeout');
    await control.release();
    expect((await first).name).toBe('team-a');
    expect(await names()).toHaveLength(4);
  });

  it.each([
    [{ timeoutMs: Number.NaN }, 'timeoutMs'],
    [{ timeoutMs: Number.POSITIVE_INFINITY }, 'timeoutMs'],
    [{ timeoutMs: -1 }, 'timeoutMs'],
    [{ timeoutMs: 1e10 }, 'timeoutMs'],
    [{ maxRetries: Number.NaN }, 'maxRetries'],
    [{ signal: {} }, 'signal'],
    [{ signal: null }, 'signal'],
    [null, 'object'],
  ])('are usage.invalid and send nothing when they are %o', async (limits, named) => {
    const { gateway, control } = await stage(profile);
    await control.takeRequests();
    const fault = await faultOf(gateway.keys.list({}, limits as never).toArray());
    expect([fault.code, fault.message]).toEqual(['usage.invalid', expect.stringContaining(named)]);
    expect((await control.takeRequests()).total).toBe(0);
  });

  it('keep a create from being sent, and not from being found once it was', async () => {
    const { gateway, control, names } = await stage(profile);
    const signal = AbortSignal.abort(new Error('too late'));
    const key = { name: 'team-a', remaining: 'unlimited' } as const;
    const fault = await faultOf(gateway.keys.create(key, { signal }));
    expect(fault).toMatchObject({ code: 'gateway.interrupted', cause: signal.reason });
    expect(await names()).toHaveLength(3);
    await control.script({ kind: 'hold-after', method: 'POST', path: '/api/token/' });
    const stop = new AbortController();
    const created = gateway.keys.create(key, { signal: stop.signal });
    await control.waitForHeld();
    stop.abort();
    await control.release();
    expect((await created).name).toBe('team-a');
    expect((await names()).filter((name) => name === 'team-a')).toHaveLength(1);
  });

  it('allow fewer retries, or more', async () => {
    const { gateway, control } = await stage(profile);
    await gateway.keys.get(1);
    await control.takeRequests();
    await control.script({ kind: 'html', path: '/api/token/{id}', times: 99 });
    expect((await faultOf(gateway.keys.get(1, { maxRetries: 0 }))).code).toBe('gateway.unavailable');
    expect((await control.takeRequests()).total).toBe(1);
    await control.clearFaults();
    await control.script({ kind: 'html', path: '/api/token/{id}', times: 5 });
    expect((await gateway.keys.get(1, { maxRetries: 5 })).id).toBe(1);
  });

  it('cost no further request: the account stays verified', async () => {
    const { gateway, control } = await stage(profile);
    await gateway.keys.get(1);
    await control.takeRequests();
    for (let n = 0; n < 3; n += 1) await gateway.keys.get(1, { timeoutMs: 60_000 });
    expect((await control.takeRequests()).requests).toEqual({ 'GET /api/token/{id}': 3 });
  });
});

describe('hooks of a client', () => {
  it('see the requests of every call, and change nothing when they throw', async () => {
    const seen: string[] = [];
    const { gateway } = await stage('deployed', {
      onRequest: ({ method, path }) => {
        seen.push(`${method} ${path}`);
        throw new Error('from a hook');
      },
      onTrace() {
        throw new Error('from a trace');
      },
    });
    const key = await gateway.keys.create({ name: 'team-a', remaining: 'unlimited' });
    expect(key.name).toBe('team-a');
    expect(seen).toContain('POST /api/token/');
    expect(seen.join()).not.toContain('canary');
  });
});
