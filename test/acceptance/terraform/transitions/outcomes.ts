import type { Cell } from './cells.ts';
import type { Facts, StepFacts } from './run.ts';
import type { Which } from './values.ts';

/** One plan and its apply. */
interface Step {
  readonly plan: string;
  /** The value afterwards. Of a read-only attribute: whether the state has what is stored, or what it had before. */
  readonly value: Which | 'as stored' | 'as before';
  /** Part of the only warning, which may be repeated. */
  readonly warning?: string;
}

type Outcome = { readonly means: string } & (
  | { readonly rejectedBy: 'validate' | 'plan'; readonly error: RegExp }
  | { readonly steps: readonly [Step, Step]; readonly isEndless?: true }
);

const step = (plan: string, value: Step['value'], warning?: string): Step => ({
  plan,
  value,
  ...(warning && { warning }),
});

const created = step('create', 'first');
const read = step('create', 'as stored');

const redundant = (plan: string): Step => step(plan, 'as stored', 'Redundant ignore_changes element');

const TABLE = {
  stored: {
    means: 'The gateway stores the value of a new key, and another value when the configuration changes.',
    steps: [created, step('change', 'second')],
  },
  'stored, warning': {
    means: 'As “stored”, with a warning: a key that is disabled will be enabled.',
    steps: [created, step('change', 'second', 'will be enabled')],
  },
  'stored when known': {
    means: 'The plan shows the value as known after apply, for a new key and for a change. The gateway stores it.',
    steps: [step('create with unknown', 'first'), step('change to unknown', 'second')],
  },
  replaced: {
    means: 'The plan replaces the key because of another value. The gateway no longer has the former key.',
    steps: [created, step('replace', 'second')],
  },
  'replaced when known': {
    means: 'The plan shows the value as known after apply, and replaces a key that had another one.',
    steps: [step('create with unknown', 'first'), step('replace', 'second')],
  },
  'rotated, warning': {
    means:
      'The key gets a successor, because this gateway does not report how old it is. A warning reports it, and why the former key stays.',
    steps: [
      step('change', 'first', 'gets a successor'),
      step('nothing', 'first', 'nothing shows whether it is still used'),
    ],
  },
  'stored again': {
    means: '`-replace` creates a key with another ID and the same value. The gateway no longer has the former key.',
    steps: [created, step('replace', 'first')],
  },
  'not managed': {
    means: 'A new key gets the default. What somebody then changes at the gateway stays, and no plan shows it.',
    steps: [step('create', 'initial'), step('nothing', 'first')],
  },
  'not set': {
    means: 'The state has no value.',
    steps: [step('create', 'initial'), step('nothing', 'initial')],
  },
  'not kept': {
    means:
      'The plan warns that the gateway does not have it. The gateway does not store it, so that each plan shows it again.',
    steps: [step('create', 'initial', 'not have smart routing'), step('change', 'initial', 'not have smart routing')],
    isEndless: true,
  },
  kept: {
    means: 'The plan shows no change, and the gateway keeps the value.',
    steps: [created, step('nothing', 'first')],
  },
  'kept, other written': {
    means: 'The plan shows only the other change. The gateway stores that one and keeps the value.',
    steps: [created, step('other change', 'first')],
  },
  'kept, warning': {
    means: 'The gateway keeps the restriction. A warning, which appears in one plan, names it as no longer managed.',
    steps: [created, step('change of nothing', 'first', '`{attribute}` of the key "{label}" is no longer managed')],
  },
  'kept, shown': {
    means: 'The gateway keeps the value. The plan shows that it is no longer managed.',
    steps: [created, step('change', 'first')],
  },
  removed: {
    means: 'The plan shows the change. It concerns only the state: the gateway does not have the value.',
    steps: [created, step('change', 'initial')],
  },
  restored: {
    means: 'The plan shows what somebody changed at the gateway, and the apply stores the configured value again.',
    steps: [created, step('change', 'first')],
  },
  'restored, warning': {
    means: 'As “restored”, with a warning that shows both amounts.',
    steps: [created, step('change', 'first', 'The remaining quota will be reset to match the budget')],
  },
  'no change': {
    means: 'The configuration has what the key has: the import changes nothing, and the next plan is empty.',
    steps: [step('import', 'first'), step('nothing', 'first')],
  },
  recorded: {
    means: 'The plan of the import adds the value to the state. It changes nothing at the gateway.',
    steps: [step('change', 'first'), step('nothing', 'first')],
  },
  moved: {
    means: 'With a `moved` block, another label changes nothing.',
    steps: [created, step('move', 'first')],
  },
  read: {
    means: 'The state has what the gateway stores, also after somebody changes it there. No plan shows a change.',
    steps: [read, step('nothing', 'as stored')],
  },
  'read, redundant': {
    means: 'As “read”, with the engine’s warning that `ignore_changes` has no effect on the attribute.',
    steps: [redundant('create'), redundant('nothing')],
  },
  'read, redundant, other written': {
    means: 'As “read, redundant”. The gateway stores the other change.',
    steps: [redundant('create'), redundant('other change')],
  },
  'read by the import': {
    means: 'The state has what the gateway stores, and no plan shows a change.',
    steps: [step('import', 'as stored'), step('nothing', 'as stored')],
  },
  'read, moved': {
    means: 'With a `moved` block, another label changes nothing.',
    steps: [read, step('move', 'as stored')],
  },
  'read again': {
    means: '`-replace` creates another key, and the state has what the gateway stores for it.',
    steps: [read, step('replace', 'as stored')],
  },
  'as before': {
    means: 'Consumption is not drift: the state keeps the figure until Terraform changes what the key may spend.',
    steps: [read, step('nothing', 'as before')],
  },
  error: {
    means: '`validate` rejects the configuration.',
    rejectedBy: 'validate',
    error: /^`\w+` (cannot be set: read-only|must not be null|must not contain null)$|^Missing required argument$/,
  },
  'error in plan': {
    means: '`plan` rejects a new key.',
    rejectedBy: 'plan',
    error: /^A new key has no (budget|name)/,
  },
} as const satisfies Readonly<Record<string, Outcome>>;

export type OutcomeName = keyof typeof TABLE;
export const OUTCOMES: Readonly<Record<OutcomeName, Outcome>> = TABLE;

function isStep(expected: Step, { attribute, label }: Cell, facts: StepFacts): boolean {
  const warnings = new Set(facts.warnings);
  const warning = (expected.warning ?? '').replace('{attribute}', attribute).replace('{label}', label);
  return (
    facts.plan === expected.plan &&
    facts.values.includes(expected.value) &&
    facts.astray.length === 0 &&
    warnings.size === (expected.warning === undefined ? 0 : 1) &&
    [...warnings].every((text) => text.includes(warning))
  );
}

/** Do the facts of a cell agree with an outcome? */
export function isOutcome(name: OutcomeName, cell: Cell, facts: Facts): boolean {
  const outcome = OUTCOMES[name];
  if ('errors' in facts || 'rejectedBy' in outcome) {
    if (!('errors' in facts && 'rejectedBy' in outcome)) return false;
    return facts.errors.length === 1 && facts.errors.every((error) => outcome.error.test(error));
  }
  const isSettled = outcome.isEndless !== true;
  return (
    facts.isSettled === isSettled && outcome.steps.every((each, at) => isStep(each, cell, facts.steps[at as 0 | 1]))
  );
}
