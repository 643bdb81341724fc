import type { KeyStore, UsageSpan } from '../../reconcile/index.ts';
import type { Session } from './session.ts';
import type { SystemApi } from './system-api.ts';

/** Longer than a name can be: no key has it. */
const NO_NAME = 'no key has a name that is as long as this one: names have at most fifty characters';
const LATE = 4_000_000_000;

/**
 * Sums up the log by name and time, once the gateway has shown that it filters by both. The contract promises no filters,
 * and a gateway without them answers with the sum of everything. While that is nothing, it shows nothing.
 */
export function usageSummer(api: SystemApi, session: Pick<Session, 'hasFilters'>): KeyStore['sumUsage'] {
  const sum = async (of?: Partial<UsageSpan>) => (await api.usageStatistics(of)).quota;
  const hasFilters = async (): Promise<boolean> =>
    (await sum()) > 0 && (await sum({ name: NO_NAME })) === 0 && (await sum({ from: LATE })) === 0;
  let asked: Promise<boolean> | undefined;
  return async (of) => {
    if (session.hasFilters === undefined) {
      asked ??= hasFilters().catch(() => false);
      session.hasFilters = await asked;
    }
    return session.hasFilters ? await sum(of) : undefined;
  };
}
