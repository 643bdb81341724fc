import { LOG_TYPE } from '../../wire/index.ts';
import type { ModelConfig } from '../catalog.ts';
import type { GatewayContext } from '../context.ts';
import type { Admitted, UseRefusal } from '../keys/admission.ts';
import { logsConsumption } from './consumption-log.ts';
import { logEntryFor, type RequestEnd, type RequestFacts } from './entry.ts';
import { groupRatio, NO_USAGE, quotaFor, type Usage } from './price.ts';

/** A request that was paid in advance. It ends exactly once: settled or cancelled. */
export interface OpenCharge extends Admitted {
  readonly facts: RequestFacts;
  /** The quota that is on hold for it. */
  readonly heldUnits: number;
}

function move(context: GatewayContext, { key, account }: Admitted, units: number, requests: number): void {
  context.ledger.accounts.charge(account.user_id, units, requests);
  context.ledger.keys.charge(key.id, units, context.clock.now());
}

/** The units to hold for a request of this estimated usage. */
export function advanceFor(
  { profile: { advance }, catalog }: GatewayContext,
  { key, account, group }: Admitted,
  { modelConfig, usage }: { modelConfig: ModelConfig; usage: Usage },
): number {
  if (advance === 'estimate' || modelConfig.price !== undefined)
    return quotaFor(catalog, modelConfig, { group, usage });
  const trusted = advance.trustedDollars * catalog.quotaPerUnit;
  if (account.quota > trusted && (key.unlimited_quota || key.remain_quota > trusted)) return 0;
  const tokens = Math.max(usage.promptTokens, advance.leastTokens) + usage.completionTokens;
  return Math.floor(tokens * modelConfig.ratio * groupRatio(catalog, group));
}

/**
 * Takes `units` from the wallet and the key before the request is served. Call it within a transaction.
 *
 * @returns a refusal if the wallet or the key has less.
 */
export function openCharge(
  context: GatewayContext,
  admitted: Admitted,
  { facts, units }: { facts: RequestFacts; units: number },
): OpenCharge | { readonly refusal: UseRefusal } {
  const { key, account } = admitted;
  if (account.quota <= 0 || account.quota < units) return { refusal: 'walletEmpty' };
  if (!key.unlimited_quota && key.remain_quota < units) return { refusal: 'keyQuotaLow' };
  move(context, admitted, units, 1);
  context.ledger.holds.open({
    request_id: facts.requestId,
    user_id: account.user_id,
    key_id: key.id,
    quota: units,
  });
  return { ...admitted, facts, heldUnits: units };
}

/** Replaces the held quota with the cost, and logs it. Call it within a transaction. */
export function settleCharge(
  context: GatewayContext,
  charge: OpenCharge,
  end: Omit<RequestEnd, 'type' | 'content'>,
): void {
  if (!context.ledger.holds.close(charge.facts.requestId)) return;
  move(context, charge, end.quota - charge.heldUnits, 0);
  if (!logsConsumption(context.ledger)) return;
  context.ledger.log.append(logEntryFor(context, charge, charge.facts, { ...end, type: LOG_TYPE.consumption }));
}

/** Returns the held quota of a failed request, and logs the reason. Call it within a transaction. */
export function cancelCharge(
  context: GatewayContext,
  charge: OpenCharge,
  end: { seconds: number; content: string },
): void {
  if (!context.ledger.holds.close(charge.facts.requestId)) return;
  move(context, charge, -charge.heldUnits, 0);
  const nothing = { quota: 0, usage: NO_USAGE, firstByteMs: 0 };
  context.ledger.log.append(logEntryFor(context, charge, charge.facts, { ...nothing, ...end, type: LOG_TYPE.error }));
}

/**
 * Returns, at the start, the quota that a killed gateway had on hold for requests that will never end.
 */
export function releaseAbandonedHolds(context: GatewayContext): void {
  context.ledger.transact(() => {
    for (const hold of context.ledger.holds.all()) {
      context.ledger.holds.close(hold.request_id);
      context.ledger.accounts.charge(hold.user_id, -hold.quota, 0);
      context.ledger.keys.charge(hold.key_id, -hold.quota, context.clock.now());
    }
  });
}
