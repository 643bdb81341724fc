import type { Fault, FaultCode } from '../../domain/index.ts';

/** The exit codes of the command line. */
export const EXIT = {
  done: 0,
  error: 1,
  pending: 2,
  usage: 3,
  refused: 4,
  partial: 5,
  checksFailed: 6,
  credentials: 7,
  checkBudget: 8,
  interrupted: 130,
} as const;

/** The meaning of each code, for people. The documentation and the README are generated from it. */
export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: 'done; nothing pending',
  error: 'tool or gateway error',
  pending: 'changes, drift or other findings (`drift`, `plan --detailed-exitcode`)',
  usage: 'invalid usage or manifest',
  refused: 'refused for safety (guard, policy, stale plan, ownership, lock)',
  partial:
    'partially applied, changes withheld, a new key that could not be disabled, or a budget that could not be verified (`apply`, `destroy`)',
  checksFailed: 'checks failed',
  credentials: 'credentials missing or rejected',
  checkBudget: 'check cost limit reached',
  interrupted: 'interrupted; the report shows what was done',
};

/**
 * The exit codes of facts that commands see differently. An apply fails on what it could not do, drift on the kinds of
 * findings that it was asked for; an apply does not fail on held enables and undeclared keys that stay.
 */
export const EXIT_OF_FACT = {
  'a key differs from the manifest': { plan: EXIT.done, apply: EXIT.done, drift: EXIT.pending, failOn: 'drift' },
  'a refill is due': { plan: EXIT.done, apply: EXIT.done, drift: EXIT.pending, failOn: 'due' },
  'the usage log is too long to verify a budget': {
    plan: EXIT.refused,
    apply: EXIT.refused,
    drift: EXIT.pending,
    failOn: 'unverified',
  },
  'the usage log does not account for the use of a key': {
    plan: EXIT.done,
    apply: EXIT.partial,
    drift: EXIT.pending,
    failOn: 'unverified',
  },
  'an enable is held, or an undeclared key stays': {
    plan: EXIT.done,
    apply: EXIT.done,
    drift: EXIT.pending,
    failOn: 'withheld',
  },
  'the guard refuses a change': { plan: EXIT.refused, apply: EXIT.refused, drift: EXIT.pending, failOn: 'withheld' },
  'a key is low': { plan: EXIT.done, apply: EXIT.done, drift: EXIT.pending, failOn: 'low' },
  'a key expires soon': { plan: EXIT.done, apply: EXIT.done, drift: EXIT.pending, failOn: 'expiring' },
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The exit code of each fault. A new code of a fault does not compile without one. */
export const EXIT_OF_FAULT: Readonly<Record<FaultCode, Exclude<ExitCode, typeof EXIT.done | typeof EXIT.pending>>> = {
  'gateway.unreachable': EXIT.error,
  'gateway.timeout': EXIT.error,
  'gateway.connection-lost': EXIT.error,
  'gateway.rate-limited': EXIT.error,
  'gateway.unavailable': EXIT.error,
  'gateway.upstream-refused': EXIT.error,
  'gateway.overloaded': EXIT.error,
  'gateway.not-json': EXIT.error,
  'gateway.unexpected-shape': EXIT.error,
  'gateway.unsupported': EXIT.error,
  'gateway.key-limit': EXIT.error,
  'gateway.refused': EXIT.error,
  'gateway.not-found': EXIT.error,
  'gateway.redirected': EXIT.error,
  'gateway.indeterminate': EXIT.error,
  'gateway.listing-moves': EXIT.error,
  'gateway.interrupted': EXIT.interrupted,
  'gateway.no-channel': EXIT.error,
  'gateway.no-price': EXIT.error,
  'request.invalid': EXIT.usage,
  'request.refused': EXIT.error,
  'key.refused': EXIT.credentials,
  'key.model-not-allowed': EXIT.error,
  'key.address-not-allowed': EXIT.error,
  'key.group-not-allowed': EXIT.error,
  'key.exhausted': EXIT.error,
  'wallet.empty': EXIT.error,
  'stream.broken': EXIT.error,
  'video.unsettled': EXIT.error,
  'media.damaged': EXIT.error,
  'check.failed': EXIT.checksFailed,
  'check.cost-cap': EXIT.checkBudget,
  'credentials.refused': EXIT.credentials,
  'credentials.banned': EXIT.credentials,
  'credentials.missing': EXIT.credentials,
  'credentials.other-account': EXIT.refused,
  'usage.invalid': EXIT.usage,
  'settings.conflicting': EXIT.refused,
  'settings.unconfirmed-origin': EXIT.refused,
  'manifest.invalid': EXIT.usage,
  'manifest.holds-references': EXIT.usage,
  'plan.ambiguous': EXIT.refused,
  'plan.no-such-key': EXIT.usage,
  'plan.not-held': EXIT.usage,
  'plan.stale': EXIT.refused,
  'plan.stale-adoption': EXIT.refused,
  'plan.foreign': EXIT.refused,
  'plan.other-manifest': EXIT.refused,
  'plan.unexpected': EXIT.refused,
  'plan.unreadable': EXIT.usage,
  'plan.holds-credential': EXIT.refused,
  'plan.too-large': EXIT.usage,
  'plan.amount-too-large': EXIT.usage,
  'plan.amount-too-small': EXIT.usage,
  'plan.usage-too-long': EXIT.refused,
  'guard.mass-change': EXIT.refused,
  'guard.last-key': EXIT.refused,
  'guard.protected': EXIT.refused,
  'guard.unknown-group': EXIT.refused,
  'guard.unknown-model': EXIT.refused,
  'guard.no-budget': EXIT.refused,
  'guard.policy': EXIT.refused,
  'guard.unconfirmed': EXIT.refused,
  'apply.locked': EXIT.refused,
  'apply.lock-lost': EXIT.refused,
  'apply.lock-unavailable': EXIT.error,
  'apply.duplicate': EXIT.partial,
  'apply.incomplete': EXIT.partial,
  'apply.left-enabled': EXIT.partial,
  'apply.budget-unverified': EXIT.partial,
  'apply.not-kept': EXIT.partial,
  'apply.not-converged': EXIT.partial,
  'sink.foreign': EXIT.refused,
  'sink.not-allowed': EXIT.refused,
  'sink.unreachable': EXIT.error,
  'sink.rate-limited': EXIT.error,
  'sink.unauthorized': EXIT.error,
  'sink.unexpected-answer': EXIT.error,
  'sink.refused': EXIT.error,
  'sink.unreadable': EXIT.error,
  'sink.stale': EXIT.error,
  'sink.not-kept': EXIT.partial,
  'sink.undelivered': EXIT.partial,
  'file.locked': EXIT.refused,
  'file.unwritable': EXIT.error,
  'tool.missing-package': EXIT.error,
  'tool.incomplete': EXIT.error,
  'store.failed': EXIT.error,
  'tool.defect': EXIT.error,
};

/** The exit code of a command that ended with this fault, or with none. */
export const exitCodeOf = (fault: Pick<Fault, 'code'> | undefined): ExitCode =>
  fault ? EXIT_OF_FAULT[fault.code] : EXIT.done;

/** The order of precedence: when several exit codes hold, a command ends with the first of these. */
export const PRECEDENCE: readonly ExitCode[] = [
  EXIT.interrupted,
  EXIT.credentials,
  EXIT.refused,
  EXIT.partial,
  EXIT.checksFailed,
  EXIT.checkBudget,
  EXIT.usage,
  EXIT.error,
  EXIT.pending,
  EXIT.done,
];

/** The exit code of a command for which all of these hold; 0 when none does. */
export const strongestExit = (codes: readonly ExitCode[]): ExitCode =>
  PRECEDENCE.find((code) => codes.includes(code)) ?? EXIT.done;

/** The fault of which the exit code takes precedence; the first one of equal faults. */
export const strongestFault = <F extends Pick<Fault, 'code'>>(faults: readonly F[]): F | undefined => {
  const exit = strongestExit(faults.map(exitCodeOf));
  return faults.find((fault) => exitCodeOf(fault) === exit);
};
