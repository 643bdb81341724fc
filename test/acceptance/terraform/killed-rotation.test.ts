import { expect, it } from 'vitest';
import { type Kill, skipWhereNobodyKills } from './killed.ts';
import { openRotation, recoverRotation } from './killed-rotation.ts';

/** Some of the kills that killed-rotation.exhaustive.ts plays. */
const PLAYED: readonly Kill[] = [
  { at: 9, victim: 'both', kind: 'hold-after' },
  { at: 12, victim: 'core', kind: 'hold-after' },
  { at: 14, victim: 'provider', kind: 'hold' },
];

it('a rotation that is killed leaves each key or its successor, and the next apply one of them', async (context) => {
  skipWhereNobodyKills(context);
  const killed = await openRotation(6);
  try {
    let adopted = 0;
    for (const [generation, kill] of PLAYED.entries()) {
      const recovered = await recoverRotation(killed, kill, generation + 1);
      expect(recovered, JSON.stringify(kill)).toBeDefined();
      adopted += recovered?.adopted ?? 0;
    }
    expect(adopted).toBeGreaterThan(0);
  } finally {
    await killed.place.close();
  }
});
