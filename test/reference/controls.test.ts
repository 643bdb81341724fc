import { expect, it } from 'vitest';
import { Secret } from '../../src/domain/index.ts';
import { openGateway } from '../../src/gateway/index.ts';
import { startReferenceGateway } from '../../src/reference/index.ts';

it('injects failures, moves its clock and counts requests by typed controls, without control endpoints', async () => {
  await using reference = await startReferenceGateway({ now: () => 1_800_000_000 });
  const [account] = reference.accounts;
  const gateway = openGateway({
    url: reference.url,
    userId: account?.userId ?? 0,
    accessToken: new Secret(account?.accessToken ?? ''),
  });
  try {
    reference.faults.add(
      { kind: 'refuse', path: '/api/token/', message: 'no list today' },
      { kind: 'delay', ms: 1, skip: 99 },
    );
    await expect(gateway.store.walk()).rejects.toMatchObject({ code: 'gateway.refused', status: 200, sent: 'yes' });
    expect(reference.faults.pending()).toBe(1);
    reference.faults.clear();
    expect(reference.faults.pending()).toBe(0);
    reference.requests.reset();
    await gateway.store.walk();
    expect(reference.requests.counts()).toHaveProperty('GET /api/token/');
    expect(reference.requests.total()).toBeGreaterThan(0);
    reference.clock.advance({ days: 1, hours: 1, minutes: 1, seconds: 1 });
    expect(reference.clock.now()).toEqual(new Date((1_800_000_000 + 90_061) * 1000));
    reference.clock.set(new Date('2030-01-01T00:00:00Z'));
    expect(reference.clock.now()).toEqual(new Date('2030-01-01T00:00:00Z'));
    const wrong = (): void => reference.faults.add({ kind: 'status', code: 99 });
    expect(wrong).toThrow(expect.objectContaining({ code: 'usage.invalid' }));
  } finally {
    await gateway.close();
  }
});
