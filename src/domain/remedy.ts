/**
 * Remedies that need the words of a front end: its settings, arguments or commands. The `hint` next to one is the advice that
 * holds everywhere; each front end adds what to set or to run there, or nothing.
 */
export const REMEDIES = [
  // Settings of a run.
  'set-credentials',
  'supply-token',
  'trust-authority',
  'choose-profile',
  'check-proxy',
  'allow-more-time',
  'lower-concurrency',
  'read-more-usage',
  'allow-unknown-groups',
  'allow-unknown-models',
  // Manifests, plans and keys.
  'allow-variable',
  'name-token-file',
  'name-profile-file',
  'list-fields',
  'create-manifest',
  'import-keys',
  'save-plan',
  'apply-plan-alone',
  'inspect-keys',
  'remove-duplicates',
  'disable-keys',
  'inspect-locks',
  'apply-manifest',
  'allow-exec',
  'allow-sink',
  'prune-anyway',
  // Checks.
  'run-checks',
  'install-image-decoder',
  'raise-cost-cap',
  'ask-for-costly-checks',
  'use-second-address',
  'name-model',
  'name-task-ledger',
  'resubmit-task',
] as const;

export type Remedy = (typeof REMEDIES)[number];

/** Advice for the user. */
export interface Advice {
  /** In words that hold for every front end. */
  readonly hint?: string | undefined;
  readonly remedy?: Remedy | undefined;
}
