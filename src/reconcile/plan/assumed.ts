import {
  type AccountRef,
  type Decimal,
  type DesiredState,
  type KeyId,
  keyId,
  type ObservedKey,
  type ObservedState,
  type UnixSeconds,
} from '../../domain/index.ts';
import { settingsOfNew } from './diff.ts';

/** The facts that cannot be read without a gateway. */
export interface AssumedAccount {
  readonly account: AccountRef;
  readonly quotaPerUnit: Decimal;
}

/**
 * Returns the state of an account whose keys are exactly as an earlier manifest declares them, and unused: what a plan can be
 * compared with where no gateway may be asked. IDs that are not declared are made up.
 *
 * @param now the time at which they are taken to have been created, so that none is due for rotation
 */
export function assumedState(
  base: DesiredState,
  { account, quotaPerUnit }: AssumedAccount,
  now: UnixSeconds,
): ObservedState {
  const declared = base.keys.flatMap(({ id }) => id ?? []);
  let last = Math.max(0, ...declared);
  const nextId = (): KeyId => {
    last += 1;
    return keyId(last);
  };
  const keys = base.keys.map(
    (key): ObservedKey => ({
      ...settingsOfNew(key, quotaPerUnit),
      id: key.id ?? nextId(),
      status: key.enabled === false ? 'disabled' : 'enabled',
      createdAt: now,
      masked: '',
      record: {},
    }),
  );
  return { account, quotaPerUnit, keys, used: new Map() };
}
