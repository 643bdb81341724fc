import { expect, it } from 'vitest';
import { countRequests, openKilledStack, recover, skipWhereNobodyKills } from './killed.ts';

const KINDS = ['hold', 'hold-after'] as const;

it.for(['core', 'both', 'provider'] as const)(
  'an apply of 20 keys leaves, at every request, only keys that the next one adopts: %s killed',
  async (victim, context) => {
    skipWhereNobodyKills(context);
    const killed = await openKilledStack(20);
    try {
      const count = await countRequests(killed);
      let [kills, orphans] = [0, 0];
      for (let at = 1; at <= count; at += 1) {
        for (const kind of KINDS) {
          const recovery = await recover(killed, { victim, at, kind });
          if (recovery === undefined) continue;
          kills += 1;
          orphans += recovery.orphans;
        }
      }
      console.log(`${victim}: ${kills} kills at ${count} requests, ${orphans} keys adopted`);
      expect(kills).toBeGreaterThan(count);
    } finally {
      await killed.place.close();
    }
  },
);
