import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Kill } from '../killed.ts';
import {
  add,
  drop,
  edit,
  importForeign,
  intoModes,
  members,
  relabel,
  release,
  rename,
  rotate,
  swap,
  tryInstance,
} from './configuration-steps.ts';
import type { Days, Play } from './days.ts';
import { idsInState } from './state.ts';
import { type Attribute, instancesOf } from './world.ts';

const DAY = 86_400;

/** The edits of people, as stored. */
const BY_HAND: Readonly<Record<Attribute | 'budget' | 'name', readonly object[]>> = {
  enabled: [{ status: 1 }, { status: 2 }],
  group: [{ group: 'vip' }, { group: 'default' }],
  models: [{ model_limits_enabled: true, model_limits: 'beta-1' }, { model_limits_enabled: false }],
  allow_ips: [{ allow_ips: '192.0.2.1' }, { allow_ips: '' }],
  expires_at: [{ expired_time: -1 }, { expired_time: 2_000_000_000 }],
  cross_group_retry: [{ cross_group_retry: true }, { cross_group_retry: false }],
  budget: [{ remain_quota: 0 }, { remain_quota: 77_000_000 }, { unlimited_quota: true }, { unlimited_quota: false }],
  name: [{ name: 'theirs' }],
};

type Field = keyof typeof BY_HAND;

async function editByHand(
  days: Days,
  fields: readonly Field[] = [...days.bench.attributes, 'budget', 'name'],
): Promise<{ title: string; address: string; field: Field; id: number; settings: object } | undefined> {
  const instance = tryInstance(days);
  const id = instance && days.ids.get(instance.address);
  if (instance === undefined || id === undefined) return undefined;
  const field = days.dice.of(fields);
  const settings = field === 'name' ? { name: `theirs-${days.fresh()}` } : days.dice.of(BY_HAND[field]);
  await days.bench.edit(id, settings);
  const { address } = instance;
  return { title: `${address} by hand: ${JSON.stringify(settings)}`, address, field, id, settings };
}

const byHand: Play = async (days) => {
  const edited = await editByHand(days);
  return edited && { title: edited.title };
};

const deleteByHand: Play = async (days) => {
  const instance = tryInstance(days);
  const id = instance && days.ids.get(instance.address);
  if (instance === undefined || id === undefined) return undefined;
  await days.bench.remove(id);
  return { title: `delete ${instance.address} by hand`, replaced: [instance.address], deleted: id };
};

const stateAgain: Play = async (days) => {
  const instance = tryInstance(days);
  const id = instance && days.ids.get(instance.address);
  if (instance === undefined || id === undefined) return undefined;
  await days.command('state', 'rm', instance.address);
  const name = days.latest.get(id)?.name;
  await days.command('import', instance.address, days.dice.of([String(id), `name=${name}`]));
  return { title: `state rm and import ${instance.address}` };
};

const taint: Play = async (days) => {
  const instance = tryInstance(days);
  if (instance === undefined || !days.ids.has(instance.address)) return undefined;
  await days.command('taint', instance.address);
  return { title: `taint ${instance.address}`, replaced: [instance.address] };
};

const replace: Play = (days) => {
  const instance = tryInstance(days);
  if (instance === undefined || !days.ids.has(instance.address)) return undefined;
  const { address } = instance;
  return { title: `replace ${address}`, replaced: [address], first: ['-auto-approve', `-replace=${address}`] };
};

const partly: Play = async (days) => {
  const edited = await edit(days);
  const instance = tryInstance(days);
  if (edited === undefined || instance === undefined) return undefined;
  const words = days.dice.of([[`-target=${instance.address}`], ['-refresh=false'], ['-parallelism=1']]);
  return { title: `${edited.title}, ${words.join(' ')}`, first: ['-auto-approve', ...words], mayFail: true };
};

const SAVED = 'late.bin';

/** Plans, and somebody edits a key before the apply, which keeps this edit: the state has the attribute as it was. */
const late: Play = async (days) => {
  const former = new Map(instancesOf(days.world).map(({ address, resource }) => [address, resource.settings]));
  const edited = await edit(days);
  if (edited === undefined) return undefined;
  await days.configure();
  await days.command('plan', '-out', SAVED);
  const before = new Map((await days.bench.keys()).map((key) => [key.id, key]));
  // Of budgets, saved-plan.test.ts shows which edits an apply keeps.
  const byHand = await editByHand(days, [...days.bench.attributes, 'name']);
  if (byHand === undefined) return { title: `${edited.title}, planned` };
  await days.run('apply', SAVED);
  const { title, address, field, id, settings } = byHand;
  const key = (await days.bench.keys()).find((each) => each.id === id);
  const isKnown = field === 'name' || Object.keys(former.get(address) ?? {}).includes(field);
  const isEdit = Object.entries(settings).some(([name, value]) => before.get(id)?.[name] !== value);
  if (key && isKnown && isEdit) expect(key, title).toMatchObject(settings);
  return { title: `${edited.title}, planned before ${title}` };
};

const FAULTS: readonly object[] = [
  { kind: 'status', code: 500 },
  { kind: 'html' },
  { kind: 'refuse' },
  { kind: 'cut-before' },
  { kind: 'cut-after' },
  { kind: 'truncated' },
  { kind: 'empty-429', retryAfter: 0 },
];

