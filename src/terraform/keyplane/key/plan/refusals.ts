import { type Diagnostic, type Fault, FIELD_ROWS, type GuardCode, judgePolicies } from '../../../../domain/index.ts';
import { guard } from '../../../../reconcile/index.ts';
import { isWhollyKnown, type TerraformObject } from '../../../codec/value.ts';
import type { OperationContext, ProposedChange } from '../../../provider/definition.ts';
import { type DiagnosticContent, DiagnosticError } from '../../../provider/diagnostics.ts';
import type { Client } from '../../client.ts';
import { decodeKey } from '../values/fields.ts';
import { type Comparison, singleKey } from './compare.ts';

type WarningContext = Pick<OperationContext<Client>, 'client' | 'warn'>;

const lift = (argument: string): string => `If it is correct, set \`${argument} = true\` in the provider.`;

const REMEDIES: Partial<Record<GuardCode, { readonly path: string; readonly detail: string }>> = {
  'guard.unknown-group': { path: 'group', detail: lift('allow_unknown_groups') },
  'guard.unknown-model': { path: 'models', detail: lift('allow_unknown_models') },
  'guard.no-budget': { path: 'budget', detail: 'Set a `budget`; `{ unlimited = true }` sets no ceiling.' },
};

/** The attribute of the field that a rule of a policy is about. */
const attributeOf = ({ path: [field] = [] }: Diagnostic): string =>
  FIELD_ROWS.find(([name]) => name === field)?.[1].terraform ?? 'name';

/** A value that is not known yet is judged at the apply. */
const isUnknownYet = (refusal: Diagnostic, config: TerraformObject): boolean =>
  refusal.code === 'guard.policy' && !isWhollyKnown(config[attributeOf(refusal)] ?? null);

/** A key that breaks a rule of a policy, with the place of the rule. */
function againstPolicy(refusal: Diagnostic): DiagnosticContent {
  const { message, expected, hint, place } = refusal;
  const rule = place ? ` The rule: ${place.file}:${place.line}.` : '';
  const attribute = attributeOf(refusal);
  const detail = `Expected ${expected}. ${hint}${rule}`.replaceAll(/`(expires|allowIps)`/g, `\`${attribute}\``);
  return { summary: message.replace('`allowIps`', '`allow_ips`'), detail, path: [attribute] };
}

/** The rules that one resource cannot show to be kept. */
const UNVERIFIED = {
  owner: {
    summary: 'The policy requires an owner, which Terraform configurations do not have',
    detail: 'The rule was not verified. A manifest that reads the configuration can name the owners of keys.',
  },
  totalExposure: {
    summary: 'The policy limits what all keys together can spend, and the provider sees one key at a time',
    detail:
      'Each key was compared with the limit by itself, and their total was not verified. Keyplane judges the total of a configuration in JSON.',
  },
} as const;

/** Warns once of rules that were not verified, or not as a whole. */
export function warnOfUnverifiedRules({ client, warn }: WarningContext): void {
  for (const rule of ['owner', 'totalExposure'] as const) {
    const mark = `rule ${rule}`;
    if (!client.policies?.some((policy) => policy[rule] !== undefined) || client.run.shownWarnings.has(mark)) continue;
    client.run.shownWarnings.add(mark);
    warn(UNVERIFIED[rule]);
  }
}

/** Rejects new keys without a budget, and groups and models that the account does not have. @throws DiagnosticError */
export function guardPlan(
  { plan, desired, observed }: Comparison,
  { limits }: Client,
  config: TerraformObject = {},
): void {
  // A resource owns its one key, and whoever approves the plan sees that this key ends.
  const own = { ...limits, allowLastKey: true, maxDeletes: 1 };
  const refusals = guard(plan, { desired, observed }, own).filter((refusal) => !isUnknownYet(refusal, config));
  if (refusals.length > 0) throw new DiagnosticError(...refusals.map(refusalContent));
}

/** Judges a key that a plan has not read by its declaration alone. @throws DiagnosticError */
export async function guardUnread({ prior, config, planned }: ProposedChange, client: Client): Promise<void> {
  if ((client.policies ?? []).length === 0) return;
  const declared = decodeKey({ ...config, name: planned.name ?? null }, String(prior?.state.name ?? ''));
  const { keys, policies = [] } = singleKey(declared, client.policies);
  const terms = { now: client.now(), quotaPerUnit: await client.store.quotaPerUnit() };
  const refusals = judgePolicies(policies, { keys, all: keys }, terms);
  const certain = refusals.filter((refusal) => refusal.severity === 'error' && !isUnknownYet(refusal, config));
  if (certain.length > 0) throw new DiagnosticError(...certain.map(refusalContent));
}

function refusalContent(refusal: Diagnostic): DiagnosticContent {
  const { code, message } = refusal;
  if (code === 'guard.policy') return againstPolicy(refusal);
  const remedy = REMEDIES[code as GuardCode];
  return remedy === undefined ? { summary: message } : { summary: message, detail: remedy.detail, path: [remedy.path] };
}

const areRefusals = (value: unknown): value is readonly Diagnostic[] => Array.isArray(value) && value.length > 0;

/** The error of a write that the guard refused, at the attributes that it is about; any other fault stays as it is. */
export const refusedPlan = (fault: Fault): DiagnosticError | Fault =>
  fault.code.startsWith('guard.') && areRefusals(fault.detail.refusals)
    ? new DiagnosticError(...fault.detail.refusals.map(refusalContent))
    : fault;
