import type { StoredKey } from './bench.ts';
import {
  DAY,
  type Declared,
  hasName,
  inScope,
  isGeneration,
  isMarked,
  PROTECTED,
  QUARANTINE,
  settingsOf,
  type Team,
  wantedOf,
} from './teams.ts';

/** The real history of a key, whatever the gateway remembers of it. */
export interface Fact {
  /** The declaration that it belongs to, also after that was removed. */
  label?: string;
  team?: Team;
  readonly madeAt: number;
  lastUse: number;
  used: number;
  disabledBy?: 'person' | 'run';
  undeclaredAt?: number;
}

/** A run of a command, with the keys that it is asked to change. */
export interface Asked {
  readonly team: Team;
  readonly enables: ReadonlySet<string>;
  readonly rotates: ReadonlySet<string>;
  readonly disables: ReadonlySet<number>;
  readonly deletes: ReadonlySet<number>;
  readonly renames: ReadonlySet<number>;
}

export interface Truth {
  readonly facts: Map<number, Fact>;
  /** The labels whose secrets leaked, with the time from which on generations may end at once. */
  readonly leaked: Set<string>;
  readonly knowsAges: boolean;
  now(): number;
}

type Keys = ReadonlyMap<number, StoredKey>;

interface Scene {
  readonly truth: Truth;
  readonly asked: Asked;
  readonly before: Keys;
  readonly after: Keys;
}

const declaredOf = ({ truth, asked: { team } }: Scene, id: number): Declared | undefined => {
  const fact = truth.facts.get(id);
  return fact?.team === team && fact.label !== undefined ? team.keys.get(fact.label) : undefined;
};

const isProtected = ({ asked: { team } }: Scene, { name }: StoredKey): boolean =>
  name.startsWith(`${team.prefix}-${PROTECTED}`);

const DATE = /~(\d{4})(\d{2})(\d{2})-(\d{2})(\d{2})(?:\+(\d+)([smhd])?)?/;

