import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MODELS, openPlace, type Place } from '../place.ts';
import { expectSettled } from './changes.ts';
import { killAt, NO_LIMITS, skipWhereNobodyKills, storedIds } from './killed.ts';
import { type InstalledStack, openInstalledStack, type Ran } from './stack.ts';

const COUNT = 3;
const PREFIX = 'app-';

const prefixed = (generation: number): string =>
  Array.from(
    { length: COUNT },
    (_, n) => `
resource "keyplane_api_key" "key-${n}" {
  name_prefix         = "${PREFIX}"
  budget              = { usd = 1, per = "lifetime" }
  rotate_when_changed = { generation = ${generation} }
  lifecycle {
    create_before_destroy = true
  }
}
`,
  ).join('');

const ROTATING = `
resource "keyplane_api_key" "one" {
  name   = "one"
  budget = { usd = 1, per = "lifetime" }
  rotation {
    every   = "30d"
    overlap = "2d"
  }
}
`;

/** Two states on one machine, whose providers keep their journals in one place. */
describe('two states whose keys have generated names', () => {
  let place: Place;
  let folder: string;
  beforeEach(async (context) => {
    skipWhereNobodyKills(context);
    place = await openPlace([], 'deployed', MODELS, NO_LIMITS);
    folder = await mkdtemp(join(tmpdir(), 'keyplane-other-'));
  });
  afterEach(async () => {
    await place?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const openBoth = async (configuration: string): Promise<readonly [InstalledStack, InstalledStack]> => [
    await openInstalledStack(place, configuration),
    await openInstalledStack({ ...place, folder }, configuration),
  ];
  const apply = (stack: InstalledStack): Promise<Ran> =>
    stack.runWith({ XDG_STATE_HOME: join(place.folder, 'journals') }, 'apply', '-auto-approve');
  const idsOf = async (): Promise<readonly (readonly number[])[]> =>
    await Promise.all([place, { ...place, folder }].map(async (each) => await storedIds({ place: each })));
  const hold = (times: number) =>
    place.control('POST', '/faults', [{ method: 'POST', path: '/api/token/', kind: 'hold', times }]);

  /** Each key is in one state, and both states have as many as they declare. */
  async function expectDivided(): Promise<void> {
    const [first = [], second = []] = await idsOf();
    expect([first.length, second.length]).toEqual([COUNT, COUNT]);
    expect([...first, ...second].sort((a, b) => a - b)).toEqual((await place.keys()).map(({ id }) => id));
  }

  it('keep their own keys when both create and replace those of one prefix concurrently', async () => {
    const stacks = await openBoth(prefixed(0));
    for (const generation of [0, 1]) {
      for (const stack of stacks) await stack.configure(prefixed(generation));
      await hold(2 * COUNT);
      const runs = stacks.map(apply);
      await place.control('GET', `/held?wait=${2 * COUNT}`);
      await place.control('POST', '/release', {});
      for (const { code, stderr } of await Promise.all(runs)) expect([code, stderr]).toEqual([0, '']);
      await expectDivided();
    }
    const [, kept] = await idsOf();
    expect((await stacks[0].run('destroy', '-auto-approve')).code).toBe(0);
    expect((await place.keys()).map(({ id }) => id)).toEqual([...(kept ?? [])].sort((a, b) => a - b));
    await expectSettled(stacks[1]);
  });

  it('adopt only their own keys after a kill', async () => {
    const stacks = await openBoth(prefixed(0));
    const killed = { place, count: COUNT, stack: stacks[0] };
    // Nothing but the folder distinguishes the states: the journals are in one place.
    const start = () =>
      stacks[0].startWith({ XDG_STATE_HOME: join(place.folder, 'journals') }, ['apply', '-auto-approve']);
    expect(
      await killAt({ ...killed, stack: { ...stacks[0], start } }, { victim: 'both', at: 8, kind: 'hold-after' }),
    ).toBe(true);
    const orphans = (await place.keys()).map(({ id }) => id);
    expect(orphans.length).toBeGreaterThan(0);
    const other = await apply(stacks[1]);
    expect([other.code, other.stderr, other.stdout]).toEqual([0, '', expect.not.stringContaining('Adopts')]);
    const own = await apply(stacks[0]);
    expect([own.code, own.stderr]).toEqual([0, '']);
    for (const id of orphans) expect(own.stdout).toContain(`Adopts the key ${id},`);
    await expectDivided();
  });

  it('leave a rotating key to one of them, and its successors too', async () => {
    const [first, second] = await openBoth(ROTATING);
    await hold(2);
    const earlier = apply(first);
    await place.control('GET', '/held?wait=1');
    // The names of generations state their minute.
    await place.control('POST', '/clock', { advance: 60 });
    const later = apply(second);
    await place.control('GET', '/held?wait=2');
    await place.control('POST', '/release', {});
    const ended = await Promise.all([earlier, later]);
    expect(ended.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(await place.keys()).toHaveLength(1);
    const [owner, loser] = ended[0]?.code === 0 ? [first, second] : [second, first];
    const failed = await apply(loser);
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('"one"')]);
    await place.control('POST', '/clock', { advance: 31 * 86_400 });
    expect((await apply(owner)).code).toBe(0);
    expect(await place.keys()).toHaveLength(2);
    expect((await loser.run('destroy', '-auto-approve')).code).toBe(0);
    expect(await place.keys()).toHaveLength(2);
    await expectSettled(owner);
  });
});
