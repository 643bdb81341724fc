import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../place.ts';
import { expectApplied, expectSettled, key } from './changes.ts';
import { openStack, type Ran, type Stack, skipWithoutTerraform } from './stack.ts';

/** Long enough for each operation on a machine that is much slower, as those that are not held have to end in it. */
const LIMIT = '3s';

const flat = (text: string): string => text.replaceAll(/\s*│?\s+/g, ' ');

const keyOf = (group: string): string =>
  key(
    'one',
    `group = "${group}"\n  budget = { usd = 1, per = "lifetime" }
  timeouts {
    create = "${LIMIT}"
    read   = "${LIMIT}"
    update = "${LIMIT}"
    delete = "${LIMIT}"
  }`,
  );

const READS: Readonly<
  Record<string, { readonly configuration: string; readonly operation: string; readonly held: object }>
> = {
  'a data source': {
    configuration: `data "keyplane_groups" "all" {\n  timeouts {\n    read = "${LIMIT}"\n  }\n}\n`,
    operation: 'read',
    held: { method: 'GET', path: '/api/user/self/groups' },
  },
  'an ephemeral resource': {
    configuration: `ephemeral "keyplane_api_key_secret" "old" {\n  name = "old"\n  timeouts {\n    open = "${LIMIT}"\n  }\n}\n`,
    operation: 'open',
    held: { method: 'POST', path: '/api/*' },
  },
};

/** The operations on a key, each after a plan: the words of the plan, and the group that is configured by then. */
const OPERATIONS: Readonly<
  Record<string, { readonly exists: boolean; readonly group?: string; readonly words?: string }>
> = {
  create: { exists: false },
  update: { exists: true, group: 'vip' },
  delete: { exists: true, words: '-destroy' },
};

describe('the time limits of terraform, while the gateway does not answer', () => {
  let place: Place;
  let stack: Stack;
  beforeEach(async (context) => {
    skipWithoutTerraform(context);
    place = await openPlace([{ name: 'old', unlimited_quota: true }], 'deployed');
  });
  afterEach(() => place?.close());

  const hold = (...held: readonly object[]) =>
    place.control(
      'POST',
      '/faults',
      held.map((each) => ({ ...each, kind: 'hold', times: 99 })),
    );
  const answerAgain = async (): Promise<void> => {
    await place.control('DELETE', '/faults');
    await place.control('POST', '/release', {});
  };
  const expectLate = ({ code, stderr }: Ran, operation: string): void => {
    expect([code, flat(stderr)]).toEqual([
      1,
      expect.stringContaining(`The ${operation} took longer than its timeout of ${LIMIT}.`),
    ]);
    expect(flat(stderr)).toContain(`Raise \`timeouts.${operation}\``);
  };

  it.each(Object.keys(READS))('end %s', async (what) => {
    const { configuration, operation, held } = READS[what] as (typeof READS)[string];
    stack = await openStack(place, configuration);
    await hold(held);
    expectLate(await stack.run('plan'), operation);
    await answerAgain();
    expect((await stack.run('plan')).code).toBe(0);
  });

  it('end the refresh of a key', async () => {
    stack = await openStack(place, keyOf('default'));
    await expectApplied(stack);
    await hold({ method: 'GET', path: '/api/token/' });
    expectLate(await stack.run('plan'), 'read');
    await answerAgain();
    await expectSettled(stack);
  });

  it.each(Object.keys(OPERATIONS))(
    'end the %s of a key before anything is sent, and the next run does it',
    async (operation) => {
      const { exists, group = 'default', words } = OPERATIONS[operation] as (typeof OPERATIONS)[string];
      stack = await openStack(place, keyOf('default'));
      if (exists) await expectApplied(stack);
      const before = await place.keys();
      await stack.configure(keyOf(group));
      const plan = ['plan', '-out=plan.bin', ...(words ? [words] : [])];
      expect((await stack.run(...plan)).code).toBe(0);
      await hold({ method: 'GET', path: '/api/token/' }, { method: 'GET', path: '/api/token/*' });
      expectLate(await stack.run('apply', 'plan.bin'), operation);
      expect(await place.keys()).toEqual(before);
      await answerAgain();
      await stack.run(...plan);
      const { code, stderr } = await stack.run('apply', 'plan.bin');
      expect(code, stderr).toBe(0);
      const groups = (await place.keys()).filter(({ name }) => name === 'one').map((each) => each.group);
      expect(groups).toEqual(operation === 'delete' ? [] : [group]);
    },
  );

  it('end the read that follows an update, after which the next run finds what was stored', async () => {
    stack = await openStack(place, keyOf('default'));
    await expectApplied(stack);
    await stack.configure(keyOf('vip'));
    expect((await stack.run('plan', '-out=plan.bin')).code).toBe(0);
    await hold({ method: 'PUT', path: '/api/token/' });
    const applying = stack.run('apply', 'plan.bin');
    await place.control('GET', '/held?wait=1');
    await hold({ method: 'GET', path: '/api/token/*' }, { method: 'GET', path: '/api/token/' });
    await place.control('POST', '/release', {});
    const { code, stdout, stderr } = await applying;
    expect([code, flat(stdout + stderr)]).toEqual([1, expect.stringContaining(`its timeout of ${LIMIT}`)]);
    expect((await place.keys()).at(-1)).toMatchObject({ name: 'one', group: 'vip' });
    await answerAgain();
    await expectApplied(stack);
    await expectSettled(stack);
    expect((await place.keys()).at(-1)).toMatchObject({ name: 'one', group: 'vip' });
  });
});