/** The minute that the name of a generation states, and the overlap of its predecessors. */
function statedIn(name: string): { readonly born?: number; readonly overlap?: number } {
  const [, year, month, day, hour, minute, count, unit = 's'] = DATE.exec(name) ?? [];
  if (year === undefined) return {};
  const born = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`) / 1000;
  const length = { s: 1, m: 60, h: 3600, d: DAY }[unit] ?? 1;
  return { born, ...(count === undefined ? {} : { overlap: Number(count) * length }) };
}

/** The keys of a declaration, the oldest generation first. */
export const generationsOf = ({ facts }: Pick<Truth, 'facts'>, keys: Iterable<StoredKey>, label: string) =>
  [...keys]
    .filter(({ id }) => facts.get(id)?.label === label)
    .sort((a, b) => (statedIn(a.name).born ?? 0) - (statedIn(b.name).born ?? 0) || a.id - b.id);

/** Has a key a successor that works, and may it end? */
function mayEndOld(scene: Scene, key: StoredKey, declared: Declared): boolean {
  const { truth, after } = scene;
  const all = generationsOf(truth, after.values(), declared.label);
  const next = all[all.findIndex(({ id }) => id === key.id) + 1];
  if (next === undefined || all.at(-1)?.status === 2) return false;
  if (truth.leaked.has(declared.label)) return true;
  const { born = 0, overlap = declared.rotate?.overlap ?? 7 * DAY } = statedIn(next.name);
  const began = Math.max(born, truth.knowsAges ? (truth.facts.get(next.id)?.madeAt ?? 0) : 0);
  const quiet = declared.rotate?.quiet ?? DAY;
  const idle = truth.now() - (truth.facts.get(key.id)?.lastUse ?? 0);
  return truth.now() - began >= overlap && idle >= quiet;
}

function mayDisable(scene: Scene, key: StoredKey): boolean {
  const { asked } = scene;
  const declared = declaredOf(scene, key.id);
  if (asked.disables.has(key.id)) return true;
  if (declared === undefined)
    return inScope(asked.team, key) && asked.team.prune !== 'never' && !isProtected(scene, key);
  return !declared.enabled || mayEndOld(scene, key, declared);
}

function mayDelete(scene: Scene, key: StoredKey): boolean {
  const { asked, truth, after } = scene;
  const { team } = asked;
  if (asked.deletes.has(key.id)) return true;
  const declared = declaredOf(scene, key.id);
  const fact = truth.facts.get(key.id);
  const isTwin = [...after.values()].some(({ name, user_id }) => name === key.name && user_id === key.user_id);
  if (isTwin && fact?.used === 0) return true;
  if (declared !== undefined) {
    const all = generationsOf(truth, [...after.values(), key], declared.label);
    return key.status === 2 && all.at(-1)?.id !== key.id;
  }
  if (!inScope(team, key) || isProtected(scene, key)) return false;
  if (team.prune === 'delete') return true;
  const waited = truth.now() - Math.max(fact?.undeclaredAt ?? fact?.madeAt ?? 0, fact?.lastUse ?? 0);
  return team.prune === 'quarantine' && key.status === 2 && isMarked(key.name) && waited >= QUARANTINE;
}

function mayEnable(scene: Scene, key: StoredKey): boolean {
  const declared = declaredOf(scene, key.id);
  if (declared === undefined || !declared.enabled) return false;
  if (scene.asked.enables.has(declared.label)) return true;
  return isMarked(key.name) && scene.truth.facts.get(key.id)?.disabledBy === 'run';
}

function mayRename(scene: Scene, key: StoredKey, name: string): boolean {
  const { asked } = scene;
  if (asked.renames.has(key.id)) return true;
  const declared = declaredOf(scene, key.id);
  if (declared)
    return (
      hasName(declared.name, name) &&
      !isMarked(name) &&
      (isGeneration(key.name) || !isGeneration(name) || isMarked(key.name))
    );
  return asked.team.prune === 'quarantine' && isMarked(name) && inScope(asked.team, key) && !isProtected(scene, key);
}

/** Everything that a run may not have done to a key that is still there. */
function changesOf(scene: Scene, was: StoredKey, is: StoredKey): readonly string[] {
  const declared = declaredOf(scene, was.id);
  const wanted = declared ? wantedOf(declared) : {};
  const [former, latter] = [settingsOf(was), settingsOf(is)];
  const settings = Object.keys(latter).filter((name) => latter[name] !== former[name] && wanted[name] !== latter[name]);
  const isMoved = was.remain_quota !== is.remain_quota || was.unlimited_quota !== is.unlimited_quota;
  return [
    ...(was.key === is.key ? [] : ['got another secret']),
    ...(was.status !== 2 && is.status === 2 && !mayDisable(scene, was) ? ['was disabled'] : []),
    ...(was.status === 2 && is.status !== 2 && !mayEnable(scene, was) ? ['was enabled'] : []),
    ...(was.name !== is.name && !mayRename(scene, was, is.name) ? [`was renamed to ${is.name}`] : []),
    ...settings.map((name) => `has ${name} ${String(latter[name])} instead of ${String(former[name])}`),
    ...(isMoved && !mayHold(declared, was, is) ? [`holds ${is.remain_quota} instead of ${was.remain_quota}`] : []),
  ];
}

/** A debt cannot be written. */
function mayHold(declared: Declared | undefined, was: StoredKey, is: StoredKey): boolean {
  if (declared === undefined) return was.remain_quota < 0 && is.remain_quota === 0;
  return is.unlimited_quota
    ? declared.budget.most === Number.POSITIVE_INFINITY
    : is.remain_quota <= declared.budget.most;
}

const isTouchedBy = ({ asked: { team, deletes }, truth }: Scene, key: StoredKey): boolean =>
  inScope(team, key) || truth.facts.get(key.id)?.team === team || deletes.has(key.id);

/** A run made this key: it belongs to a declaration that had none, or whose key is being replaced. */
function creationOf(scene: Scene, key: StoredKey): readonly string[] {
  const { truth, asked, before } = scene;
  const account = asked.team.seat.account === 0 ? 42 : 43;
  const declared = [...asked.team.keys.values()].find(({ name }) => hasName(name, key.name));
  truth.facts.set(key.id, { madeAt: truth.now(), lastUse: 0, used: 0 });
  if (declared === undefined || key.user_id !== account || isMarked(key.name))
    return ['was created although nobody declares it'];
  const former = generationsOf(truth, before.values(), declared.label);
  truth.facts.set(key.id, {
    label: declared.label,
    team: asked.team,
    madeAt: truth.now(),
    lastUse: 0,
    used: 0,
    ...(declared.enabled ? {} : { disabledBy: 'run' }),
  });
  const current = former.at(-1);
  if (current === undefined || asked.rotates.has(declared.label)) return [];
  const birth = statedIn(current.name).born ?? (truth.knowsAges ? truth.facts.get(current.id)?.madeAt : undefined) ?? 0;
  const isDue = declared.rotate !== undefined && truth.now() - birth >= declared.rotate.every;
  return isDue && isGeneration(key.name) ? [] : [`is a twin of ${current.id} (${current.name})`];
}

/** Compares what a run did with what it may do, and learns from it. */
export function judge(truth: Truth, asked: Asked, before: Keys, after: Keys): readonly string[] {
  const scene: Scene = { truth, asked, before, after };
  const made = [...after.values()].filter(({ id }) => !before.has(id));
  const creations = made.flatMap((key) => creationOf(scene, key).map((what) => `key ${key.id} (${key.name}) ${what}`));
  const problems = [...before.values()].flatMap((was) => {
    const is = after.get(was.id);
    const about = `key ${was.id} (${was.name})`;
    if (!isTouchedBy(scene, was)) {
      return JSON.stringify(was) === JSON.stringify(is)
        ? []
        : [`${about} of others was changed: ${JSON.stringify(is)}`];
    }
    if (is === undefined) return mayDelete(scene, was) ? [] : [`${about} was deleted`];
    return changesOf(scene, was, is).map((what) => `${about} ${what}`);
  });
  for (const is of after.values()) {
    const [fact, was] = [truth.facts.get(is.id), before.get(is.id)];
    if (!fact || !was) continue;
    if (was.status !== 2 && is.status === 2) fact.disabledBy = 'run';
    if (is.status !== 2) delete fact.disabledBy;
  }
  return [...problems, ...creations];
}
