import type { ObjectValue } from '../../codec/value.ts';
import { type Kept, Refused, type Surroundings } from '../../provider/definition.ts';
import type { Client } from '../client.ts';
import { findKey } from '../find-key.ts';
import { desiredFrom } from './forms.ts';
import { isAsDeclared, lookAt } from './look.ts';
import { checkAccount, findLive, memoryOf, rememberedFor } from './same-key.ts';
import { declaredState, enabledState, figuresOf, importedState } from './state.ts';

const FIGURES = ['status', 'stored_status', 'remaining_quota', 'used_quota'] as const;

/** The figures of a key that is as declared stay as they were: what it consumes is no drift. */
function settled(prior: ObjectValue): ObjectValue | undefined {
  const kept = Object.fromEntries(FIGURES.map((figure) => [figure, prior[figure] ?? null]));
  return kept.status === null ? undefined : kept;
}

/** What became of a key. Undefined: it is gone. @throws Refused, Fault */
export async function readKey(kept: Kept, { client }: Surroundings<Client>): Promise<Kept | undefined> {
  const key = await findLive(kept, client);
  if (key === undefined) return undefined;
  const { state } = kept;
  const memory = rememberedFor(client);
  const seen = { key, quotaPerUnit: await client.store.quotaPerUnit(), now: client.now() };
  // Only its id is known of what was moved here from another provider, or whose create was lost.
  if (state.enabled === null || memoryOf(kept).lost !== undefined) return { state: importedState(seen), ...memory };
  const look = await lookAt(desiredFrom(state, key.name), key, client);
  const figures = (isAsDeclared(look) && settled(state)) || figuresOf(seen);
  const enabled = enabledState(state.enabled !== false, look.plan, seen);
  return { state: { ...declaredState(state, seen), enabled, ...figures }, ...memory };
}

const FORMS = 'Write its id, `7`, or `name=prod-checkout`.';

/** `7`, `id=7` or `name=prod-checkout`. @throws Refused */
function askedFor(text: string): { readonly id: number } | { readonly name: string } {
  const [, field, value = ''] = /^(?:(id|name)=)?(.*)$/su.exec(text) ?? [];
  if (field === 'name' && value !== '') return { name: value };
  if (field !== 'name' && /^[1-9]\d{0,14}$/.test(value)) return { id: Number(value) };
  throw new Refused({ summary: `${JSON.stringify(text)} says no key`, detail: FORMS });
}

/** A live key as if Terraform had made it. @throws Refused, Fault */
export async function importKey(by: string | ObjectValue, { client }: Surroundings<Client>): Promise<Kept> {
  const memory = rememberedFor(client);
  if (typeof by !== 'string' && typeof by.user_id === 'number') {
    checkAccount({ state: by, private: { userId: by.user_id } }, client);
  }
  const asked = typeof by === 'string' ? askedFor(by) : { id: Number(by.id) };
  const key = await findKey(asked, client);
  const seen = { key, quotaPerUnit: await client.store.quotaPerUnit(), now: client.now() };
  return { state: importedState(seen), ...memory };
}
