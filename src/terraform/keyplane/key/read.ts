import type { ObservedKey } from '../../../domain/index.ts';
import type { ObjectValue } from '../../codec/value.ts';
import type { OperationContext, ResourceInstance } from '../../provider/definition.ts';
import { DiagnosticError } from '../../provider/diagnostics.ts';
import type { Client } from '../client.ts';
import { findKey } from '../find-key.ts';
import { isAsDeclared, lookAt } from './compare.ts';
import { checkAccount, findLive, memoryOf, rememberedFor } from './find-live.ts';
import { desiredFrom } from './forms.ts';
import { remarkOnNotes } from './plan-warnings.ts';
import { declaredState, enabledState, figuresOf, importedState, type Seen } from './state.ts';

const CONSUMED = ['remaining_quota', 'used_quota'] as const;

/** What a key consumes is no drift: of one that is as declared it stays as it was. What the key is, is told always. */
function figuresAfter(prior: ObjectValue, seen: Seen, isDeclared: boolean): ObjectValue {
  const now = figuresOf(seen);
  if (!isDeclared || (prior.status ?? null) === null) return now;
  return { ...now, ...Object.fromEntries(CONSUMED.map((figure) => [figure, prior[figure] ?? null])) };
}

/** Where the log is too long to judge a budget by, nothing is judged: a plan that needs it says so. */
const unlessTooLong = (thrown: unknown): undefined => {
  if (thrown instanceof DiagnosticError) return undefined;
  throw thrown;
};

/** One key in two resources would be renamed back and forth for ever. */
function remarkOnHolder(key: ObservedKey, { client, warn }: OperationContext<Client>): void {
  const { held } = client.run;
  if (held.has(key.id)) {
    const summary = `The key ${key.id} (${JSON.stringify(key.name)}) is in two resources`;
    warn({ summary, detail: 'Forget one of them with a `removed` block or `terraform state rm`.' });
  }
  held.add(key.id);
}

/** What became of a key. Undefined: it is gone. @throws DiagnosticError, Fault */
export async function readKey(
  instance: ResourceInstance,
  context: OperationContext<Client>,
): Promise<ResourceInstance | undefined> {
  const { client, warn } = context;
  const key = await findLive(instance, client);
  if (key === undefined) return undefined;
  remarkOnHolder(key, context);
  const { state } = instance;
  const { imported, lost } = memoryOf(instance);
  const memory = rememberedFor(client, imported ? { imported } : {});
  const seen = { key, quotaPerUnit: await client.store.quotaPerUnit(), now: client.now() };
  // Only its id is known of what was moved here from another provider, or whose create was lost.
  if (state.enabled === null || lost !== undefined) return { state: importedState(seen), ...memory };
  const look = await lookAt(desiredFrom(state, key.name), key, client).catch(unlessTooLong);
  const isDeclared = look === undefined || isAsDeclared(look);
  const wasEnabled = state.enabled !== false;
  const enabled = look === undefined ? wasEnabled : enabledState(wasEnabled, look.plan, seen);
  if (isDeclared) remarkOnNotes(look?.plan.notes ?? [], { client, warn });
  return { state: { ...declaredState(state, seen), enabled, ...figuresAfter(state, seen, isDeclared) }, ...memory };
}

const FORMS = 'Write its id, `7`, or `name=prod-checkout`.';

/** `7`, `id=7` or `name=prod-checkout`. @throws DiagnosticError */
function askedFor(text: string): { readonly id: number } | { readonly name: string } {
  const [, field, value = ''] = /^(?:(id|name)=)?(.*)$/su.exec(text) ?? [];
  if (field === 'name' && value !== '') return { name: value };
  if (field !== 'name' && /^[1-9]\d{0,14}$/.test(value)) return { id: Number(value) };
  throw new DiagnosticError({ summary: `${JSON.stringify(text)} says no key`, detail: FORMS });
}

/** A live key as if Terraform had made it. @throws DiagnosticError, Fault */
export async function importKey(
  by: string | ObjectValue,
  { client }: OperationContext<Client>,
): Promise<ResourceInstance> {
  const memory = rememberedFor(client, { imported: true });
  if (typeof by !== 'string' && typeof by.user_id === 'number') {
    checkAccount({ state: by, private: { userId: by.user_id } }, client);
  }
  const asked = typeof by === 'string' ? askedFor(by) : { id: Number(by.id) };
  const key = await findKey(asked, client);
  const seen = { key, quotaPerUnit: await client.store.quotaPerUnit(), now: client.now() };
  return { state: importedState(seen), ...memory };
}
