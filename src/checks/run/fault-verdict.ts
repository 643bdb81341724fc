import type { Advice, Fault, FaultCode, StoredStatus, Verdict } from '../../domain/index.ts';
import type { CheckedKey } from '../check-module.ts';

/** What a fault says of the key: failed, unless it says nothing of it. */
export interface FaultVerdict extends Advice {
  readonly verdict: Exclude<Verdict, 'passed'>;
  readonly reason: string;
  readonly code: FaultCode;
}

/** Trying again would be refused again, or might be paid twice. */
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
  'gateway.indeterminate',
  'gateway.interrupted',
]);

export const isFinal = (code: FaultCode): boolean => FINAL.has(code);

/** Refused before anybody worked for it. What was lost on its way may be paid for all the same. */
export const costsNothing = (code: string | undefined): boolean =>
  code !== undefined &&
  FINAL.has(code as FaultCode) &&
  code !== 'gateway.indeterminate' &&
  code !== 'gateway.interrupted';

/** The refusals of the key itself: they meet whatever else it is asked. */
const OF_THE_KEY: ReadonlySet<string> = new Set(['key.refused', 'key.address-not-allowed', 'key.group-not-allowed']);

export const isOfTheKey = (code: string | undefined): boolean => code !== undefined && OF_THE_KEY.has(code);

/** Why deployed gateways answer 401: they do not say which, the record of the key does. */
const STATES: Readonly<
  Record<Exclude<StoredStatus, 'enabled'>, readonly [code: FaultCode, reason: string, hint: string]>
> = {
  disabled: ['key.refused', 'the key is disabled', 'Enable it, or apply the manifest that says it shall be enabled.'],
  expired: ['key.refused', 'the key is expired', 'Move its expiry, then apply.'],
  exhausted: [
    'key.exhausted',
    'the key’s own budget is used up',
    'Raise its budget, then apply. The wallet is another matter.',
  ],
};

/** What helps here; a program that uses the client is reported something else. */
const HINTS: Partial<Readonly<Record<FaultCode, string>>> = {
  'video.unsettled': 'Run the check again: it goes on with the same task, and pays nothing.',
  'key.model-not-allowed': 'Allow the key the model, or let the check ask another one.',
};

const adviceOn = ({ code, hint, remedy }: Fault): Advice =>
  HINTS[code] ? { hint: HINTS[code] } : { ...(hint ? { hint } : {}), ...(remedy ? { remedy } : {}) };

/** An exhausted key, an empty wallet and a bad key are three verdicts. */
export function verdictOfFault(fault: Fault, { status, observed }: CheckedKey): FaultVerdict {
  const { code, message } = fault;
  const said = { code, reason: message, ...adviceOn(fault) };
  if (code === 'gateway.interrupted') return { ...said, verdict: 'skipped' };
  if (code === 'key.address-not-allowed' && observed.allowIps !== null) {
    return {
      ...said,
      verdict: 'unprovable',
      reason: 'the key may not be used from this address',
      hint: 'Run the checks from an address of its allowlist.',
    };
  }
  if (code === 'key.refused' && status !== 'enabled') {
    const [named, reason, help] = STATES[status];
    return { verdict: 'failed', code: named, reason, hint: help };
  }
  return { ...said, verdict: 'failed' };
}
