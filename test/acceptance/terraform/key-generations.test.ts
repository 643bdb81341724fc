import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ACCESS_TOKEN, openPlace, type Place, USER_ID } from '../place.ts';
import { expectApplied, expectSettled, stateOf } from './changes.ts';
import { openStack, type Stack, skipWithoutTerraform } from './stack.ts';

const DAY = 86_400;
const BUDGET = 'budget = { usd = 5, per = "lifetime" }';
const ROTATING = `${BUDGET}\n  rotation {\n    every   = "30d"\n    overlap = "2d"\n  }`;

const resource = (label: string, name: string | undefined, body = BUDGET): string =>
  `resource "keyplane_api_key" "${label}" {\n${name === undefined ? '' : `  name = "${name}"\n`}  ${body}\n}\n`;
const ONE = resource('one', 'one', ROTATING);
const importBlock = (id: number): string => `import {\n  to = keyplane_api_key.two\n  id = "${id}"\n}\n`;

describe('the generations of a key that rotates', () => {
  let place: Place;
  let stack: Stack;
  beforeEach(async (context) => {
    skipWithoutTerraform(context);
    place = await openPlace([], 'deployed');
  });
  afterEach(() => place?.close());

  const open = async (configuration: string): Promise<void> => {
    stack = await openStack(place, configuration);
    await expectApplied(stack);
  };
  const keys = async () => (await place.keys()).map(({ id, name, status }) => ({ id, name, status }));
  /** The former and the current key. */
  const rotated = async (): Promise<readonly [number, number]> => {
    await open(ONE);
    await place.control('POST', '/clock', { advance: 30 * DAY });
    await expectApplied(stack);
    const [former, current] = await keys();
    if (former === undefined || current === undefined) throw new Error('there is no successor');
    return [former.id, current.id];
  };
  /** The former key, which has no date in its name, and the current one. */
  const withFirst = async (): Promise<readonly [number, number]> => {
    await open(resource('one', 'one'));
    await place.control('POST', '/clock', { advance: 40 * DAY });
    await stack.configure(ONE);
    await expectApplied(stack);
    return [1, 2];
  };
  /** An apply of a configuration ends with an error, and the gateway has the same keys. */
  const expectRejected = async (configuration: string, text: string): Promise<void> => {
    const before = await keys();
    await stack.configure(configuration);
    const { code, stdout, stderr } = await stack.run('apply', '-auto-approve');
    expect([code, stderr.replaceAll(/[\s│]+/g, ' ')], stdout).toEqual([1, expect.stringContaining(text)]);
    expect(await keys()).toEqual(before);
  };

  it.each([
    ['the former one, without a name', 0, undefined],
    ['the former one, under another name', 0, 'two'],
    ['the current one, without a name', 1, undefined],
    ['the current one, under another name', 1, 'two'],
  ] as const)('are not imported by another resource: %s', async (_title, index, name) => {
    const id = (await rotated())[index];
    // The current one is the key of its resource already.
    const error =
      index === 0 ? 'is a generation of another key: its name is "one~' : '("one") cannot be in two resources';
    await expectRejected(ONE + resource('two', name) + importBlock(id), `The key ${id} ${error}`);
  });

  it('do not end with their resource while another one has imported them', async () => {
    const [former] = await rotated();
    await stack.configure(ONE + resource('two', undefined));
    const imported = await stack.run('import', 'keyplane_api_key.two', String(former));
    expect(imported.code, imported.stderr).toBe(0);
    // Core visits the two in any order: either is rejected.
    await expectRejected(resource('two', undefined), `key ${former} `);
  });

  it('are found again when their resource imports the current one by its ID', async () => {
    const ids = await rotated();
    await stack.run('state', 'rm', 'keyplane_api_key.one');
    const imported = await stack.run('import', 'keyplane_api_key.one', String(ids[1]));
    expect(imported.code, imported.stderr).toBe(0);
    await expectApplied(stack);
    expect(await stateOf(stack, 'keyplane_api_key.one')).toMatchObject({ id: ids[1], name: 'one' });
    expect((await keys()).map(({ id }) => id)).toEqual(ids);
    await expectSettled(stack);
  });

  it('are found again when their resource imports the former one by its ID', async () => {
    const ids = await rotated();
    await stack.run('state', 'rm', 'keyplane_api_key.one');
    const imported = await stack.run('import', 'keyplane_api_key.one', String(ids[0]));
    expect(imported.code, imported.stderr).toBe(0);
    await expectApplied(stack);
    expect(await stateOf(stack, 'keyplane_api_key.one')).toMatchObject({ id: ids[1], name: 'one' });
    expect((await keys()).map(({ id }) => id)).toEqual(ids);
    await expectSettled(stack);
  });

  it.each([
    ['the current one, with `ignore_changes`', 1, `${ROTATING}\n  lifecycle {\n    ignore_changes = [rotation]\n  }`],
    ['the former one, without a rotation', 0, BUDGET],
  ])('are imported by their name only where no rotation shows that there are several: %s', async (_, index, body) => {
    const id = (await rotated())[index];
    await stack.run('state', 'rm', 'keyplane_api_key.one');
    const imports = importBlock(Number(id)).replace('.two', '.one');
    await expectRejected(resource('one', 'one', body) + imports, 'import the key by `name=…` instead of its ID');
  });

  it('do not get a key of another resource with the same name, which would end with them', async () => {
    await open(ONE);
    await expectRejected(ONE + resource('two', 'one'), 'A key named "one" already exists (id 1)');
  });

  it('do not get one that is created in the same apply', async () => {
    stack = await openStack(place, ONE + resource('two', 'one'));
    const { code, stderr } = await stack.run('apply', '-auto-approve');
    expect([code, stderr], stderr).toEqual([1, expect.stringContaining('A key named "one" already exists')]);
    expect(await keys()).toHaveLength(1);
  });

  it('do not get one that is renamed', async () => {
    await open(ONE + resource('two', 'two'));
    await expectRejected(ONE + resource('two', 'one'), 'A key named "one" already exists (id ');
  });

  it('are not renamed after a key of another resource', async () => {
    await open(ONE + resource('two', 'two'));
    const text = 'A key named "two" already exists (id ';
    await expectRejected(resource('one', 'two', ROTATING) + resource('two', 'two'), text);
  });

  describe('whose names somebody changes', () => {
    const byHand = (id: number, name: string) => place.control('PATCH', `/keys/${id}`, { name });
    const nameOf = async (id: number): Promise<string> => String((await keys()).find((key) => key.id === id)?.name);
    const state = () => stateOf(stack, 'keyplane_api_key.one');

    it('are all renamed after a rename that ended in between', async () => {
      const ids = await rotated();
      await byHand(ids[0], (await nameOf(ids[0])).replace('one', 'other'));
      await stack.configure(resource('one', 'other', ROTATING));
      await expectApplied(stack);
      expect(await keys()).toMatchObject(ids.map((id) => ({ id, name: expect.stringMatching(/^other~/), status: 1 })));
      expect(await state()).toMatchObject({ id: ids[1], name: 'other' });
      await expectSettled(stack);
    });

    it('are all renamed after a rename that ended after the one without a date', async () => {
      const [first, current] = await withFirst();
      await byHand(first, 'other');
      await stack.configure(resource('one', 'other', ROTATING));
      await expectApplied(stack);
      expect(await keys()).toMatchObject([
        { id: first, name: 'other' },
        { id: current, name: expect.stringMatching(/^other~/) },
      ]);
      expect(await state()).toMatchObject({ id: current, name: 'other' });
      await expectSettled(stack);
    });

    it('are all renamed by the apply after one that failed in between', async () => {
      const ids = await rotated();
      await place.control('POST', '/faults', [{ kind: 'status', code: 400, method: 'PUT', skip: 1, times: 9 }]);
      await stack.configure(resource('one', 'other', ROTATING));
      const { code, stdout } = await stack.run('apply', '-auto-approve');
      expect([code, (await state()).id], stdout).toEqual([1, ids[1]]);
      await place.control('DELETE', '/faults');
      await expectApplied(stack);
      expect(await keys()).toMatchObject(ids.map((id) => ({ id, name: expect.stringMatching(/^other~/) })));
    });

    it('stay one key under its name, which is given back', async () => {
      await open(ONE);
      await byHand(1, 'theirs');
      await expectApplied(stack);
      expect([await keys(), (await state()).id]).toEqual([[{ id: 1, name: 'one', status: 1 }], 1]);
      await expectSettled(stack);
    });

    it('are kept while the current one has a name that shows no generation, with the way back', async () => {
      const [former, current] = await rotated();
      const name = await nameOf(current);
      await byHand(current, 'theirs');
      const text = `The key ${current} was renamed to "theirs" at the gateway, and is one of several generations`;
      await expectRejected(ONE, text);
      await byHand(current, name);
      await expectSettled(stack);
      expect((await keys()).map(({ id }) => id)).toEqual([former, current]);
    });
  });

  describe('next to a key without a date', () => {
    const OTHER = { name: 'one', remain_quota: 1000, unlimited_quota: false };
    /** Makes a key as people do at the gateway. */
    const byHand = async (): Promise<void> => {
      const headers = {
        authorization: ACCESS_TOKEN,
        'new-api-user': String(USER_ID),
        'content-type': 'application/json',
      };
      await fetch(`${place.url}/api/token/`, { method: 'POST', headers, body: JSON.stringify(OTHER) });
    };

    it('do not include one that somebody else made, also once it is the oldest', async () => {
      await open(ONE);
      await byHand();
      await place.control('POST', '/clock', { advance: 30 * DAY });
      await expectApplied(stack);
      await place.control('POST', '/clock', { advance: 3 * DAY });
      await expectApplied(stack);
      await expectApplied(stack);
      await expectSettled(stack);
      expect((await keys()).map(({ id, status }) => [id, status])).toEqual([
        [2, 1],
        [3, 1],
      ]);
      const { code, stderr } = await stack.run('destroy', '-auto-approve');
      expect([code, stderr, (await keys()).map(({ id }) => id)]).toEqual([0, '', [2]]);
    });

    it('do not get one that begins to rotate under their name', async () => {
      await open(ONE);
      await byHand();
      await stack.configure(ONE + resource('two', undefined) + importBlock(2));
      await expectApplied(stack);
      await expectRejected(ONE + resource('two', 'one', ROTATING), 'A key named "one" already exists (id 1)');
    });

    it('are not imported by another resource: the first one', async () => {
      await withFirst();
      const text = 'The key 1 is a generation of another key: its name is "one"';
      await expectRejected(ONE + resource('two', undefined) + importBlock(1), text);
      const imported = await stack.run('import', 'keyplane_api_key.two', '1');
      expect(imported.code, imported.stderr).toBe(0);
      await expectRejected(resource('two', undefined), 'key 1 ');
    });
  });
});
