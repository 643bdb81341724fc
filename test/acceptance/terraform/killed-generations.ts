import { expect } from 'vitest';
import { MODELS, openPlace } from '../place.ts';
import { expectApplied, expectSettled } from './changes.ts';
import { type Kill, type KilledStack, killAt, momentsOf, NO_LIMITS, restoreState } from './killed.ts';
import { openInstalledStack } from './stack.ts';

const DAY = 86_400;

const CONFIGURATION = `resource "keyplane_api_key" "one" {
  name   = "one"
  budget = { usd = 5, per = "lifetime" }
  rotation {
    every   = "30d"
    overlap = "2d"
  }
}
resource "terraform_data" "reader" {
  input = keyplane_api_key.one.id
}
`;

/** The days after which the former key ends, with a day more. */
const OVERLAP_DAYS = 3;

const advance = ({ place }: KilledStack, days: number) => place.control('POST', '/clock', { advance: days * DAY });

/** A stack with one key that rotates, and what reads its ID. */
export async function openGenerations(): Promise<KilledStack> {
  const place = await openPlace([], 'deployed', MODELS, NO_LIMITS);
  const stack = await openInstalledStack(place, CONFIGURATION);
  const killed = { place, count: 1, stack };
  await expectApplied(stack);
  await advance(killed, OVERLAP_DAYS);
  return killed;
}

/**
 * The applies of a rotation: one creates the successor, one disables the former key, one deletes it. Generations count from the
 * time that their names state, so a rotation takes 30 days in all, or the next one would be due earlier each time.
 */
const STEPS = [
  { days: 30 - OVERLAP_DAYS, statuses: [1, 1] },
  { days: OVERLAP_DAYS, statuses: [2, 1] },
  { days: 0, statuses: [1] },
] as const;

/** The moments of each apply of a rotation. */
export async function momentsOfSteps(killed: KilledStack): Promise<readonly Awaited<ReturnType<typeof momentsOf>>[]> {
  const moments: Awaited<ReturnType<typeof momentsOf>>[] = [];
  for (const { days } of STEPS) {
    await advance(killed, days);
    moments.push(await momentsOf(killed, () => expectApplied(killed.stack)));
  }
  return moments;
}

/** Returns the ID that the reader has. */
async function readId({ place }: KilledStack): Promise<number> {
  const { resources } = JSON.parse(await place.read('terraform.tfstate')) as {
    resources: readonly { type: string; instances: readonly { attributes: { output?: { value: number } } }[] }[];
  };
  return resources.find(({ type }) => type === 'terraform_data')?.instances[0]?.attributes.output?.value ?? 0;
}

/**
 * Plays a rotation and kills some of its applies. Afterwards the key that the reader has works, at most two do, and the next applies
 * end with one generation, as if nobody had killed anything. Returns the number of kills: an apply may have fewer requests.
 *
 * @param kills by the number of the step
 */
export async function recoverGenerations(killed: KilledStack, kills: ReadonlyMap<number, Kill>): Promise<number> {
  const { place, stack } = killed;
  const about = JSON.stringify([...kills]);
  let count = 0;
  for (const [index, { days, statuses }] of STEPS.entries()) {
    await advance(killed, days);
    const kill = kills.get(index);
    if (kill) {
      count += Number(await killAt(killed, kill));
      await restoreState(killed);
      const reader = await readId(killed);
      const enabled = (await place.keys()).filter(({ status }) => status === 1).map(({ id }) => id);
      expect(enabled, about).toContain(reader);
      expect(enabled.length, about).toBeLessThanOrEqual(2);
    }
    await expectApplied(stack);
    const keys = await place.keys();
    // What a killed apply had done already brings the next one a step further.
    const isAhead = kill !== undefined && keys.length < statuses.length;
    if (!isAhead)
      expect(
        keys.map(({ status }) => status),
        about,
      ).toEqual(statuses);
    expect(await readId(killed), about).toBe(keys.at(-1)?.id);
  }
  expect(await place.keys(), about).toHaveLength(1);
  await expectSettled(stack);
  return count;
}
