import type { Advice, Fault, FaultCode, StoredStatus, Verdict } from '../../domain/index.ts';
import type { CheckedKey } from '../check-module.ts';

/** The verdict on a key that a fault leads to. */
export interface FaultVerdict extends Advice {
  readonly verdict: Exclude<Verdict, 'passed'>;
  readonly reason: string;
  readonly code: FaultCode;
}

/** Faults after which a retry would fail again, or might cost twice. */
const FINAL: ReadonlySet<FaultCode> = new Set([
  'key.refused',
  'key.model-not-allowed',
  'key.address-not-allowed',
  'key.group-not-allowed',
  'key.exhausted',
  'wallet.empty',
  'request.invalid',
  'request.refused',
  'gateway.no-price',
  'gateway.upstream-refused',
  'gateway.indeterminate',
  'gateway.interrupted',
]);

export const isFinal = (code: FaultCode): boolean => FINAL.has(code);

/** Faults of requests that may have been charged although another attempt is useless. */
const MAYBE_CHARGED: ReadonlySet<string> = new Set<FaultCode>(['gateway.indeterminate', 'gateway.interrupted']);

/** Rejections before an upstream was chosen, or before the request was counted: a later attempt may succeed. */
const UNSERVED: ReadonlySet<string> = new Set<FaultCode>([
  'gateway.no-channel',
  'gateway.overloaded',
  'gateway.rate-limited',
]);

/** Returns whether a request was rejected before it caused any cost. A lost answer may have been charged. */
export const costsNothing = (code: string | undefined): boolean =>
  code !== undefined && (UNSERVED.has(code) || (FINAL.has(code as FaultCode) && !MAYBE_CHARGED.has(code)));

/** Rejections of the key itself, which any other request meets too. */
const OF_THE_KEY: ReadonlySet<string> = new Set(['key.refused', 'key.address-not-allowed', 'key.group-not-allowed']);

export const isRejectionOfKey = (code: string | undefined): boolean => code !== undefined && OF_THE_KEY.has(code);

/** The reasons behind a 401 of deployed gateways. The answer does not give the reason; the record of the key does. */
const STATES: Readonly<
  Record<Exclude<StoredStatus, 'enabled'>, readonly [code: FaultCode, reason: string, hint: string]>
> = {
  disabled: ['key.refused', 'the key is disabled', 'Enable it, or apply the manifest that enables it.'],
  expired: ['key.refused', 'the key is expired', 'Change its expiry, then apply.'],
  exhausted: [
    'key.exhausted',
    'the key’s own budget is used up',
    'Raise its budget, then apply. The balance of the account is not the cause.',
  ],
};

/** Hints that replace those of the client, which address a program. */
const HINTS: Partial<Readonly<Record<FaultCode, string>>> = {
  'video.unsettled': 'Run the check again: it continues with the same task and costs nothing.',
  'key.model-not-allowed': 'Add the model to the allowlist of the key, or use another model in the check.',
};

const adviceOn = ({ code, hint, remedy }: Fault): Advice =>
  HINTS[code] ? { hint: HINTS[code] } : { ...(hint ? { hint } : {}), ...(remedy ? { remedy } : {}) };

/** Distinguishes an exhausted key, an empty wallet and an invalid key. */
export function verdictOfFault(fault: Fault, { status, observed }: CheckedKey): FaultVerdict {
  const { code, message } = fault;
  const base = { code, reason: message, ...adviceOn(fault) };
  if (code === 'gateway.interrupted') return { ...base, verdict: 'skipped' };
  if (code === 'key.address-not-allowed' && observed.allowIps !== null) {
    return {
      ...base,
      verdict: 'unprovable',
      reason: 'the key may not be used from this address',
      hint: 'Run the checks from an address of its allowlist.',
    };
  }
  if (code === 'key.refused' && status !== 'enabled') {
    const [statusCode, reason, statusHint] = STATES[status];
    return { verdict: 'failed', code: statusCode, reason, hint: statusHint };
  }
  if (code === 'gateway.overloaded') return { ...base, verdict: 'unprovable' };
  return { ...base, verdict: 'failed' };
}
