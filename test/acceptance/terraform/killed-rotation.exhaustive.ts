import { expect, it } from 'vitest';
import { skipWhereNobodyKills } from './killed.ts';
import { momentsOfRotation, openRotation, recoverRotation } from './killed-rotation.ts';

it.for(['core', 'both', 'provider'] as const)(
  'a rotation leaves, at every request, each key or its successor: %s killed',
  async (victim, context) => {
    skipWhereNobodyKills(context);
    const killed = await openRotation(4);
    try {
      const moments = await momentsOfRotation(killed);
      let [kills, adopted, emptied] = [0, 0, 0];
      for (const [index, moment] of moments.entries()) {
        const recovered = await recoverRotation(killed, { victim, ...moment }, index);
        if (recovered === undefined) continue;
        kills += 1;
        adopted += recovered.adopted;
        emptied += Number(recovered.isEmptied);
      }
      console.log(
        `${victim}: ${kills} kills at ${moments.length} moments, ${adopted} keys adopted, ${emptied} empty states`,
      );
      // Which requests share a list depends on the time.
      expect(kills).toBeGreaterThan(moments.length * 0.8);
    } finally {
      await killed.place.close();
    }
  },
);
