import { LOG_TYPE } from '../../wire/index.ts';
import type { Site } from '../context.ts';
import type { Admitted, UseRefusal } from '../keys/admission.ts';
import { entryOf, type RequestEnd, type RequestFacts } from './entry.ts';
import { NO_USAGE } from './price.ts';

/** A request that has been paid in advance. It ends exactly once: settled or given back. */
export interface Charge extends Admitted {
  readonly facts: RequestFacts;
  /** Quota units that are held. */
  readonly held: number;
}

function move(site: Site, { key, account }: Admitted, units: number, requests: number): void {
  site.ledger.accounts.charge(account.user_id, units, requests);
  site.ledger.keys.charge(key.id, units, site.clock.now());
}

/**
 * Takes `units` from wallet and key before the request is served. Call it within a transaction.
 * @returns the refusal when the wallet, or the key, has less.
 */
export function openCharge(
  site: Site,
  admitted: Admitted,
  { facts, units }: { facts: RequestFacts; units: number },
): Charge | { readonly refusal: UseRefusal } {
  const { key, account } = admitted;
  if (account.quota <= 0 || account.quota < units) return { refusal: 'walletEmpty' };
  if (!key.unlimited_quota && key.remain_quota < units) return { refusal: 'keyQuotaLow' };
  move(site, admitted, units, 1);
  site.ledger.holds.open({
    request_id: facts.requestId,
    user_id: account.user_id,
    key_id: key.id,
    quota: units,
  });
  return { ...admitted, facts, held: units };
}

/** Replaces what was held by what it cost, and enters it into the log. Call it within a transaction. */
export function settleCharge(site: Site, charge: Charge, end: Omit<RequestEnd, 'type' | 'content'>): void {
  if (!site.ledger.holds.close(charge.facts.requestId)) return;
  move(site, charge, end.quota - charge.held, 0);
  site.ledger.log.append(entryOf(site, charge, charge.facts, { ...end, type: LOG_TYPE.consumption }));
}

/** Gives back all that was held: the request came to nothing. The log says why. Call it within a transaction. */
export function dropCharge(site: Site, charge: Charge, end: { seconds: number; content: string }): void {
  if (!site.ledger.holds.close(charge.facts.requestId)) return;
  move(site, charge, -charge.held, 0);
  const nothing = { quota: 0, usage: NO_USAGE, firstByteMs: 0 };
  site.ledger.log.append(entryOf(site, charge, charge.facts, { ...nothing, ...end, type: LOG_TYPE.error }));
}

/**
 * What a gateway that was killed had taken for requests that nobody will end any more: given back, once, at the start.
 */
export function dropAbandoned(site: Site): void {
  site.ledger.transact(() => {
    for (const hold of site.ledger.holds.all()) {
      site.ledger.holds.close(hold.request_id);
      site.ledger.accounts.charge(hold.user_id, -hold.quota, 0);
      site.ledger.keys.charge(hold.key_id, -hold.quota, site.clock.now());
    }
  });
}
