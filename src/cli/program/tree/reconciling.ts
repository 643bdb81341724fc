import { type Command, FORMATS } from '../command.ts';
import { define } from '../define.ts';
import { ACCOUNT, GUARDS, LOG_PAGES, OUT, SELECT } from '../flags.ts';
import type { Option } from '../option.ts';

const USAGE_CACHE: Option = {
  flag: 'usage-cache',
  value: 'FILE',
  completes: 'file',
  summary: 'keep sums of the usage log in this file between runs; it may be deleted at any time',
};

const READING: readonly Option[] = [...ACCOUNT, SELECT, LOG_PAGES, USAGE_CACHE];

const PROOF: readonly Option[] = [
  { flag: 'no-check', summary: 'do not check the keys that were written' },
  { flag: 'max-cost', value: 'USD', summary: 'start no check that would raise their cost above this' },
];

const SAVED = { name: 'PLAN', summary: 'a plan saved by `plan --out`', optional: true, completes: 'file' } as const;

/** The commands that compare the manifest with the account. */
export const RECONCILING: readonly Command[] = [
  define({
    path: ['plan'],
    summary: 'Show what an apply would do',
    details: ['Changes that the guard would refuse are shown as warnings, with the flag that allows them for one run.'],
    effect: 'reads',
    formats: ['text', 'json', 'markdown', 'html'],
    ownsOut: true,
    options: [
      ...READING,
      ...GUARDS,
      { flag: 'out', value: 'FILE', completes: 'file', summary: 'save the plan to this file, for `apply FILE`' },
      { flag: 'detailed-exitcode', summary: 'exit with 2 when something is pending' },
    ],
    examples: [
      { line: 'keyplane plan', about: 'Compare keyplane.yaml with the account.' },
      { line: 'keyplane plan -f teams/ --key "prod-*"', about: 'Plan only keys whose names begin with prod-.' },
      { line: 'keyplane plan --out plan.json', about: 'Save the plan, to review and apply it later.' },
    ],
    load: () => import('../../commands/plan.ts').then((m) => m.planAction),
  }),
  define({
    path: ['apply'],
    summary: 'Make the account match the manifest',
    details: [
      'Shows the plan, asks for confirmation, applies it, and verifies the result. Free and cheap checks test the written keys; deletes come last. A failed change does not stop the others.',
      'A saved plan is applied exactly, or not at all when a key that it would change has changed since.',
      'The first Ctrl-C lets requests under way finish and then reports; the second ends immediately. Running it again converges.',
    ],
    effect: 'writes',
    arguments: [SAVED],
    options: [...READING, ...GUARDS, ...PROOF, OUT],
    examples: [
      { line: 'keyplane apply', about: 'Plan, confirm, apply.' },
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
    details: ['The same comparison as plan, from the side of the account. Exits with 2 when something differs.'],
    effect: 'reads',
    formats: FORMATS,
    options: [...READING, OUT],
    examples: [{ line: 'keyplane drift || echo "somebody changed keys"', about: 'Detect drift in a nightly job.' }],
    load: () => import('../../commands/plan.ts').then((m) => m.driftAction),
  }),
  define({
    path: ['destroy'],
    summary: 'Delete every key that the manifest owns',
    details: ['Protected keys are kept. On a terminal you must type the number of keys.'],
    effect: 'destroys',
    options: [...READING, ...GUARDS, OUT],
    examples: [{ line: 'keyplane destroy --key "review-42-*"', about: 'Delete the keys of one review environment.' }],
    load: () => import('../../commands/destroy.ts').then((m) => m.destroyAction),
  }),
];
