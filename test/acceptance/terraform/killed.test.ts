import { expect, it } from 'vitest';
import { type Kill, openKilledStack, recover, skipWhereNobodyKills } from './killed.ts';

/** Some of the kills that killed.exhaustive.ts plays. Each apply has more requests than this. */
const PLAYED: readonly Kill[] = [
  { at: 7, victim: 'both', kind: 'hold-after' },
  { at: 14, victim: 'core', kind: 'hold' },
  { at: 21, victim: 'provider', kind: 'hold-after' },
  { at: 28, victim: 'core', kind: 'hold-after' },
];

it('an apply of 20 keys that is killed leaves only keys that the next one adopts', async (context) => {
  skipWhereNobodyKills(context);
  const killed = await openKilledStack(20);
  try {
    let orphans = 0;
    for (const kill of PLAYED) {
      const recovery = await recover(killed, kill);
      expect(recovery, JSON.stringify(kill)).toBeDefined();
      orphans += recovery?.orphans ?? 0;
    }
    expect(orphans).toBeGreaterThan(0);
  } finally {
    await killed.place.close();
  }
});
