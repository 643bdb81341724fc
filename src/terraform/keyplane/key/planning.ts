import { type Change, isPending, type KeySettings, type Note } from '../../../domain/index.ts';
import { guard, type Refusal } from '../../../reconcile/index.ts';
import { isSameValue } from '../../codec/same-value.ts';
import { isUnknown, type ObjectValue, UNKNOWN } from '../../codec/value.ts';
import { type Planning, Refused, type Remark, type Surroundings } from '../../provider/definition.ts';
import { attributeType } from '../../provider/schema.ts';
import type { Client } from '../client.ts';
import { desiredFrom } from './forms.ts';
import { type Look, lookAt, withOffer } from './look.ts';
import { findLive } from './same-key.ts';
import { KEY_SCHEMA } from './schema.ts';

const STATUSES = ['status', 'stored_status'];
const QUOTAS = ['remaining_quota', 'used_quota'];

/** Settings whose edit moves figures, and which figures those are. */
const MOVES: Partial<Record<keyof KeySettings, readonly string[]>> = {
  unlimited: [...STATUSES, ...QUOTAS],
  remain: [...STATUSES, ...QUOTAS],
  expires: STATUSES,
};

/** The figures that a change will have moved. */
function movedBy(change: Change): readonly string[] {
  if (change.verb === 'enable' || change.verb === 'disable') return STATUSES;
  return 'edits' in change ? change.edits.flatMap(({ field }) => MOVES[field] ?? []) : [];
}

/** The attributes whose change alone tells, while nobody can be asked. */
const TELLING: Readonly<Record<string, readonly string[]>> = {
  enabled: STATUSES,
  expires_at: STATUSES,
  budget: [...STATUSES, ...QUOTAS],
};

const isChanged = (name: string, prior: ObjectValue, planned: ObjectValue): boolean => {
  const attribute = KEY_SCHEMA.attributes[name];
  return attribute !== undefined && !isSameValue(prior[name] ?? null, planned[name] ?? null, attributeType(attribute));
};

const open = (planned: ObjectValue, names: readonly string[]): ObjectValue => ({
  ...planned,
  ...Object.fromEntries(names.map((name) => [name, UNKNOWN])),
});

const ESCAPES: Partial<Record<Refusal['code'], { readonly path: string; readonly argument: string }>> = {
  'guard.unknown-group': { path: 'group', argument: 'allow_unknown_groups' },
  'guard.unknown-model': { path: 'models', argument: 'allow_unknown_models' },
};

/** What the account does not have is found while planning, at the attribute that asks for it. @throws Refused */
function checkOffer({ plan, desired, observed }: Look, { limits }: Client): void {
  const refused = guard(plan, { desired, observed }, limits).map(({ code, message }) => {
    const way = ESCAPES[code];
    if (way === undefined) return { summary: message };
    const detail = `If it is right nevertheless, set \`${way.argument} = true\` in the provider.`;
    return { summary: message, detail, path: [way.path] };
  });
  if (refused.length > 0) throw new Refused(...refused);
}

const PATHS: Partial<Record<Note['code'], string>> = {
  'expired-as-declared': 'expires_at',
  'no-budget': 'budget',
  'groups-unverified': 'group',
  'models-unverified': 'models',
  'case-differs': 'name',
};

/** Worth a warning: what a plan notes of a key that is to be made or changed. */
function remarkOn({ code, message }: Note): Omit<Remark, 'severity'> {
  const path = PATHS[code];
  const summary = message.charAt(0).toUpperCase() + message.slice(1);
  return { summary, ...(path === undefined ? {} : { path: [path] }) };
}

async function planNew({ config, planned }: Planning, { client, warn }: Surroundings<Client | undefined>) {
  // Nobody manages what is not written, and nothing will be known of it.
  const whole = config.budget === null ? { ...planned, budget: null } : planned;
  // A name that is not known yet is no name to judge by.
  if (client === undefined || isUnknown(planned.name ?? null)) return whole;
  const look = await withOffer(await lookAt(desiredFrom(config), undefined, client), client);
  checkOffer(look, client);
  const isUndeclared = config.budget === null;
  for (const note of look.plan.notes) {
    if (note.code !== 'no-budget' || isUndeclared) warn(remarkOn(note));
  }
  return whole;
}

/** What changes of a live key: what is written otherwise, and what is not as it is written. @throws Refused, Fault */
export async function planKey(planning: Planning, around: Surroundings<Client | undefined>): Promise<ObjectValue> {
  const { prior, config, planned } = planning;
  if (prior === undefined) return await planNew(planning, around);
  const { client, warn } = around;
  const changed = Object.keys(TELLING).filter((name) => isChanged(name, prior.state, planned));
  const live = client && (await findLive(prior, client));
  if (client === undefined || live === undefined)
    return open(
      planned,
      changed.flatMap((name) => TELLING[name] ?? []),
    );
  const desired = desiredFrom({ ...config, enabled: planned.enabled ?? null }, live.name);
  const look = await withOffer(await lookAt(desired, live, client), client);
  checkOffer(look, client);
  const pending = look.plan.changes.filter(isPending);
  if (pending.length > 0) for (const note of look.plan.notes) warn(remarkOn(note));
  return open(planned, pending.flatMap(movedBy));
}
