import { describe, expect, it } from 'vitest';
import { Fault, Secret } from '../../src/domain/index.ts';
import { fromJSON, isKeyplaneError, KeyplaneError, toJSON } from '../../src/index.ts';
import { declared, openAccount } from './account.ts';

const through = (json: unknown): string => JSON.stringify(json);

describe('results', () => {
  it('travel as JSON: a plan, which can be applied at the other end', async () => {
    const { keyplane, liveNames } = await openAccount(['a']);
    const { plan } = await keyplane.plan(await declared(['a', 'b']));
    expect(through(plan)).toEqual(through(await toJSON(plan)));
    const arrived = await fromJSON(through(plan), 'saved-plan');
    expect(arrived.changes).toEqual(plan.changes);
    await keyplane.apply(arrived);
    expect(liveNames()).toEqual(['a', 'b']);
  });

  it('travel as JSON: reviews, drift and reports, with exact amounts, errors and bytes', async () => {
    const { keyplane } = await openAccount(['a']);
    const manifest = await declared(['a', 'b']);
    const review = await keyplane.plan(manifest);
    expect(await fromJSON(through(await toJSON(review)), 'review')).toEqual({ ...review, plan: expect.anything() });
    const drift = await keyplane.drift(manifest);
    const { outlook } = await fromJSON(through(await toJSON(drift)), 'drift');
    expect(outlook).toEqual(drift.outlook);
    const report = {
      ...(await keyplane.apply(manifest)),
      fatal: new Fault('gateway.timeout', 'late', { detail: { status: 504, bytes: new Uint8Array([1, 2]) } }),
      extra: { $keyplane: 'bigint', value: 'x' },
      sets: [new Set([1n]), new Map([[1, 'one']])],
    };
    const arrived = await fromJSON(through(await toJSON(report)), 'apply');
    expect(arrived).toEqual(report);
    expect(arrived.fatal).toMatchObject({ status: 504, retry: 'look', code: 'gateway.timeout' });
  });

  it('never carry a secret', async () => {
    const { keyplane } = await openAccount([]);
    const report = { ...(await keyplane.apply(await declared([]))), secret: new Secret('sk-0123456789') };
    await expect(toJSON(report)).rejects.toMatchObject({ code: 'usage.invalid' });
  });

  it('are rejected when they were edited, are of another kind or version, or no result', async () => {
    const { keyplane } = await openAccount([]);
    const { plan } = await keyplane.plan(await declared(['a']));
    const edited = through(plan).replaceAll('"a"', '"z"');
    const code = 'plan.unreadable';
    await expect(fromJSON(edited, 'saved-plan')).rejects.toMatchObject({ code });
    await expect(fromJSON(through(plan), 'review')).rejects.toMatchObject({ code });
    for (const text of ['{', '[]', '{"kind":"apply","version":9,"data":{}}']) {
      await expect(fromJSON(text, 'apply')).rejects.toMatchObject({ code });
    }
  });
});

describe('errors', () => {
  it('have the facts of their request as properties, and are recognized by their codes', () => {
    const detail = { method: 'GET', path: '/api/token/', sent: 'maybe', status: 502, requestId: 'r-1' };
    const error: unknown = new KeyplaneError('gateway.unavailable', 'broken', { detail });
    expect(error).toMatchObject({ name: 'KeyplaneError', status: 502, requestId: 'r-1', sent: 'maybe', retry: 'look' });
    expect(isKeyplaneError(error) && isKeyplaneError(error, 'gateway.unavailable', 'plan.stale')).toBe(true);
    expect(isKeyplaneError(error, 'plan.stale')).toBe(false);
    // The type of the detail is that of the code.
    if (isKeyplaneError(error, 'gateway.unavailable')) expect(error.detail.requestId?.length).toBe(3);
    expect([isKeyplaneError(new Error('x')), isKeyplaneError({ code: 'plan.stale' }), isKeyplaneError(null)]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('have no such properties when they are about no request', () => {
    const error = new KeyplaneError('plan.stale', 'moved', { detail: { status: 'x', requestId: 1, sent: 'perhaps' } });
    expect([error.status, error.requestId, error.sent, error.retry]).toEqual([undefined, undefined, undefined, 'no']);
  });
});
