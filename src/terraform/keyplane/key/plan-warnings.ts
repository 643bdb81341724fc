import {
  type Change,
  type Decimal,
  type GuardCode,
  isPending,
  type Note,
  nameFold,
  type Quota,
  tryParseInstant,
  usdFromQuota,
} from '../../../domain/index.ts';
import { guard } from '../../../reconcile/index.ts';
import { isObject, type ObjectValue } from '../../codec/value.ts';
import type { OperationContext } from '../../provider/definition.ts';
import { type Diagnostic, DiagnosticError } from '../../provider/diagnostics.ts';
import type { Client } from '../client.ts';
import type { Look } from './compare.ts';

/** What a plan says beside what it changes: what is refused, and what people would want to know. */

type Context = Pick<OperationContext<Client>, 'client' | 'warn'>;

const ESCAPES: Partial<Record<GuardCode, { readonly path: string; readonly argument: string }>> = {
  'guard.unknown-group': { path: 'group', argument: 'allow_unknown_groups' },
  'guard.unknown-model': { path: 'models', argument: 'allow_unknown_models' },
};

/** What the account does not have is found while planning, at the attribute that asks for it. @throws DiagnosticError */
export function checkOffer({ plan, desired, observed }: Look, { limits }: Client): void {
  const refused = guard(plan, { desired, observed }, limits).map(({ code, message }) => {
    const way = ESCAPES[code as GuardCode];
    if (way === undefined) return { summary: message };
    const detail = `If it is right nevertheless, set \`${way.argument} = true\` in the provider.`;
    return { summary: message, detail, path: [way.path] };
  });
  if (refused.length > 0) throw new DiagnosticError(...refused);
}

interface NoteForm {
  readonly path: string;
  readonly detail?: string;
  /** It is about the run, not about one key. */
  readonly isOnce?: true;
}

const NOTES: Partial<Record<Note['code'], NoteForm>> = {
  'expired-as-declared': { path: 'expires_at', detail: 'The gateway refuses it, and can not enable it.' },
  'exhausted-as-declared': { path: 'budget', detail: 'The gateway refuses it, and can not enable it.' },
  'no-budget': { path: 'budget', detail: 'Write a `budget`; `{ unlimited = true }` is one too.' },
  'groups-unverified': { path: 'group', isOnce: true },
  'models-unverified': {
    path: 'models',
    detail: 'Set KEYPLANE_MODELS_KEY to an API key that may use every model, from here.',
    isOnce: true,
  },
};

export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Summaries do not name the key: core does, and shows those that are the same once. */
export function remarkOnNotes(notes: readonly Note[], { client, warn }: Context): void {
  for (const { code, message } of notes) {
    const { path, detail, isOnce = false } = NOTES[code] ?? { path: 'name' };
    if (isOnce && client.run.said.has(code)) continue;
    client.run.said.add(code);
    warn({ summary: sentence(message), path: [path], ...(detail === undefined ? {} : { detail }) });
  }
}

/** A name that somebody has already, or nearly. A warning only: whoever has it may give it up in the same run. */
export async function remarkOnName(name: string, { client, warn }: Context): Promise<void> {
  const { store, run } = client;
  const [fold, path] = [nameFold(name), ['name']];
  const other = run.wanted.get(fold);
  run.wanted.set(fold, name);
  if (other !== undefined) {
    const detail = other === name ? 'Only one of them can.' : `${JSON.stringify(other)} differs from it only by case.`;
    warn({ summary: 'Two resources make keys of one name', detail, path });
  }
  const there = (await store.lately()).find((key) => nameFold(key.name) === fold && !run.held.has(key.id));
  if (there === undefined) return;
  const detail =
    there.name === name
      ? `Import it, with an \`import\` block and \`id = "${there.id}"\`, unless another resource gives the name up in this run.`
      : `It is named ${JSON.stringify(there.name)}, which differs only by case; it is another key.`;
  warn({ summary: `A key of this name exists already (id ${there.id})`, detail, path });
}

const money = (units: Quota, rate: Decimal): string => `$${usdFromQuota(units, rate)} (${units} units)`;

/** Why the remainder is set although nothing was written otherwise: a window began, it ran low, or somebody set it. */
function remainderDiagnostic(changes: readonly Change[], rate: Decimal): Omit<Diagnostic, 'severity'> | undefined {
  const edits = changes.filter(isPending).flatMap((change) => ('edits' in change ? change.edits : []));
  const edit = edits.find(({ field }) => field === 'remain');
  if (edit?.field !== 'remain') return undefined;
  const detail = `${money(edit.before, rate)} remain, and ${money(edit.after, rate)} is what its budget leaves.`;
  return { summary: 'What remains will be set to what the budget leaves', detail, path: ['budget'] };
}

const isInitial = (budget: ObjectValue[string] | undefined): boolean =>
  isObject(budget ?? null) && (budget as ObjectValue).initial === true;

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** What a change does that its attributes do not show. */
export function remarkOnChange(
  { prior, planned, look }: { prior?: ObjectValue; planned: ObjectValue; look: Look },
  { client, warn }: Context,
): void {
  const { expires_at: expires, budget } = planned;
  const at = typeof expires === 'string' ? tryParseInstant(expires) : undefined;
  if (prior === undefined) {
    if (at !== undefined && at <= client.now()) warn({ summary: 'The expiry lies in the past', path: ['expires_at'] });
    return;
  }
  const isSameBudget = isSame(prior.budget, budget);
  if (!isSameBudget && isInitial(budget)) {
    warn({ summary: '`initial` counts at creation only: what this key has stays as it is', path: ['budget'] });
  }
  const diagnostic = isSameBudget ? remainderDiagnostic(look.plan.changes, look.plan.quotaPerUnit) : undefined;
  if (diagnostic) warn(diagnostic);
  const enables = look.plan.changes.some((change) => change.verb === 'enable' && change.reason === 'declared');
  if (enables && prior.enabled === true) {
    warn({ summary: 'The key was disabled by somebody, and will be enabled', path: ['enabled'] });
  }
}
