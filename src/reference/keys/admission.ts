import { KEY_STATUS } from '../../wire/index.ts';
import { groupsOf, modelsOf } from '../catalog.ts';
import type { GatewayContext } from '../context.ts';
import type { Account } from '../ledger/accounts.ts';
import type { StoredKey } from '../ledger/keys.ts';
import { isAddressAllowed } from './addresses.ts';
import { stateOnUse } from './lifecycle.ts';

/** Why an inference use is refused, in the order in which it is found out. */
export type UseRefusal =
  | 'invalidKey'
  | 'addressDenied'
  | 'groupDenied'
  | 'modelDenied'
  | 'noChannel'
  | 'noPrice'
  | 'walletEmpty'
  | 'keyQuotaLow';

interface KeyUse {
  readonly address: string;
  /** Absent: a use that names no model, as the listing of models. */
  readonly model?: string | undefined;
}

/** Whose use it is, as it stood when it was let in. */
export interface Admitted {
  readonly key: StoredKey;
  readonly account: Account;
  /** The group that it is charged in. */
  readonly group: string;
}

type Admission = Admitted | { readonly refusal: UseRefusal };

/** The allowlist, split on commas without trimming; undefined: any model. */
const allowlistOf = (key: StoredKey): readonly string[] | undefined =>
  key.model_limits_enabled ? key.model_limits.split(',').filter((id) => id !== '') : undefined;

/** The models that this key may use: those of its account, narrowed by its allowlist. */
export function usableModels(context: GatewayContext, account: Account, key: StoredKey): readonly string[] {
  const allowlist = allowlistOf(key);
  return modelsOf(context.catalog, account).filter((id) => allowlist?.includes(id) ?? true);
}

/**
 * May this key be used so? Moves it to state 3 or 4 when this use finds it expired or exhausted: call it within a
 * transaction. Contract: “Inference and media API”, key restrictions.
 */
export function admit(context: GatewayContext, found: StoredKey | undefined, use: KeyUse): Admission {
  if (found === undefined) return { refusal: 'invalidKey' };
  const fallen = stateOnUse(found, context.clock.now());
  if (fallen !== undefined) context.ledger.keys.setStatus(found.id, fallen);
  const account = context.ledger.accounts.tryFind(found.user_id);
  if (fallen !== undefined || found.status !== KEY_STATUS.enabled || account === undefined)
    return { refusal: 'invalidKey' };
  if (!isAddressAllowed(found.allow_ips, use.address)) return { refusal: 'addressDenied' };
  const group = found.group || account.group;
  if (!groupsOf(context.catalog, account).includes(group)) return { refusal: 'groupDenied' };
  const refusal = use.model === undefined ? undefined : modelRefusal(context, { account, key: found }, use.model);
  return refusal ? { refusal } : { key: found, account, group };
}

function modelRefusal(
  context: GatewayContext,
  { account, key }: { account: Account; key: StoredKey },
  model: string,
): UseRefusal | undefined {
  if (allowlistOf(key)?.includes(model) === false) return 'modelDenied';
  if (!modelsOf(context.catalog, account).includes(model)) return 'noChannel';
  return context.catalog.models[model]?.priced === false ? 'noPrice' : undefined;
}
