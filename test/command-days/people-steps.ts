import type { Days } from './days.ts';
import { liveGenerations, liveOf, type Step, tryDeclared } from './step.ts';
import { DAY, hasName, heldOf, inScope, overwrite } from './teams.ts';

/** By people, behind the back of everybody. */

const FOREIGN: readonly [object, ...object[]] = [{ remain_quota: 1000 }, { unlimited_quota: true }];

const foreign: Step = async (days, team) => {
  const name = `theirs-${days.fresh()}`;
  await days.bench.create(team.seat.account, { name, expired_time: -1, ...days.chance.pick(FOREIGN) });
  await learn(days);
  return `somebody creates ${name}`;
};

/** Keys that somebody made. */
async function learn({ bench, truth, teams }: Days): Promise<void> {
  for (const key of await bench.keys()) {
    if (truth.facts.has(key.id)) continue;
    const team = teams.find((each) => inScope(each, key));
    const declared = team && [...team.keys.values()].find(({ name }) => hasName(name, key.name));
    const about = { madeAt: bench.now(), lastUse: 0, used: 0 };
    truth.facts.set(key.id, declared ? { ...about, team, label: declared.label } : about);
  }
}

/** Somebody makes a key with a declared name: where there is one already, a twin. */
const twin: Step = async (days, team) => {
  const declared = tryDeclared(days, team);
  if (!declared || declared.id !== undefined) return undefined;
  const live = await liveGenerations(days, declared);
  if (live.some(({ name }) => name !== declared.name)) return undefined;
  await days.bench.create(team.seat.account, { name: declared.name, expired_time: -1, remain_quota: 1000 });
  await learn(days);
  return `somebody creates another ${declared.name}`;
};

const undeclared: Step = async (days, team) => {
  const name = `${team.prefix}-${days.fresh()}`;
  await days.bench.create(team.seat.account, { name, expired_time: -1, remain_quota: 1000 });
  await learn(days);
  return `somebody creates ${name}`;
};

const BY_HAND: readonly [object, ...object[]] = [
  { group: 'vip' },
  { group: 'default' },
  { allow_ips: '10.9.8.7' },
  { model_limits_enabled: true, model_limits: 'alpha-chat-1' },
  { expired_time: 2_082_758_400 },
  { remain_quota: 0 },
  { remain_quota: 77_000_000 },
];

const byHand: Step = async (days, team) => {
  const key = await liveOf(days, team);
  if (!key) return undefined;
  const fields = days.chance.pick(BY_HAND);
  await days.bench.edit(key.id, fields);
  return `somebody sets ${JSON.stringify(fields)} of ${key.name} (${key.id})`;
};

const disableByHand: Step = async (days, team) => {
  const key = await liveOf(days, team);
  const fact = key && days.truth.facts.get(key.id);
  if (!key || key.status === 2 || !fact) return undefined;
  await days.bench.edit(key.id, { status: 2 });
  fact.disabledBy = 'person';
  return `somebody disables ${key.name} (${key.id})`;
};

const enableByHand: Step = async (days, team) => {
  const key = await liveOf(days, team);
  const fact = key && days.truth.facts.get(key.id);
  if (key?.status !== 2 || !fact) return undefined;
  await days.bench.edit(key.id, { status: 1 });
  delete fact.disabledBy;
  return `somebody enables ${key.name} (${key.id})`;
};

const deleteByHand: Step = async (days, team) => {
  const key = await liveOf(days, team);
  if (!key) return undefined;
  await days.bench.remove(key);
  return `somebody deletes ${key.name} (${key.id})`;
};

const renameByHand: Step = async (days, team) => {
  const key = await liveOf(days, team);
  const fact = key && days.truth.facts.get(key.id);
  if (!key || !fact) return undefined;
  // Who adopts a key by its ID renames it again.
  if ([...team.keys.values()].some(({ renamedFrom }) => typeof renamedFrom === 'object')) return undefined;
  const name = `${days.chance.pick(['theirs', team.prefix])}-${days.fresh()}`;
  await days.bench.edit(key.id, { name });
  delete fact.label;
  delete fact.team;
  fact.undeclaredAt = days.bench.now();
  return `somebody renames ${key.name} (${key.id}) to ${name}`;
};

const spend: Step = async (days, team) => {
  const key = await liveOf(days, team);
  const fact = key && days.truth.facts.get(key.id);
  if (!key || !fact) return undefined;
  const units = 1 + days.chance.number(900_000);
  if (!(await days.bench.use(key.id, units))) return undefined;
  fact.lastUse = days.bench.now();
  fact.used += units;
  return `${key.name} (${key.id}) uses ${units}`;
};

const pass: Step = ({ bench, chance }) => {
  const seconds = chance.pick([600, 3600, DAY / 2, DAY, 3 * DAY, 7 * DAY, 20 * DAY]);
  bench.pass(seconds);
  return `${seconds / 3600} hours pass`;
};

const overwriteSecret: Step = async (days, team) => {
  const declared = tryDeclared(days, team);
  if (!declared?.isDelivered || (await heldOf(days.bench, team, declared)) === undefined) return undefined;
  await overwrite(days.bench, team, declared, 'sk-somebody-else');
  return `somebody overwrites the secret of ${declared.name}`;
};

export const PEOPLE: readonly [Step, ...Step[]] = [
  ...[byHand, byHand, disableByHand, enableByHand, deleteByHand, renameByHand, spend, spend, pass, pass, pass],
  ...[foreign, undeclared, twin, overwriteSecret],
] as [Step, ...Step[]];
