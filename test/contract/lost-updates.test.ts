import { describe, expect, it } from 'vitest';
import { type ApplyReport, keyName, pendingChanges, Secret } from '../../src/domain/index.ts';
import { openGateway } from '../../src/gateway/index.ts';
import { apply, observe, plan } from '../../src/reconcile/index.ts';
import { startReferenceGateway } from '../../src/reference/index.ts';
import { declare, NOW, state } from '../reconcile/account.ts';
import { controlOf } from './control.ts';
import { openPersonProxy, type Position } from './person.ts';

const IDS = { updated: 1, renamed: 2, disabled: 3, pruned: 4 } as const;
const NAMES = Object.fromEntries(Object.entries(IDS).map(([name, id]) => [id, name]));

const SEED = {
  accounts: [{ userId: 7, accessToken: 'token-for-tests', quota: 50_000_000 }],
  keys: Object.entries(IDS).map(([name, id]) => ({ id, name, remain_quota: 500_000, group: 'default' })),
  limits: { api: null, search: null, reveal: null },
};

const DESIRED = state(
  [
    declare('updated', { group: 'vip' }),
    declare('new-name', { renamedFrom: keyName('renamed') }),
    declare('disabled', { enabled: false }),
  ],
  { scope: Object.keys(IDS), prune: 'delete' },
);

/** Edits that somebody makes: of fields that are not planned, of one that is, and of the name. */
const EDITS = {
  'restricts every key to an address': { allow_ips: '10.0.0.1' },
  'lets every key expire': { expired_time: NOW + 86_400 },
  'moves every key to another group': { group: 'theirs' },
  'renames every key': { name: 'theirs' },
  'disables every key': { status: 2 },
} as const;

type Edit = (typeof EDITS)[keyof typeof EDITS];
type StoredRecord = Readonly<Record<string, unknown>>;

const editOf = (edit: Edit, id: number): Record<string, unknown> =>
  'name' in edit ? { name: `theirs-${id}` } : { ...edit };

async function runWith(profile: 'contract' | 'deployed', edit: Edit, at: number) {
  const reference = await startReferenceGateway({ profile, seed: SEED, control: true, now: () => NOW });
  const control = controlOf(reference.url);
  const edited: number[] = [];
  let next: Position | undefined;
  const proxy = await openPersonProxy(reference.url, async (position) => {
    if (position.index !== at) return;
    next = position;
    const { keys } = await control.state();
    for (const id of keys.map((key) => Number(key.id))) {
      await control.patchKey(id, editOf(edit, id));
      edited.push(id);
    }
  });
  const gateway = openGateway({ url: proxy.url, userId: 7, accessToken: new Secret('token-for-tests') });
  try {
    const observed = await observe(gateway.store, DESIRED, { now: NOW });
    const made = plan(DESIRED, observed, NOW);
    const planned = proxy.count();
    const report = await apply(made, gateway.store, { observed, desired: DESIRED, now: () => NOW, concurrency: 1 });
    const { keys } = await control.state();
    return { report, keys, next, edited, planned, requests: proxy.count() };
  } finally {
    await gateway.close();
    await proxy.close();
    await reference.close();
  }
}

/** Does the report of the run show that somebody changed this key? */
function isReported({ outcomes, after }: ApplyReport, id: number): boolean {
  const skipped = outcomes.filter((outcome) => outcome.state === 'skipped' && outcome.code === 'plan.stale');
  const changes = [...skipped.map(({ change }) => change), ...(after ? pendingChanges(after) : [])];
  return changes.some((change) => 'id' in change && change.id === id);
}

const isKept = (keys: readonly StoredRecord[], edit: Record<string, unknown>, id: number): boolean =>
  keys.some((key) => key.id === id && Object.entries(edit).every(([field, value]) => key[field] === value));

/** The write that an edit at this position falls right before: the only place where it may be lost. */
const writes = (next: Position | undefined, id: number): boolean => {
  if (next === undefined || next.name.startsWith('GET')) return false;
  if (next.name === `DELETE /api/token/${id}`) return true;
  const body = JSON.parse(next.body || '{}') as { id?: number; ids?: number[] };
  return body.id === id || (body.ids?.includes(id) ?? false);
};

type Title = keyof typeof EDITS;
const CASES: readonly (readonly [Title, 'contract' | 'deployed'])[] = [
  ['restricts every key to an address', 'contract'],
  ...(Object.keys(EDITS) as Title[]).map((title) => [title, 'deployed'] as const),
];

describe('somebody who edits between the requests', () => {
  it.each(CASES)('loses only what falls into the one round trip of a write: %s, profile %s', async (title, profile) => {
    const edit = EDITS[title];
    const lost: string[] = [];
    let roundTrips = 0;
    // An edit before the plan was made is part of what was planned.
    let { planned: at, requests: total } = await runWith(profile, edit, Number.POSITIVE_INFINITY);
    for (; at < total; at += 1) {
      const { report, keys, next, edited, requests } = await runWith(profile, edit, at);
      total = Math.max(total, requests);
      for (const id of edited.filter((each) => !isKept(keys, editOf(edit, each), each) && !isReported(report, each))) {
        if (writes(next, id)) roundTrips += 1;
        else lost.push(`${NAMES[id]}: before request ${at}, ${next?.name}`);
      }
      expect(edited.length).toBeGreaterThanOrEqual(3);
    }
    expect(lost).toEqual([]);
    // Of the rename, the update and the delete. A full update does not write the status.
    expect(roundTrips).toBe('status' in edit ? 1 : 3);
  });
});
