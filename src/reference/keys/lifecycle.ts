import { KEY_STATUS, NEVER_EXPIRES } from '../../wire/index.ts';
import type { StoredKey } from '../ledger/keys.ts';
import type { Messages } from '../profiles/messages.ts';

type ExpiryField = Pick<StoredKey, 'expired_time'>;
type QuotaFields = Pick<StoredKey, 'unlimited_quota' | 'remain_quota'>;

const isExpired = (key: ExpiryField, now: number): boolean =>
  key.expired_time !== NEVER_EXPIRES && key.expired_time <= now;

const isExhausted = (key: QuotaFields): boolean => !key.unlimited_quota && key.remain_quota <= 0;

/** Returns the message of the refusal to enable a key; undefined if it may be enabled. */
export type EnableCheck = (key: StoredKey, now: number) => keyof Messages | undefined;

/** The stored expiry and quota must both allow it. A key in status 1 is enabled already. Contract: “API key status”. */
export const checkStoredValues: EnableCheck = (key, now) => {
  if (key.status === KEY_STATUS.enabled) return undefined;
  if (isExpired(key, now)) return 'expiredCannotEnable';
  return isExhausted(key) ? 'exhaustedCannotEnable' : undefined;
};

/** Only the cause of its status must be gone: the expiry of an expired key, the quota of an exhausted one. */
export const checkCause: EnableCheck = (key, now) => {
  if (key.status === KEY_STATUS.expired && isExpired(key, now)) return 'expiredCannotEnable';
  return key.status === KEY_STATUS.exhausted && isExhausted(key) ? 'exhaustedCannotEnable' : undefined;
};

/** The status that a use now moves a key into, if any. The contract leaves the moment open. */
export function statusAfterUse(key: StoredKey, now: number): number | undefined {
  if (key.status !== KEY_STATUS.enabled) return undefined;
  if (isExpired(key, now)) return KEY_STATUS.expired;
  return isExhausted(key) ? KEY_STATUS.exhausted : undefined;
}
