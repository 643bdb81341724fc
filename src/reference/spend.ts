import { LOG_TYPE } from '../wire/index.ts';
import { admit, type UseRefusal } from './admission.ts';
import type { ModelPrice } from './catalog.ts';
import type { Account } from './ledger/accounts.ts';
import type { StoredKey } from './ledger/keys.ts';
import type { StoredEntry } from './ledger/log.ts';
import { REQUEST_ID_LENGTH, randomText } from './random.ts';
import type { Site } from './site.ts';

/** One request that an API key pays for. */
export interface Expense {
  readonly keyId: number;
  /** What it costs, in quota units. */
  readonly quota: number;
  /** What must be there before it begins; below `quota` a key or a wallet can be overdrawn. Default: `quota`. */
  readonly precharge?: number | undefined;
  readonly model?: string | undefined;
  readonly address: string;
  readonly promptTokens?: number | undefined;
  readonly completionTokens?: number | undefined;
}

export interface Receipt {
  readonly requestId: string;
  readonly charged: number;
  readonly remain: number;
  readonly used: number;
  readonly wallet: number;
}

/**
 * An inference use and its bill: key, wallet and log entry move together or not at all. A refused use costs nothing,
 * but moves an expired or exhausted key to its state.
 */
export function spend(site: Site, expense: Expense): Receipt | { readonly refusal: UseRefusal } {
  const { ledger } = site;
  return ledger.transact(() => {
    const admission = admit(site, ledger.keys.tryFindById(expense.keyId), expense);
    if ('refusal' in admission) return admission;
    const { key, account } = admission;
    const needed = expense.precharge ?? expense.quota;
    if (account.quota <= 0 || account.quota < needed) return { refusal: 'walletEmpty' };
    if (!key.unlimited_quota && key.remain_quota < needed) return { refusal: 'keyQuotaLow' };
    const requestId = randomText(site.random, REQUEST_ID_LENGTH);
    ledger.accounts.charge(account.user_id, expense.quota);
    ledger.keys.charge(key.id, expense.quota, site.clock.now());
    ledger.log.append(entryOf(site, admission, { ...expense, requestId }));
    return {
      requestId,
      charged: expense.quota,
      remain: key.remain_quota - expense.quota,
      used: key.used_quota + expense.quota,
      wallet: account.quota - expense.quota,
    };
  });
}

type Admitted = { readonly key: StoredKey; readonly account: Account; readonly group: string };

function entryOf(
  site: Site,
  { key, account, group }: Admitted,
  expense: Expense & { requestId: string },
): Omit<StoredEntry, 'id'> {
  return {
    user_id: account.user_id,
    created_at: site.clock.now(),
    type: LOG_TYPE.consumption,
    content: '',
    username: account.username,
    token_name: key.name,
    model_name: expense.model ?? '',
    quota: expense.quota,
    prompt_tokens: expense.promptTokens ?? 0,
    completion_tokens: expense.completionTokens ?? 0,
    use_time: 0,
    is_stream: false,
    channel: 1,
    channel_name: '',
    token_id: key.id,
    group,
    ip: expense.address,
    request_id: expense.requestId,
    other: JSON.stringify(billing(site.catalog.models[expense.model ?? ''], site.catalog.groups[group]?.ratio ?? 1)),
  };
}

/** Every key of the contract's “Keys inside `other`”. */
const billing = (price: ModelPrice | undefined, groupRatio: number | string) => ({
  billing_source: 'wallet',
  model_price: price?.price ?? -1,
  model_ratio: price?.ratio ?? 1,
  cache_ratio: price?.cacheRatio ?? 1,
  cache_tokens: 0,
  completion_ratio: price?.completionRatio ?? 1,
  group_ratio: groupRatio,
  user_group_ratio: -1,
  reasoning_effort: '',
  request_conversion: [],
  request_path: '/v1/chat/completions',
  frt: 0,
});
