import type { Change, OutcomeState, Verb } from '../../domain/index.ts';
import { COMMAND_LINE, type Guidance } from './guidance.ts';

/** The words of a plan, or of drift: the same changes, seen from the other side. */
export interface Wording {
  readonly title: string;
  readonly verbs: Readonly<Record<Verb, string>>;
  /** For the summary line, for a count of one and of many. */
  readonly counts: Readonly<Record<Verb, readonly [string, string]>>;
  readonly nothing: string;
  /** The severity of a reason of the guard: an error refuses a plan, a warning only informs about drift. */
  readonly refusal: 'error' | 'warning';
  /** An edit is shown as a change from one value to the next, or as the two sides that differ. */
  readonly edits: 'arrow' | 'sides';
  /** The same when a budget policy changed, or may have. */
  readonly nothingNow: string;
  /** Are budget policies and the exposure shown? An account stores none: drift shows them next to an earlier manifest only. */
  readonly policies: boolean;
  readonly guidance: Guidance;
}

export const SYMBOLS: Readonly<Record<Verb, string>> = {
  create: '+',
  rename: '>',
  update: '~',
  hold: '!',
  enable: '!',
  disable: '!',
  delete: '-',
  keep: '$',
  retain: '=',
};

const same = (text: string): readonly [string, string] => [text, text];

export const PLAN_WORDING: Wording = {
  title: 'Plan',
  verbs: {
    create: 'create',
    rename: 'rename',
    update: 'update',
    hold: 'HELD',
    enable: 'enable',
    disable: 'disable',
    delete: 'delete',
    // Shown only where the budget policy of a key changed, and nothing that is written.
    keep: 'policy',
    retain: 'retain',
  },
  counts: {
    create: same('to create'),
    rename: same('to rename'),
    update: same('to update'),
    hold: ['enable held', 'enables held'],
    enable: same('to enable'),
    disable: same('to disable'),
    delete: same('to delete'),
    retain: same('retained'),
    keep: same('unchanged'),
  },
  nothing: 'nothing to do',
  refusal: 'error',
  edits: 'arrow',
  nothingNow: 'nothing to write now',
  policies: true,
  guidance: COMMAND_LINE,
};

export const DRIFT_WORDING: Wording = {
  title: 'Drift',
  verbs: {
    create: 'missing',
    rename: 'misnamed',
    update: 'differs',
    hold: 'DISABLED',
    enable: 'inactive',
    disable: 'enabled',
    delete: 'extra',
    keep: 'as declared',
    retain: 'extra',
  },
  counts: {
    create: same('missing'),
    rename: same('misnamed'),
    update: ['differs', 'differ'],
    hold: ['is disabled', 'are disabled'],
    enable: ['is inactive', 'are inactive'],
    disable: ['is enabled', 'are enabled'],
    delete: ['is not declared', 'are not declared'],
    retain: same('not declared but retained'),
    keep: same('as declared'),
  },
  nothing: 'none',
  refusal: 'warning',
  edits: 'sides',
  nothingNow: 'none',
  policies: false,
  guidance: COMMAND_LINE,
};

/** Drift next to an earlier manifest, which shows the budget policies before. */
export const DRIFT_SINCE_WORDING: Wording = {
  ...DRIFT_WORDING,
  verbs: { ...DRIFT_WORDING.verbs, keep: PLAN_WORDING.verbs.keep },
  policies: true,
};

type Reason = Extract<Change, { reason: string }>['reason'];

export const REASONS: Readonly<Record<Reason, string>> = {
  declared: '',
  unpermitted: 'it is disabled at the gateway, and nobody permitted Keyplane to enable it',
  'still-expired': 'it is disabled, and it cannot be enabled because it is expired',
  'still-exhausted': 'it is disabled, and it cannot be enabled because its budget is used up',
  permitted: 'the enable was permitted when this was planned',
  base: 'the manifest went from disabled to enabled',
  redeclared: 'it is declared again, and its quarantine had disabled it',
  repaired: 'the reason why the gateway disabled it is fixed',
  pruned: 'not declared',
  quarantined: 'not declared',
  rotated: 'its successor has taken over',
  destroyed: 'to be destroyed',
  'prune-never': 'not declared, and prune is never',
  protected: 'protected',
  'smart-routing': 'an undeclared Smart Routing key is never changed',
  'rename-source': 'a declared key names it in `renamedFrom`',
  'already-disabled': 'already disabled',
  'in-quarantine': 'not declared',
  'enabled-in-quarantine': 'not declared, and somebody enabled it during its quarantine: declare it, or disable it',
  unmarkable: 'not declared, and its name has no room for the mark of a quarantine: declare it, or delete it',
  overlap: 'an old generation whose overlap is not over',
  'in-use': 'an old generation that is still used',
  'use-unknown': 'an old generation, and nothing shows whether it is still used',
  'use-counts': 'an old generation whose use counts for the budget of the key',
  'successor-disabled': 'an old generation whose successor is disabled',
};

export const OUTCOME_WORDS: Readonly<Record<OutcomeState, string>> = {
  'left-enabled': 'ENABLED',
  applied: 'done',
  failed: 'FAILED',
  indeterminate: 'UNKNOWN',
  skipped: 'skipped',
};
