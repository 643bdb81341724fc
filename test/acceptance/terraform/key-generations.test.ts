import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../place.ts';
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
    const text = `The key ${id} is a generation of another key: its name is "one~`;
    await expectRejected(ONE + resource('two', name) + importBlock(id), text);
  });

  it('do not end with their resource while another one has imported them', async () => {
    const [former] = await rotated();
    await stack.configure(ONE + resource('two', undefined));
    const imported = await stack.run('import', 'keyplane_api_key.two', String(former));
    expect(imported.code, imported.stderr).toBe(0);
    await expectRejected(resource('two', undefined), `The key ${former} is a generation of another key`);
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
});
