import type { CheckModuleEntry } from '../check-module.ts';
import { checkForbiddenAddress } from './address-rule.ts';
import { checkDisabled, checkExhausted, checkExpired } from './key-states.ts';
import { checkForbiddenModel, checkModelList } from './model-rules.ts';

const COMMON = { schedule: 'free', pays: false, isAsynchronous: false, timeoutMs: 60_000, expects: [] } as const;
const USABLE = { ...COMMON, wantsUsableKey: true } as const;
const UNUSABLE = { ...COMMON, wantsUsableKey: false } as const;

export const ENFORCEMENT_MODULES: readonly CheckModuleEntry[] = [
  {
    ...USABLE,
    id: 'model-list',
    proves: 'the gateway lists the models of the key’s allowlist, and no other',
    examine: checkModelList,
  },
  {
    ...USABLE,
    id: 'forbidden-model',
    proves:
      'a model outside of the allowlist is refused; where no reason is given, one of the allowlist is asked for a token to compare',
    examine: checkForbiddenModel,
  },
  {
    ...USABLE,
    id: 'forbidden-address',
    proves: 'the key is refused from an address outside of its allowlist',
    examine: checkForbiddenAddress,
  },
  { ...UNUSABLE, id: 'disabled-key', proves: 'a disabled key is refused', examine: checkDisabled },
  { ...UNUSABLE, id: 'expired-key', proves: 'an expired key is refused', examine: checkExpired },
  {
    ...UNUSABLE,
    id: 'exhausted-key',
    proves: 'a key that has used up its budget is refused',
    examine: checkExhausted,
  },
];
