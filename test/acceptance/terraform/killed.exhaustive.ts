import { expect, it } from 'vitest';
import { momentsOfCreate, openKilledStack, recover, skipWhereNobodyKills } from './killed.ts';

it.for(['core', 'both', 'provider'] as const)(
  'an apply of 20 keys leaves, at every request, only keys that the next one adopts: %s killed',
  async (victim, context) => {
    skipWhereNobodyKills(context);
    const killed = await openKilledStack(20);
    try {
      const moments = await momentsOfCreate(killed);
      let [kills, orphans] = [0, 0];
      for (const moment of moments) {
        const recovery = await recover(killed, { victim, ...moment });
        if (recovery === undefined) continue;
        kills += 1;
        orphans += recovery.orphans;
      }
      console.log(`${victim}: ${kills} kills at ${moments.length} moments, ${orphans} keys adopted`);
      // Which requests share a list depends on the time.
      expect(kills).toBeGreaterThan(moments.length * 0.8);
    } finally {
      await killed.place.close();
    }
  },
);
