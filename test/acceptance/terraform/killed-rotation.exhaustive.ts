import { expect, it } from 'vitest';
import { skipWhereNobodyKills } from './killed.ts';
import { countOfRotation, openRotation, recoverRotation } from './killed-rotation.ts';

const KINDS = ['hold', 'hold-after'] as const;

it.for(['core', 'both', 'provider'] as const)(
  'a rotation leaves, at every request, each key or its successor: %s killed',
  async (victim, context) => {
    skipWhereNobodyKills(context);
    const killed = await openRotation(6);
    try {
      const count = await countOfRotation(killed);
      let [kills, adopted] = [0, 0];
      for (let at = 1; at <= count; at += 1) {
        for (const [index, kind] of KINDS.entries()) {
          const recovered = await recoverRotation(killed, { victim, at, kind }, 2 * at + index);
          if (recovered === undefined) continue;
          kills += 1;
          adopted += recovered;
        }
      }
      console.log(`${victim}: ${kills} kills at ${count} requests, ${adopted} keys adopted`);
      expect(kills).toBeGreaterThan(count);
    } finally {
      await killed.place.close();
    }
  },
);
