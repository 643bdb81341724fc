import * as z from 'zod';
import { PlanForm } from '../../../src/manifest/saved-plan/schema.ts';
import { checkReport } from './checks.ts';
import { disabledKeys } from './keys.ts';
import { fault, faultCode, keyId, metadata, place, quota, units, usd } from './values.ts';

const VERBS = ['hold', 'create', 'rename', 'update', 'enable', 'disable', 'delete', 'retain', 'keep'] as const;
const OUTCOMES = ['left-enabled', 'applied', 'failed', 'indeterminate', 'skipped'] as const;

const count = z.int().min(0);
const name = z.string();
/** One count for each word. */
const counts = <const W extends string>(words: readonly W[]) =>
  z.object(Object.fromEntries(words.map((word) => [word, count])) as Record<W, typeof count>);

const exposure = z.object({ units, usd, unbounded: count, unknown: count }).meta({ id: 'Exposure' });

const planSummary = z
  .object({
    pending: count,
    verbs: counts(VERBS),
    invisible: count.describe('Keys outside the scope.'),
    policiesChanged: count,
    exposure: z.object({ before: exposure, after: exposure }),
  })
  .meta({ id: 'PlanSummary' });

type SavedFields = Omit<ReturnType<typeof PlanForm.unwrap>['shape'], 'owners' | 'desired'>;

/** Members that several kinds of output have, with the names of their types. */
const TITLES: Readonly<Record<string, string>> = {
  changes: 'Changes',
  deliveries: 'Deliveries',
  notes: 'PlanNotes',
  policies: 'Policies',
};

function savedFields(): SavedFields {
  const { owners: _owners, desired: _desired, ...fields } = PlanForm.unwrap().shape;
  const named = Object.entries(fields).map(([field, form]): [string, z.ZodType] => {
    const title = TITLES[field];
    if (title === undefined) return [field, form];
    return [
      field,
      form instanceof z.ZodExactOptional ? form.unwrap().meta({ id: title }).exactOptional() : form.meta({ id: title }),
    ];
  });
  return Object.fromEntries(named) as SavedFields;
}

/** The plan as it is saved, with its counts. */
const summarized = z.object({ summary: planSummary, ...savedFields() });
const limitedTo = z.array(name).optional().describe('The owners that the plan was limited to.');

const refusal = z.object({
  code: faultCode,
  message: z.string(),
  flag: z.string(),
  names: z.array(name).optional(),
  rule: z.string().optional().describe('The rule of the policy.'),
  field: z.string().optional().describe('The field that the rule is about.'),
  expected: z.string().optional(),
  hint: z.string().optional(),
  place: place.optional(),
});

const money = z.object({ usd, units: quota });
const ownedKey = z.object({ name, id: keyId });

const outlook = z.object({
  due: z.array(ownedKey.extend({ declared: money, live: money })),
  unverified: z.array(ownedKey.extend({ reason: z.string() })),
  low: z.array(ownedKey.extend({ remain: money, threshold: money })),
  expiring: z.array(ownedKey.extend({ expires: z.int() })),
});

/** The keys of one owner that somebody should look at, and whom to notify. */
const ownerGroup = z.object({ owner: z.string().nullable(), notify: z.array(z.string()), keys: z.array(name) });

const reviewed = z.object({ refusals: z.array(refusal), ...summarized.shape, digest: z.string() });
const plan = reviewed.extend({ owners: limitedTo });
const drift = reviewed.extend({ outlook: outlook.optional(), owners: z.array(ownerGroup).optional() });

const outcome = z
  .object({
    state: z.enum(OUTCOMES),
    change: z.object({
      verb: z.enum(VERBS),
      name,
      of: name.optional().describe('The declared name, where the key is a generation of it.'),
      id: keyId.optional(),
      metadata: metadata.optional(),
    }),
    remark: z.string().optional(),
    reason: z.string().optional(),
    code: z.string().optional(),
    fault: fault.optional(),
  })
  .meta({ id: 'Outcome' });

const delivery = z
  .object({
    state: z.enum(['delivered', 'removed', 'failed', 'indeterminate', 'skipped']),
    delivery: z.object({ action: z.string(), name, sink: z.string(), kind: z.string() }),
    verified: z.boolean().optional(),
    remark: z.string().optional().describe('The others who can read the secret in the sink.'),
    reason: z.string().optional(),
    fault: fault.optional(),
  })
  .meta({ id: 'DeliveryOutcome' });

const report = z
  .object({
    summary: counts(OUTCOMES).extend({ planned: planSummary }),
    outcomes: z.array(outcome),
    deliveries: z.array(delivery),
    corrections: z.array(ownedKey.extend({ units: quota, takenBack: z.boolean() })),
    unverified: z.array(name),
    moved: z.array(z.object({ name, id: keyId.optional(), what: z.string() })),
    checks: checkReport.nullable(),
    interrupted: z.boolean(),
    converged: z.boolean().nullable().describe('null: the live state could not be read again.'),
    after: summarized.extend({ owners: limitedTo }).meta({ id: 'PlanAfter' }).nullable(),
    fatal: fault.nullable(),
  })
  .meta({ id: 'ApplyReport' });

/** The rotation of keys: a run for each step. */
const rotation = z.object({ reason: z.string().optional(), runs: z.array(report) });

export const PLAN_KINDS = {
  plan,
  drift,
  apply: report,
  destroy: report,
  check: checkReport,
  'keys-rotate': rotation,
  // A step that was not taken has no members.
  'keys-revoke': z.object({ ...disabledKeys.shape, ...rotation.shape }).partial(),
} as const;
