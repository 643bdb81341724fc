import {
  type Change,
  type Delivery,
  type DesiredState,
  Fault,
  type Json,
  type Plan,
  parseShallowJson,
  planNote,
  renderDecimal,
  SETTING_NAMES,
  type Snapshot,
} from '../../domain/index.ts';
import { encodeDesired } from './desired.ts';
import { digestOf } from './digest.ts';
import { encodeKeyPolicy } from './policy.ts';
import { PlanForm, SAVED_PLAN_VERSION } from './schema.ts';

/** A plan as it was saved. */
export interface SavedPlan extends Plan {
  /** The desired state that the plan was made from: enough to apply the plan without its manifest. */
  readonly desired?: DesiredState;
}

/** Keeps only these members: a saved plan must not contain a record or a masked key. */
function pick(from: object, names: readonly string[]): Readonly<Record<string, Json>> {
  const fields = Object.entries(from).filter(([name, value]) => names.includes(name) && value !== undefined);
  return Object.fromEntries(fields);
}

const SNAPSHOT = ['id', ...SETTING_NAMES, 'status', 'used'];
const PLACE = ['file', 'line', 'column', 'endLine', 'endColumn', 'construct'];
const CHANGE = ['verb', 'name', 'id', 'of', 'from', 'enabled', 'reason'];

const encodeSnapshot = (before: Snapshot): Json => pick(before, SNAPSHOT);

function encodeChange(change: Change): Json {
  return {
    ...pick(change, CHANGE),
    ...('settings' in change ? { settings: pick(change.settings, SETTING_NAMES) } : {}),
    ...('edits' in change ? { edits: change.edits.map((edit) => pick(edit, ['field', 'before', 'after'])) } : {}),
    ...('before' in change ? { before: encodeSnapshot(change.before) } : {}),
    ...('quarantine' in change && change.quarantine ? { quarantine: pick(change.quarantine, ['since', 'until']) } : {}),
    ...(change.metadata ? { metadata: { ...change.metadata } } : {}),
    ...(change.place ? { place: pick(change.place, PLACE) } : {}),
  };
}

/**
 * Converts a plan to JSON data, in the form that docs/saved-plans.md describes: `version` 2, exact decimals as strings.
 *
 * Contains no secret, no masked key and no raw record. {@link decodePlan} returns the same plan.
 *
 * @param desired the state that the plan was made from, for a plan that can be applied without its manifest
 */
export function encodePlan(plan: Plan, desired?: DesiredState): Json {
  const form = {
    kind: 'saved-plan',
    version: SAVED_PLAN_VERSION,
    account: { url: plan.account.url, userId: plan.account.userId },
    at: plan.at,
    quotaPerUnit: renderDecimal(plan.quotaPerUnit),
    changes: plan.changes.map(encodeChange),
    notes: plan.notes.map(({ code, data, message }) => ({ code, ...data, message })),
    ...(plan.deliveries ? { deliveries: plan.deliveries.map(encodeDelivery) } : {}),
    policies: plan.policies.map(encodeKeyPolicy),
    ...(plan.wallet === undefined ? {} : { wallet: plan.wallet }),
    ...pick(plan, ['only', 'owners', 'labels']),
    ...(plan.assumesLogComplete ? { assumesLogComplete: true } : {}),
    ...(plan.manifest ? { manifest: { ...plan.manifest } } : {}),
    ...(desired ? { desired: encodeDesired(desired) } : {}),
    invisible: plan.invisible,
    owned: plan.owned,
    fingerprint: plan.fingerprint,
  } as const;
  return { ...form, checksum: digestOf(form) };
}

const encodeDelivery = ({ place, ...delivery }: Delivery): Json => ({
  ...delivery,
  ...(place ? { place: pick(place, PLACE) } : {}),
});

const MOST_PROBLEMS = 5;

function unreadable(message: string, problems: readonly string[] = []): Fault {
  const shown = problems.slice(0, MOST_PROBLEMS);
  const more = problems.length > shown.length ? [`and ${problems.length - shown.length} more`] : [];
  return new Fault('plan.unreadable', [message, ...shown, ...more].join('\n  '), {
    hint: 'Create the plan again. Do not edit saved plans.',
    remedy: 'save-plan',
    detail: { problems },
  });
}

function parseJson(text: string): unknown {
  try {
    return parseShallowJson(text.replace(/^\ufeff/, ''));
  } catch {
    throw unreadable('The saved plan is not JSON.');
  }
}

const versionOf = (data: unknown): unknown => (data as { version?: unknown } | null)?.version;

/**
 * Reads a saved plan.
 *
 * @throws Fault `plan.unreadable` when it is not JSON, has another version or another form, or was edited after
 * {@link encodePlan} wrote it: Keyplane applies only the plan that was reviewed.
 */
export function decodePlan(text: string): SavedPlan {
  const data = parseJson(text);
  if ((data as { kind?: unknown } | null)?.kind !== 'saved-plan') throw unreadable('The file is not a saved plan.');
  if (versionOf(data) !== SAVED_PLAN_VERSION) {
    throw unreadable(
      `The saved plan has version ${JSON.stringify(versionOf(data))}; this version of Keyplane reads version ${SAVED_PLAN_VERSION}.`,
    );
  }
  const parsed = PlanForm.safeParse(data);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'plan'}: ${message}`);
    throw unreadable('The saved plan is invalid:', problems);
  }
  const { checksum, ...form } = data as Readonly<Record<string, unknown>>;
  if (checksum !== digestOf(form)) throw unreadable('The saved plan was edited after Keyplane created it.');
  const { kind: _kind, version: _version, checksum: _checksum, notes, ...plan } = parsed.data;
  return {
    ...plan,
    notes: notes.map(({ code, name, message }) => planNote(code, message, name)),
  };
}
