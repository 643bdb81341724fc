import type { GatewayContext } from '../context.ts';
import { type Int64, sum } from '../int64.ts';
import { admit, type UseRefusal } from '../keys/admission.ts';
import { REQUEST_ID_LENGTH, randomText } from '../random.ts';
import { openCharge, settleCharge } from './charge.ts';

/** One request that an API key pays for. */
interface SpendRequest {
  readonly keyId: number;
  /** The cost in quota units. */
  readonly quota: number;
  /** The quota that must be available at the beginning. Below `quota`, a key or wallet can be overdrawn. Default: `quota`. */
  readonly precharge?: number | undefined;
  readonly model?: string | undefined;
  readonly address: string;
  readonly promptTokens?: number | undefined;
  readonly completionTokens?: number | undefined;
}

interface Receipt {
  readonly requestId: string;
  readonly charged: number;
  readonly remain: Int64;
  readonly used: Int64;
  readonly wallet: number;
}

/**
 * Charges for an inference request without serving one: key, wallet and log entry change together or not at all. A
 * refused request costs nothing, but moves an expired or exhausted key to its status.
 */
export function spend(context: GatewayContext, expense: SpendRequest): Receipt | { readonly refusal: UseRefusal } {
  const { quota, precharge = quota, promptTokens = 0, completionTokens = 0 } = expense;
  return context.ledger.transact(() => {
    const admission = admit(context, context.ledger.keys.tryFindById(expense.keyId), expense);
    if ('refusal' in admission) return admission;
    const facts = {
      requestId: randomText(context.random, REQUEST_ID_LENGTH),
      address: expense.address,
      model: expense.model ?? '',
      path: '/v1/chat/completions',
      isStream: false,
    };
    const charge = openCharge(context, admission, { facts, units: precharge });
    if ('refusal' in charge) return charge;
    settleCharge(context, charge, { quota, usage: { promptTokens, completionTokens }, seconds: 0, firstByteMs: 0 });
    const { key, account } = admission;
    return {
      requestId: facts.requestId,
      charged: quota,
      remain: sum(key.remain_quota, -quota),
      used: sum(key.used_quota, quota),
      wallet: account.quota - quota,
    };
  });
}
