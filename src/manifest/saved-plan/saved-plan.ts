import { createHash } from 'node:crypto';
import {
  type Change,
  canonicalJson,
  Fault,
  type Json,
  type Plan,
  renderDecimal,
  SETTING_NAMES,
  type Snapshot,
} from '../../domain/index.ts';
import { SAVED_PLAN_VERSION, SavedPlan } from './schema.ts';

/** Only these, whatever else an object carries: a plan must not take a record or a masked key along. */
function pick(from: object, names: readonly string[]): Readonly<Record<string, Json>> {
  const fields = Object.entries(from).filter(([name, value]) => names.includes(name) && value !== undefined);
  return Object.fromEntries(fields);
}

const SNAPSHOT = ['id', ...SETTING_NAMES, 'status', 'used'];
const PLACE = ['file', 'line', 'column', 'endLine', 'endColumn', 'construct'];
const CHANGE = ['verb', 'name', 'id', 'from', 'enabled', 'reason'];

const encodeSnapshot = (before: Snapshot): Json => pick(before, SNAPSHOT);

function encodeChange(change: Change): Json {
  return {
    ...pick(change, CHANGE),
    ...('settings' in change ? { settings: pick(change.settings, SETTING_NAMES) } : {}),
    ...('edits' in change ? { edits: change.edits.map((edit) => pick(edit, ['field', 'before', 'after'])) } : {}),
    ...('before' in change ? { before: encodeSnapshot(change.before) } : {}),
    ...(change.place ? { place: pick(change.place, PLACE) } : {}),
  };
}

/** SHA-256 of everything else that the saved plan holds, however it is laid out. */
const checksumOf = (form: Readonly<Record<string, unknown>>): string =>
  `sha256:${createHash('sha256').update(canonicalJson(form)).digest('hex')}`;

/**
 * A plan as JSON data, in the form that docs/manifest.md describes: `version` 1, exact decimals as text.
 *
 * Holds no secret, no masked key and no raw record. {@link decodePlan} gives the same plan back.
 */
export function encodePlan(plan: Plan): Json {
  const form = {
    kind: 'saved-plan',
    version: SAVED_PLAN_VERSION,
    account: { url: plan.account.url, userId: plan.account.userId },
    at: plan.at,
    quotaPerUnit: renderDecimal(plan.quotaPerUnit),
    changes: plan.changes.map(encodeChange),
    notes: plan.notes.map((note) => pick(note, ['code', 'name', 'message'])),
    invisible: plan.invisible,
    owned: plan.owned,
    fingerprint: plan.fingerprint,
  } as const;
  return { ...form, checksum: checksumOf(form) };
}

const MOST_PROBLEMS = 5;

function unreadable(message: string, problems: readonly string[] = []): Fault {
  const shown = problems.slice(0, MOST_PROBLEMS);
  const more = problems.length > shown.length ? [`and ${problems.length - shown.length} more`] : [];
  return new Fault('plan.unreadable', [message, ...shown, ...more].join('\n  '), {
    hint: 'Make the plan again; a saved plan is not meant to be edited.',
    remedy: 'save-plan',
    detail: { problems },
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw unreadable('The saved plan is not JSON.');
  }
}

const versionOf = (data: unknown): unknown => (data as { version?: unknown } | null)?.version;

/**
 * Reads a saved plan.
 *
 * @throws Fault `plan.unreadable` when it is not JSON, of another version, not in every detail of the known form,
 * or not what {@link encodePlan} wrote: what is applied is what somebody looked at.
 */
export function decodePlan(text: string): Plan {
  const data = parseJson(text);
  if ((data as { kind?: unknown } | null)?.kind !== 'saved-plan') throw unreadable('The file is not a saved plan.');
  if (versionOf(data) !== SAVED_PLAN_VERSION) {
    throw unreadable(`The saved plan is of version ${JSON.stringify(versionOf(data))}; this Keyplane reads version 1.`);
  }
  const parsed = SavedPlan.safeParse(data);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'plan'}: ${message}`);
    throw unreadable('The saved plan is not as Keyplane wrote it:', problems);
  }
  const { checksum, ...form } = data as Readonly<Record<string, unknown>>;
  if (checksum !== checksumOf(form)) throw unreadable('The saved plan was edited after it was made.');
  const { kind: _kind, version: _version, checksum: _checksum, ...plan } = parsed.data;
  return plan;
}
