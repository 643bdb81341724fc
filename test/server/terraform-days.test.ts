import { it } from 'vitest';
import { openRunning } from '../acceptance/terraform/days/bench.ts';
import { playDays } from '../acceptance/terraform/days/run.ts';
import { skipWithoutTerraform } from '../acceptance/terraform/stack.ts';
import { openPeer } from './open-peer.ts';

it.for([1, 2, 3])(
  'random days of one user of terraform end with what is declared on a running server, seed %i',
  { timeout: 3_600_000 },
  async (seed, context) => {
    skipWithoutTerraform(context);
    if (!process.env.KEYPLANE_ACCEPTANCE_URL) context.skip('days.test.ts plays them on the reference gateway');
    await playDays(seed, await openRunning(await openPeer()), 20);
  },
);
