import { generationName, keyId, minuteOf, quota, tryParseGeneration } from '../../../../src/domain/index.ts';
import { live } from '../../../reconcile/account.ts';
import { change, type Days, keysOf, type Play, type Step, tryKey, tryResource } from './days.ts';
import { BUDGETS, DAY, type Resource, ROTATIONS, randomResource } from './world.ts';

/** Changes a resource, or makes it another one. */
const editing =
  (title: string, edit: (days: Days, resource: Resource) => Resource | undefined): Play =>
  (days) => {
    const found = tryResource(days);
    if (found === undefined) return undefined;
    const next = edit(days, found.resource);
    change(days, found.label, next);
    return { title: `${title} of ${found.label}: ${JSON.stringify(next)}` };
  };

const add: Play = (days) => {
  if (days.world.size > 3) return undefined;
  const label = days.fresh();
  change(days, label, randomResource(days.dice, label));
  return { title: `add ${label}` };
};

const drop: Play = (days) => (days.world.size > 1 ? editing('end', () => undefined)(days) : undefined);
const rename = editing('name', (days, resource) => ({ ...resource, name: days.fresh() }));

const edit = editing('settings', ({ dice }, { enabled: _, ...resource }) => ({
  ...resource,
  ...dice.of<Partial<Resource>>([
    ...['vip', 'default'].map((group) => ({ group })),
    ...[true, false].map((enabled) => ({ enabled })),
    { budget: dice.of(BUDGETS) },
    {},
  ]),
}));

/** Another period, the block removed or added. */
const rotation = editing('rotation', ({ dice }, { rotation: _, ...resource }) => ({
  ...resource,
  ...(dice.below(4) > 0 && { rotation: dice.of(ROTATIONS) }),
}));

const IGNORED = [['rotation'], ['name'], ['group', 'enabled'], ['id'], ['old_generations'], ['budget'], []];
const ignore = editing('ignored attributes', ({ dice }, resource) => ({
  ...resource,
  ignored: dice.of(['all' as const, ...IGNORED]),
}));

/** Moves the clock, back too. */
function pass({ machine, dice }: Days, spans: readonly number[]): string {
  const seconds = dice.of(spans);
  machine.clock.now += seconds;
  return `${seconds} s pass`;
}

const time: Play = (days) => ({ title: pass(days, [1800, 7200, DAY, 3 * DAY, 25 * DAY, 31 * DAY, 100 * DAY]) });
const back: Play = (days) => ({ title: pass(days, [-60, -7200, -3 * DAY, -40 * DAY]) });
const LATER = [0, 3 * DAY, 31 * DAY];

const unknown: Play = (days) => {
  const attribute = days.dice.of(['rotation', 'budget', 'name', 'group', 'enabled']);
  const edited = editing('unknown', (_, resource) => ({ ...resource, unknown: [attribute] }))(days);
  pass(days, LATER);
  return edited;
};

const late: Play = async (days) => {
  // After more than a week, another period may be due at the apply and not at the plan: core rejects that, and nothing is changed.
  const [play, spans] = days.dice.of([
    ...[edit, time, rename].map((each) => [each, [60, ...LATER]] as const),
    [rotation, [60, 3 * DAY]] as const,
  ]);
  const done = await play(days);
  return done && { ...done, title: `${done.title}, applied later`, between: () => void pass(days, spans) };
};

const target: Play = (days) => {
  const found = tryResource(days);
  return found && { title: `${found.label} alone, ${pass(days, LATER)}`, targets: [found.label] };
};

const unrefreshed: Play = (days) => ({ title: `without a refresh, ${pass(days, LATER)}`, isUnrefreshed: true });

const killed: Play = async (days) => {
  const done = await days.dice.of([add, drop, rename, edit, rotation, time, time])(days);
  const kill = { at: 1 + days.dice.below(25), when: days.dice.of(['before', 'after'] as const) };
  return done && { ...done, title: `${done.title}, killed ${JSON.stringify(kill)}`, kill };
};

/** Somebody renames a key. A former one that gets another form is theirs: nothing ends it. */
const renameByHand: Play = (days) => {
  const found = tryKey(days);
  if (found === undefined) return undefined;
  const { record, isCurrent } = found;
  const { name } = record;
  const next = days.dice.of([`theirs-${days.fresh()}`, name.replace(/\d\d$/, '00')]);
  if ([...days.machine.store.records.values()].some((key) => key.name === next)) return undefined;
  record.name = next;
  if (!isCurrent && tryParseGeneration(next) === undefined) {
    days.owners.delete(record.id);
    days.foreign.add(record.id);
  }
  const undo = () => {
    const now = days.machine.store.records.get(record.id);
    if (now) now.name = name;
  };
  return { title: `by hand ${name} becomes ${next}`, undo };
};

