import { afterEach, describe, expect, it } from 'vitest';
import { Secret } from '../../../../src/domain/index.ts';
import { type Gateway, openGateway } from '../../../../src/gateway/index.ts';
import { startReferenceGateway } from '../../../../src/reference/index.ts';
import type { TerraformObject } from '../../../../src/terraform/codec/value.ts';
import { openRunMemory } from '../../../../src/terraform/keyplane/client.ts';
import { planKey } from '../../../../src/terraform/keyplane/key/plan/plan.ts';
import { importKey, readKey } from '../../../../src/terraform/keyplane/key/read.ts';
import { KEY_SCHEMA } from '../../../../src/terraform/keyplane/key/schema.ts';
import { updateKey } from '../../../../src/terraform/keyplane/key/write/update.ts';
import type { ResourceInstance } from '../../../../src/terraform/provider/definition.ts';
import { plannedBySchema } from '../../../../src/terraform/provider/planned.ts';
import { controlOf } from '../../../contract/control.ts';
import { contextFor } from '../context.ts';
import { configOf } from '../core.ts';

const KEYS = 60;
const FEW = 3;
/** Core applies so many resources concurrently. */
const PARALLELISM = 10;

const numbersTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const numbers = numbersTo(KEYS);

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const userId = 42;

/** An account with keys `old-1` and so on, which are in the state. */
async function openAccount(count = FEW): Promise<{
  readonly gateway: Gateway;
  readonly control: ReturnType<typeof controlOf>;
  readonly states: readonly ResourceInstance[];
}> {
  const keys = numbersTo(count).map((id) => ({ id, name: `old-${id}`, key: `stored-${id}`, remain_quota: 1_000_000 }));
  const seed = {
    accounts: [{ userId, accessToken: 'token-of-anna', quota: 500_000_000 }],
    keys,
    limits: { api: null, search: null, reveal: null },
  };
  const reference = await startReferenceGateway({ profile: 'deployed', seed, control: true });
  const gateway = openGateway({ url: reference.url, userId, accessToken: new Secret('token-of-anna') });
  closing.push(
    () => gateway.close(),
    () => reference.close(),
  );
  const before = contextFor(gateway);
  const states = await Promise.all(numbersTo(count).map((id) => importKey(String(id), before)));
  const control = controlOf(reference.url);
  await control.takeRequests();
  return { gateway, control, states };
}

type Account = Awaited<ReturnType<typeof openAccount>>;

type Change = readonly [ResourceInstance, TerraformObject];

const planOf = async ([prior, written]: Change, context: ReturnType<typeof contextFor>) => {
  const config = configOf(written);
  const proposed = { prior, config, planned: plannedBySchema(KEY_SCHEMA, config, prior.state) };
  return { ...proposed, planned: await planKey(proposed, context) };
};

/** Applies configurations in a process of its own, a few at a time, as core does. Returns the errors. */
async function apply(
  { gateway }: Account,
  changes: readonly Change[],
  { run = openRunMemory(), beforeWrites = async () => {} } = {},
) {
  const context = contextFor(gateway, { run });
  const errors: string[] = [];
  const waiting = [...changes];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const change = await planOf(next, context);
      await beforeWrites();
      const { diagnostics } = await updateKey(change, context);
      errors.push(...diagnostics.map(({ summary }) => summary));
    }
  };
  await Promise.all(Array.from({ length: PARALLELISM }, worker));
  return errors;
}

const namesIn = async ({ control }: Account): Promise<readonly unknown[]> =>
  (await control.state()).keys.map(({ name }) => name).sort();

const stateOf = ({ states }: Account, id: number): ResourceInstance => states[id - 1] as ResourceInstance;

const READS = 'GET /api/token/{id}';
const WRITES = 'PUT /api/token/';
const PAGES = 'GET /api/token/';

describe('updates of many keys', () => {
  it.each([
    ['renames', (id: number): TerraformObject => ({ name: `new-${id}` })],
    ['other changes', (id: number): TerraformObject => ({ name: `old-${id}`, allow_ips: ['203.0.113.7'] })],
  ])('take two requests for each key and the pages of the key list: %s', async (_, written) => {
    const account = await openAccount(KEYS);
    const errors = await apply(
      account,
      numbers.map((id) => [stateOf(account, id), written(id)] as const),
    );
    const { requests } = await account.control.takeRequests();
    expect(errors).toEqual([]);
    expect(await namesIn(account)).toEqual(numbers.map((id) => written(id).name).sort());
    // A page for the plans, and one for the keys that are read back together.
    expect(requests).toEqual({
      'GET /api/status': 1,
      [READS]: KEYS,
      [WRITES]: KEYS,
      [PAGES]: 1 + KEYS / PARALLELISM,
    });
  });

  it.each([
    ['were refreshed', true, {}, 1],
    ['were not refreshed', false, {}, 0],
    ['were not refreshed, and had a change due at the last refresh', false, { due: true }, 1],
  ])('are planned from so many pages where the keys stay as they are and %s', async (_, refreshes, marks, pages) => {
    const account = await openAccount();
    const context = contextFor(account.gateway);
    for (const imported of account.states) {
      const { userId: owner, url } = imported.private ?? {};
      const state: TerraformObject = { ...imported.state, budget: null };
      const prior = { state, private: { userId: owner, url, ...marks } };
      if (refreshes) await readKey(prior, context);
      const { planned } = await planOf([prior, { name: state.name ?? null }], context);
      expect(planned).toEqual(prior.state);
    }
    const { requests } = await account.control.takeRequests();
    expect(requests[PAGES] ?? 0).toBe(pages);
  });
});

describe('names that are released in the same run', () => {
  it.each([
    ['swapped by two keys', { 1: 'old-2', 2: 'old-1' }],
    ['exchanged by three keys', { 1: 'old-2', 2: 'old-3', 3: 'old-1' }],
    ['taken over in a chain', { 1: 'old-2', 2: 'old-3', 3: 'new-3' }],
    ['taken over in a chain, in the other order', { 3: 'old-2', 2: 'old-1', 1: 'new-1' }],
  ])('are %s', async (_, names) => {
    const account = await openAccount();
    const changes = Object.entries(names).map(([id, name]): Change => [stateOf(account, Number(id)), { name }]);
    // Waits only for the others.
    const run = openRunMemory(() => new Promise(() => {}));
    expect(await apply(account, changes, { run })).toEqual([]);
    const { keys } = await account.control.state();
    for (const [id, name] of Object.entries(names)) {
      expect(keys).toContainEqual(expect.objectContaining({ id: Number(id), name }));
    }
  });

  it('are not taken while another key keeps them', async () => {
    const account = await openAccount();
    expect(await apply(account, [[stateOf(account, 1), { name: 'old-2' }]])).toEqual([
      'Skipped: key 2 already has the name “old-2”',
    ]);
    expect(await namesIn(account)).toEqual(['old-1', 'old-2', 'old-3']);
  });

  it('are reported when somebody else took them after the keys were listed', async () => {
    const account = await openAccount();
    const beforeWrites = async () => void (await account.control.patchKey(2, { name: 'wanted' }));
    expect(await apply(account, [[stateOf(account, 1), { name: 'wanted' }]], { beforeWrites })).toEqual([
      'The keys 1 and 2 are both named "wanted" now',
    ]);
  });
});
