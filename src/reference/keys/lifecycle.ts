import { KEY_STATUS, NEVER_EXPIRES } from '../../wire/index.ts';
import type { StoredKey } from '../ledger/keys.ts';
import type { Messages } from '../profiles/messages.ts';

type ExpiryField = Pick<StoredKey, 'expired_time'>;
type QuotaFields = Pick<StoredKey, 'unlimited_quota' | 'remain_quota'>;

const isExpired = (key: ExpiryField, now: number): boolean =>
  key.expired_time !== NEVER_EXPIRES && key.expired_time <= now;

const isExhausted = (key: QuotaFields): boolean => !key.unlimited_quota && key.remain_quota <= 0;

/**
 * Why a key may not be enabled: its expiry or quota, as stored, forbid it. From state 1 there is nothing to enable.
 * Contract: “API key status”.
 */
export function whyNotEnable(key: StoredKey, now: number): keyof Messages | undefined {
  if (key.status === KEY_STATUS.enabled) return undefined;
  if (isExpired(key, now)) return 'expiredCannotEnable';
  return isExhausted(key) ? 'exhaustedCannotEnable' : undefined;
}

/** The state that a key falls into when it is used now; undefined when it stays. The contract leaves the moment open. */
export function stateOnUse(key: StoredKey, now: number): number | undefined {
  if (key.status !== KEY_STATUS.enabled) return undefined;
  if (isExpired(key, now)) return KEY_STATUS.expired;
  return isExhausted(key) ? KEY_STATUS.exhausted : undefined;
}
