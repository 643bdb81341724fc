import {
  canonicalIpRules,
  canonicalJson,
  type DesiredKey,
  decimalOf,
  type IpRule,
  type Json,
  parseIpRule,
  renderDecimal,
  tryParseDuration,
  tryParseInstant,
  type UnixSeconds,
} from '../../domain/index.ts';
import type { Report } from '../../source/index.ts';
import type { Defaults } from '../schema/manifest.ts';
import type { Held, HeldFields } from '../validate/fields.ts';
import { found, plain, type Tree, tryFindEntry } from '../yaml/tree.ts';
import { budgetOf, exactNumber } from './amount.ts';

type KeyFields = HeldFields<typeof Defaults>;
type Managed = Omit<DesiredKey, 'name' | 'enabled' | 'renamedFrom' | 'unimplemented' | 'place'>;

/** The fields of a key in normal form, before `defaults` fill in. */
export interface NormalFields extends Managed {
  readonly enabled?: boolean;
  readonly pending: { readonly [F in 'rotate' | 'deliver']?: boolean };
}

export interface Normalizing {
  readonly report: Report;
  readonly now: UnixSeconds;
}

const isTrue = (value: boolean | 'true' | 'false'): boolean => value === true || value === 'true';

const itemsOf = (node: Tree): readonly Tree[] => (node.kind === 'list' ? node.items : []);

const textOf = (node: Tree): string => (node.kind === 'scalar' ? String(node.value) : '');

function reportRepeated(item: Tree, first: Tree, report: Report): void {
  report.problem({
    code: 'manifest.duplicate-entry',
    severity: 'warning',
    at: item.place,
    message: 'The list says this twice.',
    found: found(item),
    expected: 'each entry once',
    hint: 'It counts once; remove one of the two.',
    related: [{ place: first.place, message: 'the first one' }],
  });
}

/** The values of a list, sorted and once each; repetitions are remarked on. */
function asSet<T extends string>(items: readonly (readonly [T, Tree])[], report: Report): ReadonlySet<T> {
  const seen = new Map<T, Tree>();
  for (const [value, item] of items) {
    const first = seen.get(value);
    if (first) reportRepeated(item, first, report);
    else seen.set(value, item);
  }
  return new Set(seen.keys());
}

function modelsOf({ node }: Held<unknown>, { report }: Normalizing): readonly string[] | null {
  if (node.kind !== 'list') return null;
  return [
    ...asSet(
      itemsOf(node).map((item) => [textOf(item), item] as const),
      report,
    ),
  ].sort();
}

function allowIpsOf({ node }: Held<unknown>, { report }: Normalizing): readonly IpRule[] | null {
  if (node.kind !== 'list') return null;
  const rules = itemsOf(node).flatMap((item) => {
    const parsed = parseIpRule(textOf(item));
    return parsed.ok ? [[parsed.rule, item] as const] : [];
  });
  return canonicalIpRules(asSet(rules, report));
}

function expiresOf({ value, node }: Held<string>, { report, now }: Normalizing): UnixSeconds | null | undefined {
  if (value === 'never') return null;
  const at = tryParseInstant(value);
  if (at === undefined || at > now) return at;
  report.problem({
    code: 'manifest.past-expiry',
    severity: 'warning',
    at: node.place,
    message: 'The expiry lies in the past: the key is refused.',
    found: found(node),
    expected: 'a time to come, or `never`',
    hint: 'Move it, or declare the key `enabled: false` if it shall be off.',
  });
  return at;
}

/** Numbers in the tiers that JavaScript would round: the gateway would get others than were written. */
function reportInexact(node: Tree, report: Report): boolean {
  if (node.kind === 'map') return node.entries.map((entry) => reportInexact(entry.node, report)).some(Boolean);
  if (node.kind === 'list') return node.items.map((item) => reportInexact(item, report)).some(Boolean);
  if (typeof node.value !== 'number') return false;
  const exact = Number.isFinite(node.value) ? exactNumber(node.source) : undefined;
  if (exact && renderDecimal(exact) === renderDecimal(decimalOf(node.value))) return false;
  report.problem({
    code: 'manifest.invalid-value',
    at: node.place,
    message: 'JSON can not hold this number exactly.',
    found: found(node),
    expected: 'a number of at most 15 digits',
    hint: 'Quote it if the gateway takes a text.',
  });
  return true;
}

function tiersOf({ node }: Held<unknown>, { report }: Normalizing): string | undefined {
  const tiers = tryFindEntry(node, 'tiers')?.node;
  if (!tiers || reportInexact(tiers, report)) return undefined;
  return canonicalJson(plain(tiers) as Json);
}

function checkRotation({ value, node }: Held<{ every: string; overlap: string }>, { report }: Normalizing): void {
  const [every = 0, overlap = 0] = [tryParseDuration(value.every), tryParseDuration(value.overlap)];
  if (overlap < every) return;
  const at = tryFindEntry(node, 'overlap')?.node ?? node;
  report.problem({
    code: 'manifest.invalid-value',
    at: at.place,
    message: 'The overlap is not shorter than the rotation.',
    found: found(at),
    expected: 'less than `every`',
    hint: 'Never more than two generations of a key exist at once.',
  });
}

/** Leaves out what is undefined: an absent field is not managed. */
function defined<T extends object>(fields: { readonly [F in keyof T]: T[F] | undefined }): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** Brings valid fields to the form in which they are compared, and reports what only shows on the way. */
export function normalize(fields: KeyFields, context: Normalizing): NormalFields {
  if (fields.rotate) checkRotation(fields.rotate, context);
  return {
    ...defined<Omit<NormalFields, 'pending'>>({
      enabled: fields.enabled && isTrue(fields.enabled.value),
      group: fields.group?.value,
      crossGroupRetry: fields.crossGroupRetry && isTrue(fields.crossGroupRetry.value),
      models: fields.models && modelsOf(fields.models, context),
      allowIps: fields.allowIps && allowIpsOf(fields.allowIps, context),
      expires: fields.expires && expiresOf(fields.expires, context),
      budget: fields.budget && budgetOf(fields.budget.node, context.report),
      smartRouting: fields.smartRouting && tiersOf(fields.smartRouting, context),
    }),
    pending: defined<{ rotate: boolean; deliver: boolean }>({
      rotate: fields.rotate && true,
      deliver: fields.deliver && true,
    }),
  };
}
