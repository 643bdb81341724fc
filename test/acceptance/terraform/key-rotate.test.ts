import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../place.ts';
import { expectApplied, expectSettled, key, planned, stateOf } from './changes.ts';
import { openStack, type Stack, skipWithoutTerraform } from './stack.ts';

const LIFE = 'lifecycle {\n    create_before_destroy = true\n  }';
const BUDGET = 'budget = { usd = 1, per = "lifetime" }';
const GENERATED = /^prod-\d{8}-[a-z2-9]{6}$/;

const rotated = (label: string, more = '', life = LIFE): string =>
  `resource "keyplane_api_key" "${label}" {\n  name_prefix = "prod-"\n  ${BUDGET}\n  ${more}\n  ${life}\n}\n`;

const keepers = (generation: string): string => `rotate_when_changed = { generation = ${generation} }`;

const inOneLine = (text: string): string => text.replaceAll(/[\s│]+/g, ' ');

describe('a key with a generated name in terraform', () => {
  let place: Place;
  let stack: Stack;
  beforeEach(async (context) => {
    skipWithoutTerraform(context);
    place = await openPlace([], 'deployed');
  });
  afterEach(() => place?.close());

  const names = async () => (await place.keys()).map(({ name }) => String(name)).sort();
  const only = async () => {
    const all = await place.keys();
    expect(all).toHaveLength(1);
    return all[0] as (typeof all)[0];
  };
  const open = async (configuration: string) => {
    stack = await openStack(place, configuration);
  };

  it('gets the prefix, the day and a word, and is settled', async () => {
    await open(rotated('one'));
    expect(await planned(stack)).toEqual({ one: 'create' });
    await expectApplied(stack);
    expect((await only()).name).toMatch(GENERATED);
    expect(await stateOf(stack, 'keyplane_api_key.one')).toMatchObject({
      name: (await only()).name,
      name_prefix: 'prod-',
    });
    await expectSettled(stack);
  });

  it('is replaced without an outage once a value changes', async () => {
    await open(`${rotated('one', keepers('1'))}output "id" {\n  value = keyplane_api_key.one.id\n}\n`);
    await expectApplied(stack);
    const before = await only();
    await stack.configure(`${rotated('one', keepers('2'))}output "id" {\n  value = keyplane_api_key.one.id\n}\n`);
    expect(await planned(stack)).toEqual({ one: 'create+delete' });
    const output = await expectApplied(stack);
    expect(output.indexOf('Creation complete')).toBeLessThan(output.indexOf('Destruction complete'));
    const after = await only();
    expect(after.id).not.toBe(before.id);
    expect([after.name, after.name === before.name]).toEqual([expect.stringMatching(GENERATED), false]);
    await expectSettled(stack);
  });

  it.each([
    ['added', '', keepers('1')],
    ['removed', keepers('1'), ''],
  ])('keeps the key when the values are %s as a whole', async (_, first, second) => {
    await open(rotated('one', first));
    await expectApplied(stack);
    const before = await only();
    await stack.configure(rotated('one', second));
    expect(await planned(stack)).toEqual({ one: expect.stringMatching(/^update: rotate_when_changed/) });
    await expectApplied(stack);
    expect((await only()).id).toBe(before.id);
    await expectSettled(stack);
  });

  it('is replaced when a value is unknown, and keeps the key while it is ignored', async () => {
    const data = (input: number) => `resource "terraform_data" "g" {\n  input = ${input}\n}\n`;
    await open(data(1) + rotated('one', keepers('terraform_data.g.output')));
    await expectApplied(stack);
    const before = await only();
    await stack.configure(data(2) + rotated('one', keepers('terraform_data.g.output')));
    expect(await planned(stack)).toMatchObject({ one: 'create+delete' });
    const ignoring = 'lifecycle {\n    create_before_destroy = true\n    ignore_changes = [rotate_when_changed]\n  }';
    await stack.configure(data(2) + rotated('one', keepers('terraform_data.g.output'), ignoring));
    await expectApplied(stack);
    expect((await only()).id).toBe(before.id);
    await expectSettled(stack);
  });

  it('rejects null among the values', async () => {
    await open(rotated('one', 'rotate_when_changed = { a = null }'));
    const { code, stderr } = await stack.run('validate');
    expect([code, stderr]).toEqual([1, expect.stringContaining('`rotate_when_changed` must not contain null')]);
  });

  it('is renamed for another prefix, keeps the generated part, and its ID', async () => {
    await open(rotated('one'));
    await expectApplied(stack);
    const before = await only();
    const suffix = String(before.name).slice('prod-'.length);
    await stack.configure(rotated('one').replace('"prod-"', '"live-"'));
    expect(await planned(stack)).toEqual({ one: expect.stringMatching(/^update: name name_prefix/) });
    await expectApplied(stack);
    expect(await only()).toMatchObject({ id: before.id, name: `live-${suffix}` });
    await expectSettled(stack);
  });

  it.each([
    ['prod-checkout', 'prod-checkout'],
    ['checkout', expect.stringMatching(GENERATED)],
  ])('takes over the key of a configured name: %s', async (former, name) => {
    await open(key('one').replace('"one"\n  budget', `"${former}"\n  budget`));
    await expectApplied(stack);
    const { id } = await only();
    await stack.configure(rotated('one'));
    await planned(stack);
    await expectApplied(stack);
    expect(await only()).toMatchObject({ id, name });
    await expectSettled(stack);
  });

  it('is renamed again after somebody took the prefix away, and not after another change of the name', async () => {
    await open(rotated('one'));
    await expectApplied(stack);
    const { id, name } = await only();
    await place.control('PATCH', `/keys/${id}`, { name: 'prod-mine' });
    await expectSettled(stack);
    await place.control('PATCH', `/keys/${id}`, { name: `x${name}` });
    expect(await planned(stack)).toEqual({ one: expect.stringMatching(/^update: name/) });
    await expectApplied(stack);
    expect((await only()).name).toBe(name);
    await expectSettled(stack);
  });

  it('keeps its name while the prefix is ignored', async () => {
    const life = 'lifecycle {\n    ignore_changes = [name_prefix]\n  }';
    await open(rotated('one', '', life));
    await expectApplied(stack);
    const { name } = await only();
    await stack.configure(rotated('one', 'group = "default"', life).replace('"prod-"', '"live-"'));
    await expectApplied(stack);
    expect(await only()).toMatchObject({ name, group: 'default' });
    await stack.configure(rotated('one', '', life.replace('name_prefix', 'name')));
    await expectApplied(stack);
    expect((await only()).name).toBe(name);
    await expectSettled(stack);
  });

  it.each([
    ['"prod-"', '"x"', 'Set either `name` or `name_prefix`'],
    [`"${'p'.repeat(36)}"`, undefined, 'Invalid prefix of a key name'],
    [`"${'é'.repeat(18)}"`, undefined, 'Invalid prefix of a key name'],
    ['""', undefined, 'Invalid prefix of a key name'],
    ['" x"', undefined, 'Invalid prefix of a key name'],
  ])('rejects the prefix %s with the name %s', async (prefix, name, error) => {
    const body = `name_prefix = ${prefix}\n  ${name ? `name = ${name}` : ''}\n  ${BUDGET}`;
    await open(`resource "keyplane_api_key" "one" {\n  ${body}\n}\n`);
    const { code, stderr } = await stack.run('validate');
    expect([code, stderr]).toEqual([1, expect.stringContaining(error)]);
  });

  it('takes a prefix of 35 bytes, and many keys with one prefix', async () => {
    const prefix = 'p'.repeat(35);
    await open(`resource "keyplane_api_key" "many" {\n  count = 12\n  name_prefix = "${prefix}"\n  ${BUDGET}\n}\n`);
    await expectApplied(stack);
    const all = await names();
    expect(new Set(all).size).toBe(12);
    for (const name of all) expect(name).toHaveLength(50);
    await expectSettled(stack);
  });

  it('gets the prefix of its new name in the apply that ends its rotation', async () => {
    const body = `${BUDGET}\n  rotation {\n    every   = "30d"\n    overlap = "7d"\n  }`;
    await open(key('one', body));
    await expectApplied(stack);
    const { id } = await only();
    await stack.configure(rotated('one'));
    await expectApplied(stack);
    expect(await only()).toMatchObject({ id, name: expect.stringMatching(/^prod-\d{8}-/) });
    await expectSettled(stack);
  });

  it('needs a name or a prefix when it is new, and keeps its name without both', async () => {
    await open(`resource "keyplane_api_key" "one" {\n  ${BUDGET}\n}\n`);
    const refused = await stack.run('plan');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('A new key has no name')]);
    await stack.configure(rotated('one'));
    await expectApplied(stack);
    const { name } = await only();
    await stack.configure(`resource "keyplane_api_key" "one" {\n  ${BUDGET}\n  group = "default"\n}\n`);
    await expectApplied(stack);
    expect(await only()).toMatchObject({ name, group: 'default' });
    await expectSettled(stack);
  });
});

