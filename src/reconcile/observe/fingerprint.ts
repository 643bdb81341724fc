import { createHash } from 'node:crypto';
import { canonicalJson, type ObservedKey, type ObservedState, renderDecimal } from '../../domain/index.ts';
import { comparable } from '../plan/diff.ts';

/** Returns remainder plus use, which traffic does not change: the grant. Null where the use is unknown. */
export const granted = (key: Pick<ObservedKey, 'remain' | 'used' | 'unlimited'>): number | null =>
  key.unlimited || key.used === undefined ? null : key.remain + key.used;

/** SHA-256 over what was observed of these keys and the rate, in any order, without what consumption moves. */
export function fingerprint(observed: ObservedState, keys: readonly ObservedKey[]): string {
  const facts = [...keys]
    .sort((a, b) => a.id - b.id)
    .map((key) => ({ ...comparable(key), remain: granted(key), id: key.id, disabled: key.status === 'disabled' }));
  const text = canonicalJson({ account: observed.account, rate: renderDecimal(observed.quotaPerUnit), facts });
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
