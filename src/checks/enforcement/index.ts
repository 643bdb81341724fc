import type { CheckModuleEntry } from '../check-module.ts';
import { checkForbiddenAddress } from './address-rule.ts';
import { checkDisabled, checkExhausted, checkExpired } from './key-states.ts';
import { checkForbiddenModel, checkModelList } from './model-rules.ts';
import { checkSpoofedAddress } from './spoofed-address.ts';

const COMMON = { schedule: 'free', pays: false, isAsynchronous: false, timeoutMs: 60_000, assertions: [] } as const;
const USABLE = { ...COMMON, needsUsableKey: true } as const;
const UNUSABLE = { ...COMMON, needsUsableKey: false } as const;

export const ENFORCEMENT_MODULES: readonly CheckModuleEntry[] = [
  {
    ...USABLE,
    id: 'model-list',
    proves: 'the gateway lists the models of the allowlist, and no other',
    run: checkModelList,
  },
  {
    ...USABLE,
    id: 'forbidden-model',
    proves: 'the gateway rejects a model outside the allowlist; if it gives no reason, it accepts an allowed one',
    run: checkForbiddenModel,
  },
  {
    ...USABLE,
    id: 'forbidden-address',
    proves: 'the gateway rejects the key from an address outside its allowlist',
    run: checkForbiddenAddress,
  },
  { ...UNUSABLE, id: 'disabled-key', proves: 'the gateway rejects a disabled key', run: checkDisabled },
  { ...UNUSABLE, id: 'expired-key', proves: 'the gateway rejects an expired key', run: checkExpired },
  {
    ...UNUSABLE,
    id: 'exhausted-key',
    proves: 'the gateway rejects a key that has used up its budget',
    run: checkExhausted,
  },
];

/** Ways around the rules that many gateways leave open: `enforcement` does not imply them. */
export const BYPASS_MODULES: readonly CheckModuleEntry[] = [
  {
    ...USABLE,
    id: 'spoofed-address',
    proves:
      'no header that any client can send, such as `X-Forwarded-For`, lifts the allowlist of addresses; it needs a key that is not allowed from here',
    run: checkSpoofedAddress,
  },
];