const byHand =
  (title: string, act: (days: Days, record: NonNullable<ReturnType<typeof tryKey>>['record']) => void): Play =>
  (days) => {
    const found = tryKey(days);
    if (found === undefined) return undefined;
    act(days, found.record);
    return { title: `by hand ${title} ${found.record.name}` };
  };

const deleteByHand = byHand('delete', ({ machine }, { id }) => void machine.store.records.delete(id));
const statusByHand = byHand('enable or disable', (_, record) => {
  record.status = record.status === 1 ? 2 : 1;
});
const spend = byHand('use', ({ machine }, { id, status, remain_quota: remain }) => {
  if (status === 1 && remain > 20) machine.store.spend(keyId(id), 10);
});

/** Somebody makes a key whose name resembles that of a resource. */
const namesake: Play = (days) => {
  const found = tryResource(days);
  const { store } = days.machine;
  const name = found && days.dice.of([found.resource.name, `${found.resource.name}~`, `${found.resource.name}~20261`]);
  if (!name || [...store.records.values()].some((key) => key.name === name)) return undefined;
  const id = store.seed(live(name, { remain: quota(1000) }));
  days.foreign.add(id);
  return { title: `somebody makes ${name}`, undo: () => void store.records.delete(id) };
};

/** Another run rotates a key out of turn. */
const otherRun: Play = (days) => {
  const found = tryResource(days);
  const current = days.machine.store.records.get(keysOf(days, found?.label ?? '').at(-1) ?? 0);
  if (!found?.resource.rotation || !current?.name.startsWith(found.resource.name)) return undefined;
  const { remain_quota: remain, unlimited_quota: unlimited, group } = current;
  const born = Math.max(minuteOf(days.machine.clock.now), (tryParseGeneration(current.name)?.born ?? 0) + 60);
  const settings = { remain: quota(remain), unlimited, group: String(group) };
  const id = days.machine.store.seed(live(generationName(found.resource.name, { born }), settings));
  days.owners.set(id, found.label);
  return { title: `another run rotates ${found.label}` };
};

const move: Play = (days) => {
  const found = tryResource(days);
  if (found === undefined) return undefined;
  const [from, to] = [found.label, days.fresh()];
  change(days, from, undefined);
  change(days, to, found.resource);
  days.core.states = new Map([...days.core.states].map(([label, state]) => [label === from ? to : label, state]));
  for (const [id, label] of days.owners) if (label === from) days.owners.set(id, to);
  days.states.splice(0);
  return { title: `move ${from} to ${to}` };
};

async function importAgain(days: Days, label: string, by: string): Promise<void> {
  days.core.states.delete(label);
  const { errors } = await days.core.import(label, by);
  if (errors.length > 0) throw new Error(errors.join());
}

/** The state loses a key, which is imported by any of its generations. */
const stateAgain: Play = async (days) => {
  const found = tryKey(days);
  // What the configuration ignores is read from the one key that is imported.
  if (!found?.resource.rotation || found.resource.ignored) return undefined;
  await importAgain(days, found.label, String(found.record.id));
  return { title: `import ${found.label} again by ${found.record.name}` };
};

/** Somebody restores an older state, and imports what it lacks. */
const olderState: Play = async (days) => {
  const [older] = days.states;
  if (older === undefined || [...days.world.values()].some(({ ignored }) => ignored)) return undefined;
  days.core.states = new Map([...older].filter(([label]) => days.world.has(label)));
  for (const label of days.world.keys()) {
    const own = keysOf(days, label);
    const id = own.at(-1);
    if (id === undefined || own.includes(Number(days.core.states.get(label)?.state.id))) continue;
    await importAgain(days, label, String(id));
  }
  return { title: 'restore an older state' };
};

/** A key that stays when it is replaced keeps its name. */
function tryReplaceable(days: Days): string | undefined {
  const { label = '' } = tryResource(days) ?? {};
  const state = days.core.states.get(label)?.state;
  return state && (state.on_destroy ?? 'delete') === 'delete' ? label : undefined;
}

const taint: Play = (days) => {
  const label = tryReplaceable(days);
  const state = label && days.core.states.get(label);
  if (!label || !state) return undefined;
  days.core.states.set(label, { ...state, isTainted: true });
  return { title: `taint ${label}` };
};

const replace: Play = (days) => {
  const label = tryReplaceable(days);
  return label ? ({ title: `replace ${label}`, replaced: [label] } satisfies Step) : undefined;
};

export const STEPS: readonly Play[] = [
  ...[add, drop, rename, edit, rotation, rotation, ignore, time, time, time, time, time, back],
  ...[unknown, late, late, target, unrefreshed, killed, killed, killed, renameByHand, deleteByHand, statusByHand],
  ...[spend, namesake, otherRun, move, stateAgain, olderState, taint, replace],
];
