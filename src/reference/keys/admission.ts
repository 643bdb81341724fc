import { KEY_STATUS } from '../../wire/index.ts';
import { groupsOf, modelsOf } from '../catalog.ts';
import type { GatewayContext } from '../context.ts';
import type { StoredAccount } from '../ledger/accounts.ts';
import type { StoredKey } from '../ledger/keys.ts';
import { isAddressAllowed } from './addresses.ts';
import { statusAfterUse } from './lifecycle.ts';

/** The reasons for refusing an inference use, in the order in which they are checked. */
export type UseRefusal =
  | 'invalidKey'
  | 'addressDenied'
  | 'userBanned'
  | 'groupDenied'
  | 'channelDenied'
  | 'modelDenied'
  | 'noChannel'
  | 'noPrice'
  | 'walletEmpty'
  | 'keyQuotaLow';

interface KeyUse {
  readonly address: string;
  /** Omitted for a use that names no model, such as listing the models. */
  readonly model?: string | undefined;
  /** Does its credential name a channel? No user of this gateway is an administrator. */
  readonly choosesChannel?: boolean;
}

/** The key and the account of an admitted use, as they were at that moment. */
export interface Admitted {
  readonly key: StoredKey;
  readonly account: StoredAccount;
  /** The group whose ratio is charged. */
  readonly group: string;
}

export type Admission = Admitted | { readonly refusal: UseRefusal };

/** The allowlist, split on commas without trimming; undefined if every model is allowed. */
const allowlistOf = (key: StoredKey): readonly string[] | undefined =>
  key.model_limits_enabled ? key.model_limits.split(',').filter((id) => id !== '') : undefined;

/** Is a request that names no model refused to a key with an allowlist? */
export const lacksAllowedModel = ({ profile }: GatewayContext, key: StoredKey): boolean =>
  profile.limitsWithoutModel && allowlistOf(key) !== undefined;

/** The models that this key may use: those of its account that its allowlist contains. */
export function usableModels(context: GatewayContext, account: StoredAccount, key: StoredKey): readonly string[] {
  const allowlist = allowlistOf(key);
  return modelsOf(context.catalog, account).filter((id) => allowlist?.includes(id) ?? true);
}

/**
 * Decides whether a key may be used. Moves it to status 3 or 4 if it has expired or is exhausted, so call it within a
 * transaction. Contract: “Inference and media API”, key restrictions.
 */
export function admit(context: GatewayContext, found: StoredKey | undefined, use: KeyUse): Admission {
  if (found === undefined) return { refusal: 'invalidKey' };
  const fallen = statusAfterUse(found, context.clock.now());
  if (fallen !== undefined) context.ledger.keys.setStatus(found.id, fallen);
  const account = context.ledger.accounts.tryFind(found.user_id);
  if (fallen !== undefined || found.status !== KEY_STATUS.enabled || account === undefined)
    return { refusal: 'invalidKey' };
  if (!isAddressAllowed(found.allow_ips, use.address)) return { refusal: 'addressDenied' };
  if (account.banned) return { refusal: 'userBanned' };
  const group = found.group || account.group;
  if (!groupsOf(context.catalog, account).includes(group)) return { refusal: 'groupDenied' };
  if (use.choosesChannel) return { refusal: 'channelDenied' };
  const refusal = use.model === undefined ? undefined : modelRefusal(context, { account, key: found }, use.model);
  return refusal ? { refusal } : { key: found, account, group };
}

function modelRefusal(
  context: GatewayContext,
  { account, key }: { account: StoredAccount; key: StoredKey },
  model: string,
): UseRefusal | undefined {
  if (allowlistOf(key)?.includes(model) === false) return 'modelDenied';
  if (!modelsOf(context.catalog, account).includes(model)) return 'noChannel';
  return context.catalog.models[model]?.priced === false ? 'noPrice' : undefined;
}
