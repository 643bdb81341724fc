import { canonicalJsonText, isPending, NEVER } from '../../../domain/index.ts';
import { isSameValue } from '../../codec/same-value.ts';
import { isWhollyKnown, type ObjectValue, UNKNOWN } from '../../codec/value.ts';
import type { OperationContext, ProposedChange } from '../../provider/definition.ts';
import { attributeType } from '../../provider/schema.ts';
import type { Client } from '../client.ts';
import { lookAt, withOffer } from './compare.ts';
import { findLive, memoryOf } from './find-live.ts';
import { desiredFrom } from './forms.ts';
import { checkOffer, remarkOnChange, remarkOnName, remarkOnNotes } from './plan-warnings.ts';
import { ANY, ANYWHERE, KEY_SCHEMA } from './schema.ts';

const FIGURES = ['status', 'stored_status', 'remaining_quota', 'used_quota'];

const isChanged = (name: string, prior: ObjectValue, planned: ObjectValue): boolean => {
  const attribute = KEY_SCHEMA.attributes[name];
  return attribute !== undefined && !isSameValue(prior[name] ?? null, planned[name] ?? null, attributeType(attribute));
};

/**
 * What moves while a key is used is not known once anything of it changes. Core plans again right before it applies, and
 * by then more may have moved: what was promised now could not be instance.
 */
const open = (planned: ObjectValue): ObjectValue => ({
  ...planned,
  ...Object.fromEntries(FIGURES.map((name) => [name, UNKNOWN])),
});

/** What a new key gets where nothing is written: it is sent so, and not left to the gateway. */
const UNRESTRICTED: ObjectValue = {
  group: null,
  cross_group_retry: false,
  models: [ANY],
  allow_ips: [ANYWHERE],
  expires_at: NEVER,
  budget: null,
  smart_routing_tiers: null,
};

async function planNew(
  { config, planned }: ProposedChange,
  context: OperationContext<Client | undefined>,
): Promise<ObjectValue> {
  const unwritten = Object.entries(UNRESTRICTED).filter(([name]) => (config[name] ?? null) === null);
  const whole = { ...planned, ...Object.fromEntries(unwritten) };
  const { client, warn } = context;
  // A name that is not known yet is no name to judge by.
  if (client === undefined || typeof planned.name !== 'string') return whole;
  const look = await withOffer(await lookAt(desiredFrom(config), undefined, client), client);
  checkOffer(look, client);
  await remarkOnName(planned.name, { ...context, client });
  // A budget that is not known yet is none to miss.
  const notes = look.plan.notes.filter(({ code }) => code !== 'no-budget' || config.budget === null);
  remarkOnNotes(notes, { client, warn });
  remarkOnChange({ planned: whole, look }, { client, warn });
  return whole;
}

/** Tiers that are written otherwise and mean the same stay as they were: core takes the prior value for the written one. */
function sameTiers({ prior, config }: ProposedChange): ObjectValue {
  const [was, is] = [prior?.state.smart_routing_tiers, config.smart_routing_tiers];
  const isSame = typeof was === 'string' && typeof is === 'string' && canonicalJsonText(was) === canonicalJsonText(is);
  return isSame ? { smart_routing_tiers: was } : {};
}

/** What follows from the schema, but for a budget that is written no more: then nobody manages it, and none is instance. */
function declared(planning: ProposedChange): ObjectValue {
  const { prior, config } = planning;
  const planned = { ...planning.planned, ...sameTiers(planning) };
  return config.budget === null && prior && !memoryOf(prior).imported ? { ...planned, budget: null } : planned;
}

/** What changes of a live key: what is written otherwise, and what is not as it is written. @throws DiagnosticError, Fault */
export async function planKey(
  planning: ProposedChange,
  context: OperationContext<Client | undefined>,
): Promise<ObjectValue> {
  const { prior, config } = planning;
  if (prior === undefined) return await planNew(planning, context);
  const { client, warn } = context;
  const planned = declared(planning);
  const isOther =
    !isWhollyKnown(planned) || Object.keys(KEY_SCHEMA.attributes).some((name) => isChanged(name, prior.state, planned));
  const live = client && (await findLive(prior, client));
  if (client === undefined || live === undefined) return isOther ? open(planned) : planned;
  client.run.held.add(live.id);
  const desired = desiredFrom({ ...config, enabled: planned.enabled ?? null }, live.name);
  const look = await withOffer(await lookAt(desired, live, client), client);
  checkOffer(look, client);
  if (!isOther && !look.plan.changes.some(isPending)) return planned;
  remarkOnNotes(look.plan.notes, { client, warn });
  remarkOnChange({ prior: prior.state, planned, look }, { client, warn });
  return open(planned);
}
