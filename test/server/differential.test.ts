import { writeFile } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { type Measured, playDirected, playRandom, renderMeasured } from './differential/measure.ts';
import { type Side, sideOf } from './differential/operation.ts';
import { openPeer } from './open-peer.ts';
import type { Peer } from './peer.ts';
import { openTwin, profileNamed } from './twin.ts';

const IS_SERVER = Boolean(process.env.KEYPLANE_ACCEPTANCE_URL);
const REPORT = process.env.KEYPLANE_ACCEPTANCE_REPORT;
/** The profile of the reference gateway that the server should be equal to. */
const PROFILE = profileNamed(process.env.KEYPLANE_ACCEPTANCE_PROFILE ?? 'deployed');

const closing: Peer[] = [];
afterAll(() => Promise.all(closing.map((peer) => peer.close())));

async function sideAt(peer: Peer): Promise<Side> {
  closing.push(peer);
  return sideOf(peer.url, await peer.makeOwner('rich'));
}

const part = ({ equal, all }: { equal: number; all: number }): number => equal / all;

describe('the reference gateway', () => {
  it('does what a deployed gateway does', async () => {
    const peer = await openPeer();
    const twin = await openTwin(PROFILE);
    const sides = [await sideAt(peer), await sideAt(twin)] as const;
    const directed = await playDirected(sides, IS_SERVER ? 1 : 8);
    const random = await playRandom(sides, IS_SERVER ? 120 : 6);
    const measured: Measured = {
      ...directed,
      sequences: random.sequences,
      differences: [...directed.differences, ...random.differences],
    };
    if (REPORT) await writeFile(REPORT, renderMeasured(`${peer.name} and ${twin.name}`, measured));
    expect(part(measured.answers)).toBeGreaterThanOrEqual(IS_SERVER ? 0.97 : 1);
    expect(part(measured.states)).toBeGreaterThanOrEqual(IS_SERVER ? 0.98 : 1);
    expect(part(measured.sequences)).toBeGreaterThanOrEqual(IS_SERVER ? 117 / 120 : 1);
  });

  it('is distinguished from another by the shortest sequence', async () => {
    const sides = [await sideAt(await openTwin('contract')), await sideAt(await openTwin('deployed'))] as const;
    const { sequences, differences } = await playRandom(sides, 1);
    expect(sequences).toEqual({ equal: 0, all: 1 });
    expect(differences[0]?.steps).toHaveLength(1);
  });
});