const troubled: Play = async (days) => {
  if (days.bench.fail === undefined) return undefined;
  const done = await days.dice.of([add, edit, rename, swap, members, drop, rotate])(days);
  if (done === undefined) return undefined;
  const scripts = [1, 2, 3].map(() => ({
    ...days.dice.of(FAULTS),
    ...days.dice.of([{}, { method: 'POST' }, { method: 'PUT' }, { method: 'GET' }, { method: 'DELETE' }]),
    path: '/api/*',
    skip: days.dice.below(6),
    times: 1 + days.dice.below(3),
  }));
  await days.bench.fail(scripts);
  return { ...done, title: `${done.title}, with ${JSON.stringify(scripts)}`, first: ['-auto-approve'], mayFail: true };
};

/** Kills core, the provider or both in the midst of an apply. The next apply continues. */
export const killed: Play = async (days) => {
  const { dice, kill: run } = days;
  if (run === undefined) return undefined;
  const done = await dice.of([add, edit, rename, swap, members, drop, rotate])(days);
  if (done === undefined) return undefined;
  await days.configure();
  const kill: Kill = {
    victim: dice.of(['core', 'provider', 'both'] as const),
    kind: dice.of(['hold', 'hold-after'] as const),
    ...dice.of([
      { at: 1 + dice.below(12) },
      { at: 1, method: 'POST' },
      { at: 1, method: 'PUT' },
      { at: 1, method: 'DELETE' },
    ]),
  };
  const isKilled = await run(kill);
  return { ...done, title: `${done.title}, ${isKilled ? 'killed' : 'not reached'}: ${JSON.stringify(kill)}` };
};

/** Somebody makes keys with the names of those that a resource ends, before the apply or before an earlier plan of it is applied. */
const namesakes: Play = async (days) => {
  const before = new Map((await days.bench.keys()).map((key) => [key.id, key]));
  const former = instancesOf(days.world);
  const dropped = await drop(days);
  if (dropped === undefined) return undefined;
  const left = new Set(instancesOf(days.world).map(({ address }) => address));
  const ended = former.filter(({ address }) => !left.has(address) && days.ids.has(address));
  const isPlanned = days.dice.below(2) === 0;
  await days.configure();
  if (isPlanned) await days.command('plan', '-out', SAVED);
  for (const { address, resource } of ended) {
    const name = before.get(days.ids.get(address) ?? 0)?.name;
    if (name) await days.bench.make(name, resource.isSecond ?? false);
  }
  for (const key of await days.bench.keys()) if (!before.has(key.id)) days.foreign.set(key.id, key);
  if (isPlanned) await days.command('apply', SAVED);
  // An older state would have the key under the name of another one.
  days.states.splice(0);
  return { title: `${dropped.title}, whose names somebody else has${isPlanned ? ' since the plan' : ''}` };
};

/** Applies a plan, and the same one again: the second apply changes nothing. */
const again: Play = async (days) => {
  const done = await days.dice.of([add, edit, rename, members, drop, rotate])(days);
  if (done === undefined) return undefined;
  await days.configure();
  await days.command('plan', '-out', SAVED);
  await days.run('apply', SAVED);
  const keys = await days.bench.keys();
  await days.run('apply', SAVED);
  expect(await days.bench.keys(), done.title).toEqual(keys);
  return { ...done, title: `${done.title}, the plan of which is applied twice` };
};

const spend: Play = async (days) => {
  const instance = tryInstance(days);
  const id = instance && days.ids.get(instance.address);
  if (instance === undefined || id === undefined) return undefined;
  const units = await days.bench.use(id);
  days.used.set(id, (days.used.get(id) ?? 0) + units);
  return { title: `${instance.address} uses ${units}` };
};

const pass: Play = async (days) => {
  // An apply that was killed is recognized by the clock of the machine, which stays where it is.
  if (days.bench.pass === undefined || days.kill) return undefined;
  const advance = DAY * (1 + days.dice.below(40));
  await days.bench.pass(advance);
  return { title: `${advance / DAY} days pass` };
};

/** Somebody restores an older state, and imports what it lacks. */
const olderState: Play = async (days) => {
  const [older] = days.states;
  if (older === undefined) return undefined;
  await writeFile(join(days.bench.folder, 'older.tfstate'), older);
  await days.command('state', 'push', '-force', 'older.tfstate');
  const had = await idsInState(days.bench);
  const live = new Set((await days.bench.keys()).map(({ id }) => id));
  for (const { address } of instancesOf(days.world)) {
    const id = days.ids.get(address);
    if (id === undefined || had.get(address) === id || !live.has(id)) continue;
    if (had.has(address)) await days.command('state', 'rm', address);
    await days.command('import', address, String(id));
  }
  return { title: 'restore an older state' };
};

const workspace: Play = async (days) => {
  const name = days.fresh();
  await days.command('workspace', 'new', name);
  await days.command('state', 'push', '-force', 'terraform.tfstate');
  await days.settled();
  await days.command('workspace', 'select', 'default');
  await days.command('workspace', 'delete', '-force', name);
  return { title: 'copy into a workspace' };
};

const refreshOnly: Play = async (days) => {
  const edited = await editByHand(days);
  await days.command('apply', '-refresh-only', '-auto-approve');
  return { title: `refresh only after ${edited?.title}` };
};

export const STEPS: readonly Play[] = [
  ...[add, add, drop, edit, edit, edit, byHand, byHand, byHand, deleteByHand, rename, swap, members, members],
  ...[rotate, rotate, rotate, relabel, intoModes, release, importForeign, stateAgain, taint, replace],
  ...[partly, partly, late, late, late, troubled, troubled, troubled, spend, spend, pass],
  ...[olderState, workspace, refreshOnly, namesakes, namesakes, again, again],
];
