import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../place.ts';
import { expectApplied, expectSettled, key, stateOf } from './changes.ts';
import { openStack, type Ran, type Stack, skipWithoutTerraform } from './stack.ts';

const flat = (text: string): string => text.replaceAll(/\s*│?\s+/g, ' ');

const NAMES = ['a', 'b'];

describe('two states that create keys with the same names concurrently', () => {
  let place: Place;
  let folder: string;
  let first: Stack;
  let second: Stack;
  beforeEach(async (context) => {
    skipWithoutTerraform(context);
    place = await openPlace([], 'deployed');
    folder = await mkdtemp(join(tmpdir(), 'keyplane-other-'));
  });
  afterEach(async () => {
    await place?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  /** Both have looked at the names before either creates a key, and have the keys of both before either looks again. */
  async function createBoth(budgets: readonly [number, number]): Promise<readonly [Ran, Ran]> {
    const shared = (usd: number) =>
      NAMES.map((name) => key(name, `budget = { usd = ${usd}, per = "lifetime" }`)).join('');
    first = await openStack(place, shared(budgets[0]) + key('first'));
    second = await openStack({ ...place, folder }, shared(budgets[1]) + key('second'));
    const creates = 2 * (NAMES.length + 1);
    const hold = (method: string, times: number) =>
      place.control('POST', '/faults', [{ method, path: '/api/token/', kind: 'hold', times }]);
    await hold('POST', creates);
    const runs = [first.run('apply', '-auto-approve'), second.run('apply', '-auto-approve')] as const;
    await place.control('GET', `/held?wait=${creates}`);
    await hold('GET', 2);
    await place.control('POST', '/release', {});
    await place.control('GET', '/held?wait=2');
    await place.control('POST', '/release', {});
    return await Promise.all(runs);
  }

  const idsOf = async (stack: Stack): Promise<readonly unknown[]> =>
    await Promise.all(NAMES.map(async (name) => (await stateOf(stack, `keyplane_api_key.${name}`)).id));

  it('each keep their own keys when their settings differ, and warn of the others', async () => {
    const ended = await createBoth([1, 2]);
    for (const { code, stdout, stderr } of ended) {
      expect([code, stderr]).toEqual([0, '']);
      expect(flat(stdout)).toMatch(/Another key has the same name \(ID \d\)/);
    }
    const keys = await place.keys();
    expect(keys).toHaveLength(6);
    const made = (remain: number) =>
      NAMES.map((name) => keys.find((each) => each.name === name && each.remain_quota === remain)?.id);
    expect([await idsOf(first), await idsOf(second)]).toEqual([made(500_000), made(1_000_000)]);
    await expectSettled(first);
    await expectSettled(second);
    expect((await first.run('destroy', '-auto-approve')).code).toBe(0);
    expect((await place.keys()).map(({ id }) => id)).toEqual(
      expect.arrayContaining(made(1_000_000).filter((id) => id !== undefined)),
    );
    await expectSettled(second);
  });

  it('leave keys that nothing distinguishes alone, and name them and the commands', async () => {
    const ended = await createBoth([1, 1]);
    const keys = await place.keys();
    expect(keys).toHaveLength(6);
    const idsNamed = (name: string) => keys.filter((each) => each.name === name).map(({ id }) => id);
    for (const { code, stderr } of ended) {
      expect([code, stderr.match(/^Error: /gm)]).toEqual([1, ['Error: ', 'Error: ']]);
      for (const name of NAMES) {
        expect(flat(stderr)).toContain(`More than one key is named "${name}": ${idsNamed(name).join(', ')}`);
      }
      expect(flat(stderr)).toMatch(/`terraform import ADDRESS \d`.*`terraform state rm ADDRESS`/);
    }
    for (const stack of [first, second]) {
      const { code, stdout } = await stack.run('plan');
      expect([code, flat(stdout)]).toEqual([
        0,
        expect.stringContaining(`Keys with this name already exist (id ${idsNamed('a').join(', ')})`),
      ]);
      expect(stdout).not.toContain('Adopts');
    }
    const again = await first.run('apply', '-auto-approve');
    expect([again.code, again.stderr.match(/^Error: .*/gm)]).toEqual([
      1,
      NAMES.map((name) => expect.stringContaining(`named "${name}": ${idsNamed(name).join(', ')}`)),
    ]);
    for (const [index, stack] of [first, second].entries()) {
      for (const name of NAMES) {
        const ran = await stack.run('import', `keyplane_api_key.${name}`, String(idsNamed(name)[index]));
        expect(ran.code, ran.stderr).toBe(0);
      }
      await expectApplied(stack);
      await expectSettled(stack);
    }
    expect((await first.run('destroy', '-auto-approve')).code).toBe(0);
    expect((await place.keys()).map(({ name }) => name).sort()).toEqual(['a', 'b', 'second']);
    await expectSettled(second);
  });

  it('can destroy the rest', async () => {
    await createBoth([1, 1]);
    for (const stack of [first, second]) expect((await stack.run('destroy', '-auto-approve')).code).toBe(0);
    expect((await place.keys()).map(({ name }) => name).sort()).toEqual(['a', 'a', 'b', 'b']);
  });

  it('plan and destroy with the entries without an ID that an earlier version stored', async () => {
    await createBoth([1, 2]);
    const path = join(place.folder, 'terraform.tfstate');
    const state = JSON.parse(await readFile(path, 'utf8'));
    for (const { name, instances } of state.resources) {
      const [instance] = instances;
      if (!NAMES.includes(name)) continue;
      delete instance.identity;
      Object.assign(instance, { status: 'tainted' });
      instance.attributes.id = null;
    }
    await writeFile(path, JSON.stringify({ ...state, serial: state.serial + 1 }));
    const { code, stdout, stderr } = await first.run('plan');
    expect([code, stderr, flat(stdout)]).toEqual([
      0,
      '',
      expect.stringContaining('The state has no ID for the key "a"'),
    ]);
    expect((await first.run('destroy', '-auto-approve')).code).toBe(0);
    expect((await first.run('state', 'list')).stdout).toBe('');
    expect((await place.keys()).map(({ name }) => name).sort()).toEqual(['a', 'a', 'b', 'b', 'second']);
  });
});
