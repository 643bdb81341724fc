import { KEY_STATUS, NEVER_EXPIRES } from '../../wire/index.ts';
import type { StoredKey } from '../ledger/keys.ts';
import type { LenientRule, ServingFailure } from './kinds.ts';

/** Without the state that only this restriction has brought the key into. */
const enabledAgain = ({ status }: StoredKey, fallen: number): Pick<StoredKey, 'status'> => ({
  status: status === fallen ? KEY_STATUS.enabled : status,
});

/** The key as if one of its restrictions were not there. */
const OVERLOOKED: { readonly [R in LenientRule]: (key: StoredKey) => Partial<StoredKey> } = {
  model: () => ({ model_limits_enabled: false }),
  status: () => ({ status: KEY_STATUS.enabled }),
  expiry: (key) => ({ expired_time: NEVER_EXPIRES, ...enabledAgain(key, KEY_STATUS.expired) }),
  quota: (key) => ({ unlimited_quota: true, ...enabledAgain(key, KEY_STATUS.exhausted) }),
  address: () => ({ allow_ips: '' }),
};

/** The key as this request is judged by: a lenient gateway overlooks one of its restrictions. What is stored stays. */
export const overlookRestriction = (
  key: StoredKey | undefined,
  failure: ServingFailure | undefined,
): StoredKey | undefined => (key && failure?.kind === 'lenient' ? { ...key, ...OVERLOOKED[failure.rule](key) } : key);
