import type { Diagnostic, GuardCode, PlanNote, Remedy, Unverified } from '../../domain/index.ts';
import { quoted, shellWord } from './layout/printable.ts';

/** The words of a front end for the options of a run. Texts of a plan name no flag and no option but these. */
export interface Guidance {
  /** The option that lifts a rule of the guard for one run. */
  readonly lifts: Readonly<Partial<Record<GuardCode, (refusal: Diagnostic) => string>>>;
  /** Sentences to follow a note. */
  readonly notes: Readonly<Partial<Record<PlanNote['code'], string>>>;
  /** The ways to permit an enable. */
  readonly permit: (name: string) => string;
  /** The option that shows the budget policies before. */
  readonly earlier: string;
  readonly unverified: Readonly<Record<Unverified, string>>;
}

const BUSY = 'the key is used too often to determine it';
const NEEDS_NO_LOG =
  'To need no log, use `initial: true` or `below`, or a lifetime budget where the gateway records the use of each key. If the log has every request since the window began,';

export const COMMAND_LINE: Guidance = {
  lifts: {
    'guard.mass-change': ({ data }) => `--max-deletes ${data?.count}`,
    'guard.last-key': () => '--allow-last-key',
    'guard.protected': () => '--allow-protected',
    'guard.unknown-group': () => '--allow-unknown-groups',
    'guard.unknown-model': () => '--allow-unknown-models',
  },
  notes: {
    'log-incomplete': `To prove the use of the key at the next run, keep the file of --usage-cache between runs. ${NEEDS_NO_LOG} pass --assume-log-complete.`,
    'models-unverified': 'To verify them, set KEYPLANE_MODELS_KEY to a key without an allowlist.',
  },
  permit: (name) =>
    `plan with --allow-enable ${shellWord(name)}, or with --base if the manifest declared it disabled before`,
  earlier: '--base',
  unverified: {
    'log-too-long': 'the usage log has more pages than --max-log-pages allows',
    'log-incomplete': 'the usage log does not account for it; --assume-log-complete trusts the log',
    busy: BUSY,
  },
};

/** The options of `createKeyplane` and of its runs. */
export const PROGRAM: Guidance = {
  lifts: {
    'guard.mass-change': ({ data }) => `\`allow: { deletes: ${data?.count} }\``,
    'guard.last-key': () => '`allow: { lastKey: true }`',
    'guard.protected': () => '`allow: { protected: […] }` with these names',
    'guard.unknown-group': () => '`allow: { unknownGroups: true }`',
    'guard.unknown-model': () => '`allow: { unknownModels: true }`',
  },
  notes: {
    'log-incomplete': `To prove the use of the key at the next run, keep a \`usageCache\` between runs. ${NEEDS_NO_LOG} set \`assumeLogComplete: true\`.`,
  },
  permit: (name) =>
    `plan with ${quoted(name)} in \`enable\`, or with \`earlier\` if the manifest declared it disabled before`,
  earlier: '`earlier`',
  unverified: {
    'log-too-long': 'the usage log has more pages than `maxLogPages` allows',
    'log-incomplete': 'the usage log does not account for it; `assumeLogComplete: true` trusts the log',
    busy: BUSY,
  },
};

/** Remedies that a program has; the others are words of the command line. */
export const PROGRAM_REMEDIES: Readonly<Partial<Record<Remedy, string>>> = {
  'set-credentials': 'Pass `accessToken` and `userId` to `openGateway`.',
  'supply-token': 'Pass `accessToken` to `openGateway`.',
  'lower-concurrency': 'To send fewer requests at a time, lower `concurrency`.',
  'read-more-usage': 'Or raise `maxLogPages`, or keep sums between runs with `usageCache`.',
  'allow-unknown-groups': 'To allow it for one run, set `allow: { unknownGroups: true }`.',
  'allow-unknown-models': 'To allow it for one run, set `allow: { unknownModels: true }`.',
  'prune-anyway': 'To prune keys all the same, set `pruneAnyway: true`.',
  'install-image-decoder': 'Install the package `sharp`. A run without these checks does not need it.',
  'raise-cost-cap': 'To raise the limit, use `maxCost`.',
  'ask-for-costly-checks': 'Name the check in `select`, or set `costly: true`.',
  'name-model': 'Set `model` in the definition of the check.',
  'name-task-ledger': 'Choose another file with `ledger`.',
};
