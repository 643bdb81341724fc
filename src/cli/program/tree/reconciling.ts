import { type Command, FORMATS, type Format } from '../command.ts';
import { define } from '../define.ts';
import {
  ACCOUNT,
  ALLOW_EXEC,
  BASE,
  END_ANYWAY,
  GUARDS,
  LOCKING,
  LOG_PAGES,
  MAX_DELETES,
  OUT,
  PLANNING,
  POLICY,
  PRUNE_ANYWAY,
  reportFlag,
  SELECT,
  SELECT_METADATA,
  SETTLE,
  TRUST_LOG,
  UNTRUSTED,
} from '../flags.ts';
import type { Option } from '../option.ts';

const USAGE_CACHE: Option = {
  flag: 'usage-cache',
  group: 'Usage log',
  value: 'FILE',
  completes: 'file',
  output: 'file',
  summary: 'cache sums of the usage log in this file between runs; you can delete it at any time',
};

const READING: readonly Option[] = [...ACCOUNT, SELECT, ...SELECT_METADATA, LOG_PAGES, USAGE_CACHE];

const PROOF: readonly Option[] = [
  { flag: 'no-check', summary: 'skip the checks of the written keys' },
  { flag: 'max-cost', value: 'USD', summary: 'skip checks that could raise the total cost above this amount' },
];

const REVIEWED: readonly Option[] = [
  {
    flag: 'expect',
    value: 'DIGEST',
    summary: 'apply the saved plan only if it has this digest, as `plan --out` printed it',
  },
  { flag: 'plan-only', summary: 'apply the saved plan without its manifest, and without checks' },
];

const SAVED = { name: 'PLAN', summary: 'a plan saved by `plan --out`', optional: true, completes: 'file' } as const;

/** The findings of drift, and the limits of two of them. */
const ATTENTION: readonly Option[] = [
  {
    flag: 'fail-on',
    value: 'KINDS',
    summary:
      'exit with code 2 on these findings: drift, due, unverified, withheld, low, expiring, separated by commas (default: drift,unverified)',
  },
  {
    flag: 'low',
    value: 'LIMIT',
    summary: 'a key is low when less than this remains: a share of its budget, or dollars (default: 10%)',
  },
  {
    flag: 'expiring',
    value: 'TIME',
    summary: 'a key is expiring when its expiry is at most this far away (default: 14d)',
  },
];

const PLAN_FORMATS: readonly Format[] = ['text', 'json', 'markdown', 'html'];

/** The commands that compare the manifest with the account. */
export const RECONCILING: readonly Command[] = [
  define({
    path: ['plan'],
    summary: 'Show what apply would change',
    details: [
      'Lists the changes that apply would refuse first, with the flag that allows them for one run, and exits with code 4.',
      'With --untrusted, compares the manifest with --base only, as if the account had exactly the keys that --base declares.',
    ],
    effect: 'reads',
    formats: PLAN_FORMATS,
    ownsOut: true,
    options: [
      ...READING,
      POLICY,
      TRUST_LOG,
      ...PLANNING,
      ...GUARDS,
      {
        flag: 'out',
        group: 'Output',
        value: 'FILE',
        completes: 'file',
        output: 'file',
        summary: 'save the plan to this file, for `apply FILE`',
      },
      reportFlag(PLAN_FORMATS),
      { flag: 'detailed-exitcode', summary: 'exit with code 2 when changes are pending' },
      UNTRUSTED,
    ],
    examples: [
      { line: 'keyplane plan', about: 'Compare keyplane.yaml with the account.' },
      { line: 'keyplane plan -f teams/ --key "prod-*"', about: 'Plan only keys whose names begin with prod-.' },
      { line: 'keyplane plan --out plan.json', about: 'Save the plan, to review and apply it later.' },
      {
        line: 'keyplane plan --untrusted --base origin/main --format markdown',
        about: 'Show what a pull request from a stranger would change, without credentials.',
      },
    ],
    load: () => import('../../commands/plan.ts').then((m) => m.planAction),
  }),
  define({
    path: ['apply'],
    summary: 'Make the account match the manifest',
    details: [
      'Shows the plan, asks for confirmation, applies it, and verifies the result. Runs free and cheap checks on the keys that it wrote, and prunes keys last. A failed change does not stop the others, but nothing is pruned after a create, rename or enable that failed.',
      'Applies a saved plan as it was reviewed, computes the amounts of its budgets again, and refuses it if its manifest or its keys were changed since.',
      'After the first Ctrl-C, running requests finish and the report is printed; a second Ctrl-C exits immediately. Run apply again to make the remaining changes.',
    ],
    effect: 'writes',
    arguments: [SAVED],
    options: [
      ...READING,
      POLICY,
      TRUST_LOG,
      ...PLANNING,
      ...GUARDS,
      PRUNE_ANYWAY,
      END_ANYWAY,
      SETTLE,
      ...LOCKING,
      ...PROOF,
      ALLOW_EXEC,
      ...REVIEWED,
      OUT,
    ],
    examples: [
      { line: 'keyplane apply', about: 'Show the plan, ask for confirmation, and apply it.' },
      { line: 'keyplane apply plan.json --yes', about: 'Apply a saved plan without confirmation.' },
      {
        line: 'keyplane apply --yes --format json --out report.json',
        about: 'Apply in a pipeline, with the report in a file.',
      },
    ],
    load: () => import('../../commands/apply.ts').then((m) => m.applyAction),
  }),
  define({
    path: ['drift'],
    summary: 'Show where the account differs from the manifest',
    details: [
      'Makes the same comparison as plan, but reports how the keys differ. Exits with code 2 when something differs, or as --fail-on determines.',
      'A refill that a new budget window asks for is due, which is not drift: the next apply makes it.',
      'With --base, also shows which budget policies changed since an earlier manifest, and does not report a key as held if the manifest has enabled it since.',
    ],
    effect: 'reads',
    formats: FORMATS,
    options: [...READING, POLICY, TRUST_LOG, BASE, ...ATTENTION, reportFlag(FORMATS), OUT],
    examples: [
      { line: 'keyplane drift || echo "someone changed keys"', about: 'Detect drift in a nightly job.' },
      { line: 'keyplane drift --base HEAD~1', about: 'Also show what the last merge changed in the budgets.' },
    ],
    load: () => import('../../commands/drift.ts').then((m) => m.driftAction),
  }),
  define({
    path: ['destroy'],
    summary: 'Delete every key that the manifest owns',
    details: [
      'Keeps protected keys. On a terminal, asks you to type the number of keys to delete.',
      'All keys may end. Without that question, deleting more than 30 % of 10 or more keys requires --max-deletes.',
    ],
    effect: 'destroys',
    options: [...READING, MAX_DELETES, SETTLE, ...LOCKING, ALLOW_EXEC, OUT],
    examples: [{ line: 'keyplane destroy --key "review-42-*"', about: 'Delete the keys of one review environment.' }],
    load: () => import('../../commands/destroy.ts').then((m) => m.destroyAction),
  }),
];
