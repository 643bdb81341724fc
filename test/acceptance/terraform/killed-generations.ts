import { expect } from 'vitest';
import { MODELS, openPlace } from '../place.ts';
import { expectApplied, expectSettled } from './changes.ts';
import { type Kill, type KilledStack, killAt, NO_LIMITS, requestsOf } from './killed.ts';
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

const advance = ({ place }: KilledStack, days: number) => place.control('POST', '/clock', { advance: days * DAY });

/** A stack with one key that rotates, and what reads its ID. */
export async function openGenerations(): Promise<KilledStack> {
  const place = await openPlace([], 'deployed', MODELS, NO_LIMITS);
  const stack = await openInstalledStack(place, CONFIGURATION);
  await expectApplied(stack);
  return { place, count: 1, stack };
}

/** The applies of a rotation: one creates the successor, one disables the former key, one deletes it. */
const STEPS = [
  { days: 30, statuses: [1, 1] },
  { days: 3, statuses: [2, 1] },
  { days: 0, statuses: [1] },
] as const;

/** The number of requests of each apply of a rotation that nobody kills. */
export async function countOfSteps(killed: KilledStack): Promise<readonly number[]> {
  const counts: number[] = [];
  for (const { days } of STEPS) {
    await advance(killed, days);
    const before = await requestsOf(killed);
    await expectApplied(killed.stack);
    counts.push((await requestsOf(killed)) - before);
  }
  return counts;
}

/** Returns the ID that the reader has. */
async function readId({ stack }: KilledStack): Promise<number> {
  const { stdout } = await stack.run('show', '-json');
  const { values } = JSON.parse(stdout) as {
    values: { root_module: { resources: readonly { address: string; values: { output?: number } }[] } };
  };
  return values.root_module.resources.find(({ address }) => address === 'terraform_data.reader')?.values.output ?? 0;
}

/**
 * Plays a rotation and kills one of its applies. Afterwards the key that the reader has works, at most two do, and the next applies
 * end with one generation, as if nobody had killed anything. Returns whether the apply had as many requests.
 */
export async function recoverGenerations(killed: KilledStack, step: number, kill: Kill): Promise<boolean> {
  const { place, stack } = killed;
  const about = JSON.stringify({ step, ...kill });
  let isKilled = false;
  for (const [index, { days, statuses }] of STEPS.entries()) {
    await advance(killed, days);
    if (index === step) {
      isKilled = await killAt(killed, kill);
      const reader = await readId(killed);
      const enabled = (await place.keys()).filter(({ status }) => status === 1).map(({ id }) => id);
      expect(enabled, about).toContain(reader);
      expect(enabled.length, about).toBeLessThanOrEqual(2);
    }
    await expectApplied(stack);
    const keys = await place.keys();
    // What a killed apply had done already brings the next one a step further.
    const isAhead = index === step && keys.length < statuses.length;
    if (!isAhead)
      expect(
        keys.map(({ status }) => status),
        about,
      ).toEqual(statuses);
    expect(await readId(killed), about).toBe(keys.at(-1)?.id);
  }
  expect(await place.keys(), about).toHaveLength(1);
  await expectSettled(stack);
  return isKilled;
}
