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

const LOOKING: readonly Option[] = [...ACCOUNT, SELECT, LOG_PAGES, USAGE_CACHE];

const PROOF: readonly Option[] = [
  { flag: 'no-check', summary: 'do not prove the keys that were written' },
  { flag: 'max-cost', value: 'USD', summary: 'begin no check that would bring their cost above this' },
];

const SAVED = { name: 'PLAN', summary: 'a plan saved by `plan --out`', optional: true, completes: 'file' } as const;

/** The commands that compare the manifest with the account. */
export const RECONCILING: readonly Command[] = [
  define({
    path: ['plan'],
    summary: 'Show what an apply would do',
    details: ['What a guard would refuse is shown as a warning, with the flag that allows it for one run.'],
    effect: 'reads',
    formats: ['text', 'json', 'markdown', 'html'],
    ownsOut: true,
    options: [
      ...LOOKING,
      ...GUARDS,
      { flag: 'out', value: 'FILE', completes: 'file', summary: 'save the plan to this file, for `apply FILE`' },
      { flag: 'detailed-exitcode', summary: 'exit with 2 when something is pending' },
    ],
    examples: [
      { line: 'keyplane plan', says: 'Compare keyplane.yaml with the account.' },
      { line: 'keyplane plan -f teams/ --key "prod-*"', says: 'Only keys whose name begins with prod-.' },
      { line: 'keyplane plan --out plan.json', says: 'Save the plan, to be looked at and applied later.' },
    ],
    load: () => import('../../commands/plan.ts').then((m) => m.planAction),
  }),
  define({
    path: ['apply'],
    summary: 'Bring the account to what the manifest says',
    details: [
      'Shows the plan, asks, carries it out, and looks again. Keys that were written are proven by their free and cheap checks; deletes come last. One failed change does not stop the others.',
      'With a saved plan exactly that is done, and nothing when what it would touch has moved.',
      'The first Ctrl-C lets requests under way finish and reports; the second ends at once. Running it again converges.',
    ],
    effect: 'writes',
    arguments: [SAVED],
    options: [...LOOKING, ...GUARDS, ...PROOF, OUT],
    examples: [
      { line: 'keyplane apply', says: 'Plan, ask, apply.' },
      { line: 'keyplane apply plan.json --yes', says: 'Carry out a saved plan, without being asked.' },
      {
        line: 'keyplane apply --yes --format json --out report.json',
        says: 'In a pipeline, with the report in a file.',
      },
    ],
    load: () => import('../../commands/apply.ts').then((m) => m.applyAction),
  }),
  define({
    path: ['drift'],
    summary: 'Show where the account is not as declared',
    details: ['The same comparison as plan, seen from the account; it exits with 2 when something differs.'],
    effect: 'reads',
    formats: FORMATS,
    options: [...LOOKING, OUT],
    examples: [{ line: 'keyplane drift || echo "somebody changed keys"', says: 'In a nightly job.' }],
    load: () => import('../../commands/plan.ts').then((m) => m.driftAction),
  }),
  define({
    path: ['destroy'],
    summary: 'Delete every key that the manifest owns',
    details: ['Protected keys stay. On a terminal the number of keys must be typed.'],
    effect: 'destroys',
    options: [...LOOKING, ...GUARDS, OUT],
    examples: [{ line: 'keyplane destroy --key "review-42-*"', says: 'End the keys of one review environment.' }],
    load: () => import('../../commands/destroy.ts').then((m) => m.destroyAction),
  }),
];
