import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../place.ts';
import { expectApplied, expectSettled, planned, stateOf } from './changes.ts';
import { openStack, type Stack, skipWithoutTerraform } from './stack.ts';

const DAY = 86_400;
const BUDGET = 'budget = { usd = 5, per = "lifetime" }';
const ROTATION = 'rotation {\n    every   = "30d"\n    overlap = "2d"\n  }';
const GENERATION = /^one~\d{8}-\d{4}$/;
/** The gateway rejects every secret. */
const FAULT = [{ kind: 'status', code: 401, method: 'GET', path: '/v1/models', times: 99 }];

const resource = (body = `${BUDGET}\n  ${ROTATION}`, name = 'one'): string =>
  `resource "keyplane_api_key" "one" {\n  name = "${name}"\n  ${body}\n}\n`;
/** Has what reads the secret by its ID. */
const READER = 'resource "terraform_data" "reader" {\n  input = keyplane_api_key.one.id\n}\n';

describe('a key with a rotation in terraform', () => {
  let place: Place;
  let stack: Stack;
  beforeEach(async (context) => {
    skipWithoutTerraform(context);
    place = await openPlace([], 'deployed');
  });
  afterEach(() => place?.close());

  const open = async (configuration: string) => {
    stack = await openStack(place, configuration);
    await expectApplied(stack);
  };
  const advance = (days: number) => place.control('POST', '/clock', { advance: days * DAY });
  /** The keys at the gateway: `1` enabled, `2` disabled. */
  const statuses = async () => (await place.keys()).map(({ status }) => status);
  const ids = async () => (await place.keys()).map(({ id }) => id);
  const state = () => stateOf(stack, 'keyplane_api_key.one');
  const reads = async () => (await stateOf(stack, 'terraform_data.reader')).output;
  /** A key with a successor: the IDs of both. */
  const rotated = async (): Promise<readonly number[]> => {
    await open(resource() + READER);
    await advance(30);
    await expectApplied(stack);
    return await ids();
  };

  it('is created as its first generation, and is settled', async () => {
    await open(resource());
    const [{ name, id } = { name: '', id: 0 }] = await place.keys();
    expect(name).toMatch(GENERATION);
    expect(await state()).toMatchObject({ name: 'one', id, old_generations: null, rotation: { every: '30d' } });
    await advance(29);
    await expectSettled(stack);
  });

  it('gets a successor that works before anything reads it, and the former key keeps working', async () => {
    await open(resource() + READER);
    const [former = 0] = await ids();
    await advance(30);
    const plan = await planned(stack);
    expect(plan.one).toMatch(/^update: .*\bid\?.*old_generations\?/);
    expect(plan['terraform_data.reader']).toMatch(/^update: input\? output\?/);
    const output = await expectApplied(stack);
    expect(output.indexOf('one: Modifications complete')).toBeLessThan(output.indexOf('reader: Modifying'));
    const [one, two] = await place.keys();
    expect([one?.id, one?.status, two?.status]).toEqual([former, 1, 1]);
    expect([one?.name, two?.name].every((name) => GENERATION.test(String(name)))).toBe(true);
    expect(await state()).toMatchObject({ id: two?.id, name: 'one', old_generations: [one?.name] });
    expect(await reads()).toBe(two?.id);
    await expectSettled(stack);
  });

  it('ends the former key after the overlap, disabled first and deleted by the next apply', async () => {
    const [, successor] = await rotated();
    await advance(1);
    await expectSettled(stack);
    await advance(2);
    expect((await planned(stack)).one).toMatch(/^update: old_generations\?/);
    await expectApplied(stack);
    expect(await statuses()).toEqual([2, 1]);
    await expectApplied(stack);
    expect(await ids()).toEqual([successor]);
    expect(await state()).toMatchObject({ id: successor, old_generations: null });
    await expectSettled(stack);
  });

  it('keeps a former key that is still used, and reports it', async () => {
    const [former = 0] = await rotated();
    await advance(2);
    await place.control('POST', '/spend', { keyId: former, quota: 1000 });
    await advance(0.5);
    const { stdout } = await stack.run('apply', '-auto-approve');
    expect(await statuses()).toEqual([1, 1]);
    expect(stdout.replaceAll(/[\s│]+/g, ' ')).toContain(
      '(id 1) stays: its overlap is over, and it is still used: last used',
    );
    await advance(1);
    await expectApplied(stack);
    expect(await statuses()).toEqual([2, 1]);
  });

  it('does not go over to a successor whose secret does not work, and does so once it works', async () => {
    await open(resource() + READER);
    const [former] = await ids();
    await advance(30);
    await place.control('POST', '/faults', FAULT);
    const { code, stderr } = await stack.run('apply', '-auto-approve');
    expect([code, stderr]).toEqual([1, expect.stringContaining('could not be proven')]);
    expect([await statuses(), await reads()]).toEqual([[1, 1], former]);
    const again = await stack.run('apply', '-auto-approve');
    expect([again.code, await reads()]).toEqual([1, former]);
    await place.control('DELETE', '/faults');
    await expectApplied(stack);
    const [, successor] = await ids();
    expect([await statuses(), await reads()]).toEqual([[1, 1], successor]);
    await expectSettled(stack);
  });

  it('goes over to a successor that may not be used from the address of the run', async () => {
    await open(resource(`allow_ips = ["203.0.113.7"]\n  ${BUDGET}\n  ${ROTATION}`) + READER);
    await advance(30);
    await expectApplied(stack);
    expect([await statuses(), await reads()]).toEqual([[1, 1], (await ids())[1]]);
  });

  it('does not end the former key while the secret of its successor does not work', async () => {
    await rotated();
    await advance(3);
    await place.control('POST', '/faults', FAULT);
    const { code, stdout } = await stack.run('apply', '-auto-approve');
    expect([code, stdout.replaceAll(/[\s│]+/g, ' ')]).toEqual([0, expect.stringContaining('The former key stays: ')]);
    expect(await statuses()).toEqual([1, 1]);
  });

  it('takes over the first key, which has no date in its name', async () => {
    await open(resource(BUDGET));
    const [former] = await ids();
    await advance(40);
    await stack.configure(resource());
    await expectApplied(stack);
    const keys = await place.keys();
    expect(keys.map(({ name }) => name)).toEqual(['one', expect.stringMatching(GENERATION)]);
    expect(keys[0]?.id).toBe(former);
    expect(await state()).toMatchObject({ id: keys[1]?.id, old_generations: ['one'] });
    await expectSettled(stack);
  });

  it('changes and renames all generations, and keeps both when the block is removed', async () => {
    const both = await rotated();
    await stack.configure(resource(`group = "vip"\n  ${BUDGET}\n  ${ROTATION}`, 'other') + READER);
    await expectApplied(stack);
    expect(await place.keys()).toMatchObject([
      { id: both[0], group: 'vip', name: expect.stringMatching(/^other~/) },
      { id: both[1], group: 'vip', name: expect.stringMatching(/^other~/) },
    ]);
    await stack.configure(resource(`group = "vip"\n  ${BUDGET}`, 'other') + READER);
    await expectApplied(stack);
    expect([await ids(), await statuses()]).toEqual([both, [1, 1]]);
    await expectSettled(stack);
  });

  it('follows a rotation by another run, whose successor it proves', async () => {
    const both = await rotated();
    const names = (await place.keys()).map(({ name }) => String(name));
    await place.control('PATCH', `/keys/${both[0]}`, { name: names[0] });
    await place.declare('  one: { budget: { usd: 5 }, rotate: { every: 30d, overlap: 2d } }');
    const { code, stderr } = await place.run(['keys', 'rotate', 'one', '--yes']);
    expect(code, stderr).toBe(0);
    await expectApplied(stack);
    const newest = (await ids()).at(-1);
    expect([(await state()).id, await reads()]).toEqual([newest, newest]);
  });

  it('destroys every generation', async () => {
    await rotated();
    const { code, stderr } = await stack.run('destroy', '-auto-approve');
    expect([code, stderr]).toEqual([0, '']);
    expect(await ids()).toEqual([]);
  });

  it('ends no key of another resource, which cannot have the name of a generation', async () => {
    await open(resource());
    const other = `resource "keyplane_api_key" "two" {\n  name = "one~20261001-0000"\n  ${BUDGET}\n}\n`;
    await stack.configure(resource() + other);
    const { code, stderr } = await stack.run('apply', '-auto-approve');
    expect([code, stderr.replaceAll(/[\s│]+/g, ' ')]).toEqual([
      1,
      expect.stringContaining('it has the form of a generation, which a rotation gives to a key.'),
    ]);
    expect(await ids()).toHaveLength(1);
  });

  it('is imported by its name, and takes over no key that exists', async () => {
    await rotated();
    const [, successor] = await ids();
    await stack.run('state', 'rm', 'keyplane_api_key.one');
    const { code, stderr } = await stack.run('apply', '-auto-approve');
    expect([code, await statuses()], stderr).toEqual([1, [1, 1]]);
    const imported = await stack.run('import', 'keyplane_api_key.one', 'name=one');
    expect(imported.code, imported.stderr).toBe(0);
    await expectApplied(stack);
    expect(await state()).toMatchObject({ id: successor, name: 'one' });
    await expectSettled(stack);
  });

  it.each([
    ['rotation {\n    every = "30d"\n    overlap = "30d"\n  }', 'The overlap of a rotation is too long'],
    ['rotation {\n    every = "30 days"\n    overlap = "2d"\n  }', 'Invalid `every` of a rotation'],
    ['rotation {\n    every = "5m"\n    overlap = "1m"\n  }', 'The interval of a rotation is too short'],
    ['rotation {\n    every = "30d"\n  }', 'overlap'],
    ['rotation {\n    every = "30d"\n    overlap = "2d"\n    quite = "1d"\n  }', 'quite'],
    [`${ROTATION}\n  rotate_when_changed = { a = "1" }`, 'Set either `rotation` or `rotate_when_changed`'],
  ])('rejects %s', async (body, text) => {
    stack = await openStack(place, resource(`${BUDGET}\n  ${body}`));
    const { code, stderr } = await stack.run('validate');
    expect([code, stderr.replaceAll(/[\s│]+/g, ' ')]).toEqual([1, expect.stringContaining(text)]);
  });
});