describe('on_destroy in terraform', () => {
  let place: Place;
  let stack: Stack;
  beforeEach(async (context) => {
    skipWithoutTerraform(context);
    place = await openPlace([], 'deployed');
  });
  afterEach(() => place?.close());

  const ending = (end: string, more = ''): string => key('one', `${BUDGET}\n  on_destroy = "${end}"\n  ${more}`);
  const stored = async () => (await place.keys()).map(({ id, name, status }) => ({ id, name, status }));

  it.each([
    ['delete', [], false],
    ['disable', [{ name: 'one', status: 2 }], true],
    ['abandon', [{ name: 'one', status: 1 }], true],
  ])('%s', async (end, left, warns) => {
    stack = await openStack(place, ending(end));
    await expectApplied(stack);
    const plan = await stack.run('plan', '-destroy');
    expect(plan.stdout.includes('will not be deleted')).toBe(warns);
    const { code, stderr } = await stack.run('destroy', '-auto-approve');
    expect([code, stderr]).toEqual([0, '']);
    expect(await stored()).toEqual(left.map((each) => ({ id: expect.any(Number), ...each })));
    expect((await stack.run('state', 'list')).stdout).toBe('');
  });

  it.each([
    ['delete', false],
    ['disable', true],
    ['abandon', true],
  ])('warns of a replaced key that stays, which core reports as destroyed (%s)', async (end, warns) => {
    const keeping = (generation: number) => rotated('one', `on_destroy = "${end}"\n  ${keepers(String(generation))}`);
    stack = await openStack(place, keeping(1));
    await expectApplied(stack);
    const [{ id, name } = { id: 0, name: '' }] = await stored();
    await stack.configure(keeping(2));
    const { stdout } = await stack.run('plan');
    expect(inOneLine(stdout).includes(`The key ${id} ("${name}") will not be deleted`)).toBe(warns);
    await expectApplied(stack);
    expect((await stored()).map((each) => each.id).includes(id)).toBe(warns);
  });

  it.each(['disable', 'abandon'])('refuses a new key with the name of one that stays (%s)', async (end) => {
    const keeping = (generation: number) => ending(end, keepers(String(generation)));
    stack = await openStack(place, keeping(1));
    await expectApplied(stack);
    const before = await stored();
    await stack.configure(keeping(2));
    const { code, stderr } = await stack.run('apply', '-auto-approve');
    expect([code, inOneLine(stderr)]).toEqual([1, expect.stringContaining('keeps the name "one"')]);
    const replaced = await stack.run('apply', '-auto-approve', '-replace=keyplane_api_key.one');
    expect([replaced.code, inOneLine(replaced.stderr)]).toEqual([1, expect.stringContaining('keeps the name "one"')]);
    await stack.configure(keeping(1));
    await stack.run('taint', 'keyplane_api_key.one');
    const { stdout } = await stack.run('plan');
    expect(inOneLine(stdout)).toContain('has the name "one", and keeps it if this plan replaces it');
    await stack.run('untaint', 'keyplane_api_key.one');
    await stack.configure(keeping(1).replace('"keyplane_api_key" "one"', '"keyplane_api_key" "other"'));
    const relabeled = await stack.run('apply', '-auto-approve');
    expect([relabeled.code, inOneLine(relabeled.stderr)]).toEqual([1, expect.stringContaining('keeps the name "one"')]);
    expect(await stored()).toEqual(before);
  });

  it.each(['disable', 'abandon'])(
    'creates no second key with the name after %s, and imports the first',
    async (end) => {
      stack = await openStack(place, ending(end));
      await expectApplied(stack);
      const before = await stored();
      await stack.run('destroy', '-auto-approve');
      const refused = await stack.run('apply', '-auto-approve');
      expect([refused.code, inOneLine(refused.stderr)]).toEqual([1, expect.stringContaining('already exists')]);
      await stack.configure(
        `import {\n  to = keyplane_api_key.one\n  id = "name=one"\n}\n${ending(end, 'enabled = true')}`,
      );
      await expectApplied(stack);
      expect(await stored()).toEqual(before);
      await expectSettled(stack);
    },
  );

  it('disables the former key of one that is replaced with another name', async () => {
    stack = await openStack(place, rotated('one', `on_destroy = "disable"\n  ${keepers('1')}`));
    await expectApplied(stack);
    await stack.configure(rotated('one', `on_destroy = "disable"\n  ${keepers('2')}`));
    await expectApplied(stack);
    expect((await stored()).map(({ status }) => status)).toEqual([2, 1]);
    await expectSettled(stack);
  });

  it('counts as of the last apply, may be ignored, and is checked', async () => {
    stack = await openStack(place, ending('later'));
    const invalid = await stack.run('validate');
    expect([invalid.code, invalid.stderr]).toEqual([
      1,
      expect.stringContaining('Invalid value "later" of `on_destroy`'),
    ]);
    await stack.configure(ending('disable'));
    await expectApplied(stack);
    await stack.configure(ending('delete', 'lifecycle {\n    ignore_changes = [on_destroy]\n  }'));
    await expectSettled(stack);
    await stack.configure('');
    await expectApplied(stack);
    expect(await stored()).toMatchObject([{ name: 'one', status: 2 }]);
  });
});
