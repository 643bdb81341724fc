import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CHECKS, countsOf, dataOf, openCheckedPlace, verdicts } from './checked-place.ts';
import type { Place } from './place.ts';

const CHAT = { method: 'POST', path: '/v1/chat/completions' };

let place: Place;
beforeEach(async () => {
  place = await openCheckedPlace();
});
afterEach(() => place.close());

const counts = () => countsOf(place);

describe('the check step of an apply', () => {
  const PRUNING = '\nownership: { scope: "*", prune: delete }\n';

  it('proves the keys that were written, before anything is deleted', async () => {
    await place.declare('  shop: { group: vip, checks: [pong, film] }\n', CHECKS + PRUNING);
    const ended = await place.run(['apply', '--yes', '--format', 'json', '--max-deletes', '1']);
    expect(ended.code).toBe(0);
    expect(verdicts(dataOf(ended).checks)).toEqual({ 'shop pong': 'passed' });
    expect((await place.keys()).map(({ name }) => name)).toEqual(['shop']);
  });

  it('takes what its checks spend for no drift', async () => {
    await place.declare('  studio: { group: vip, budget: { usd: 5 }, checks: [pong] }\n', CHECKS);
    expect((await place.run(['apply', '--yes', '--no-check'])).code).toBe(0);
    await place.declare('  studio: { group: default, budget: { usd: 5 }, checks: [pong] }\n', CHECKS);
    const ended = await place.run(['apply', '--yes', '--format', 'json']);
    expect(verdicts(dataOf(ended).checks)).toEqual({ 'studio pong': 'passed' });
    expect([ended.code, dataOf(ended).converged]).toEqual([0, true]);
  });

  it('deletes nothing when one of them does not work', async () => {
    await place.control('POST', '/faults', { kind: 'status', code: 500, ...CHAT });
    await place.declare('  shop: { group: vip, checks: [pong] }\n', CHECKS + PRUNING);
    const ended = await place.run(['apply', '--yes', '--max-deletes', '1', '--format', 'json']);
    const { fault } = JSON.parse(ended.stdout);
    expect([ended.code, fault.code, fault.detail]).toEqual([5, 'apply.incomplete', { first: 'check.failed' }]);
    expect(ended.stdout).toContain('a check of a written key failed, so nothing is deleted');
    expect((await place.keys()).map(({ name }) => name)).toEqual(['shop', 'studio']);
  });

  it('is omitted with --no-check, and for unchanged keys', async () => {
    await place.declare('  shop: { group: vip, checks: [pong] }\n', CHECKS);
    expect((await place.run(['apply', '--yes', '--no-check'])).code).toBe(0);
    expect((await place.run(['apply', '--yes'])).code).toBe(0);
    expect((await counts())['POST /v1/chat/completions']).toBeUndefined();
  });
});
