import { describe, expect, it } from 'vitest';
import { Fault, keyId, type ObservedKey, quota } from '../../../src/domain/index.ts';
import { takeBack } from '../../../src/reconcile/usage/spend.ts';
import type { Hook } from '../../contract/memory-store.ts';
import { plainKey } from '../../plain-key.ts';
import { emptyAccount, live } from '../account.ts';

describe('units that an update gave back, by the record', () => {
  const key = (remain: number, used?: number): ObservedKey =>
    plainKey(1, { unlimited: false, remain: quota(remain), ...(used !== undefined && { used: quota(used) }) });

  /** Key 1 was written with 1000 units, as it held before. */
  async function run(base: ObservedKey, after: ObservedKey, hook: Hook = () => {}) {
    const store = emptyAccount({ reportsUse: true });
    store.seed(live('a', { remain: quota(after.remain) }), { used: after.used ?? 0 });
    store.hook = hook;
    const correction = await takeBack(store, { name: 'a', base, written: quota(1000), after });
    return [correction, store.records.get(1)?.remain_quota, store.calls.update ?? 0];
  }
  const report = (units: number, takenBack: boolean) => ({ id: keyId(1), name: 'a', units, takenBack });

  it('are taken back in one write, and a grant of somebody else is left alone', async () => {
    expect(await run(key(1000, 300), key(1000, 305))).toEqual([report(5, true), 995, 1]);
    expect(await run(key(1000, 300), key(10_000, 305))).toEqual([report(5, true), 9995, 1]);
  });

  it('are unknown where the record reports the use only since the write', async () => {
    expect(await run(key(1000), key(1000, 305))).toEqual([undefined, 1000, 0]);
  });

  it('are reported as not taken back where the key cannot be read afterwards', async () => {
    let reads = 0;
    const hook: Hook = (operation) => {
      if (operation === 'tryRead') reads += 1;
      if (reads === 2) throw new Fault('gateway.unavailable', 'on purpose');
    };
    expect(await run(key(1000, 300), key(1000, 305), hook)).toEqual([report(5, false), 995, 1]);
  });
});
