import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../place.ts';
import { expectApplied, expectSettled, key } from './changes.ts';
import { openStack, type Stack, skipWithoutTerraform } from './stack.ts';

const flat = (text: string): string => text.replaceAll(/\s*│?\s+/g, ' ');

const WRONG = 99_999;
const REFUSED = 'The access token belongs to user 42, not to user 99999.';
const CORRECTED = 'The state has the key 1 as one of user 99999, and it belongs to user 42';

interface StoredState {
  readonly resources: { readonly instances: { private?: string }[] }[];
}

describe('the owner of keys, on a gateway that ignores the user ID', () => {
  let place: Place;
  let stack: Stack;
  beforeEach(async (context) => {
    skipWithoutTerraform(context);
    place = await openPlace([], 'deployed@1.0');
    stack = await openStack(place, key('one'));
  });
  afterEach(() => place?.close());

  const withWrongId = (...words: readonly string[]) => stack.runWith({ KEYPLANE_USER_ID: String(WRONG) }, ...words);

  /** The user IDs in the state. They are in data that core keeps for the provider, as base64. */
  async function owners(change?: (data: Record<string, unknown>) => object): Promise<readonly unknown[]> {
    const path = join(place.folder, 'terraform.tfstate');
    const state = JSON.parse(await readFile(path, 'utf8')) as StoredState;
    const instances = state.resources.flatMap((resource) => resource.instances);
    const read = ({ private: data = '' }: { private?: string }): Record<string, unknown> =>
      JSON.parse(Buffer.from(data, 'base64').toString());
    if (change) {
      for (const each of instances) each.private = Buffer.from(JSON.stringify(change(read(each)))).toString('base64');
      await writeFile(path, JSON.stringify(state));
    }
    return instances.map((each) => read(each).userId);
  }

  const bindWrongId = () => owners((data) => ({ ...data, userId: WRONG }));

  it('is compared with the configured user before anything is read or written', async () => {
    const { code, stderr } = await withWrongId('apply', '-auto-approve');
    expect([code, flat(stderr), await place.keys()]).toEqual([1, expect.stringContaining(REFUSED), []]);
  });

  it('is corrected in a state that has another user, without the wrong ID', async () => {
    await expectApplied(stack);
    expect(await bindWrongId()).toEqual([WRONG]);
    expect(flat((await withWrongId('plan')).stderr)).toContain(REFUSED);
    const planned = await stack.run('plan', '-detailed-exitcode');
    expect([planned.code, flat(planned.stdout)]).toEqual([0, expect.stringContaining(CORRECTED)]);
    await expectApplied(stack);
    expect(await owners()).toEqual([42]);
    await expectSettled(stack);
    expect((await place.keys()).map(({ id }) => id)).toEqual([1]);
  });

  it('is corrected by a change and by a deletion without a refresh', async () => {
    await expectApplied(stack);
    await bindWrongId();
    await stack.configure(key('one', 'budget = { usd = 2, per = "lifetime" }'));
    await expectApplied(stack, '-refresh=false');
    expect(await owners()).toEqual([42]);
    await bindWrongId();
    const destroyed = await stack.run('destroy', '-auto-approve', '-refresh=false');
    expect([destroyed.code, await place.keys()], destroyed.stderr).toEqual([0, []]);
  });

  it('keeps the state of a key that may be another one', async () => {
    await expectApplied(stack);
    await bindWrongId();
    await place.control('PATCH', '/keys/1', { created_time: 1_700_000_000 });
    const { code, stderr } = await stack.run('plan');
    const summary = 'The key 1 belongs to user 99999, and the provider acts for user 42';
    expect([code, flat(stderr)]).toEqual([1, expect.stringContaining(summary)]);
  });
});
