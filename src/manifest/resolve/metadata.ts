import {
  type KeyMetadata,
  METADATA_TEXT_NAMES,
  type MetadataText,
  type OwnerRule,
  ownerByRule,
} from '../../domain/index.ts';
import type { Validated } from '../validate/fields.ts';
import type { DeclaredOwners } from '../validate/owners.ts';

/** The metadata of a key, or of `defaults`, as far as it is declared. */
export type DeclaredMetadata = {
  readonly [F in MetadataText]?: Validated<string>;
} & { readonly labels?: Validated<Readonly<Record<string, string>>> };

/** Compares two declarations by the order of their files, then by their places in the file. */
const byPlace =
  (files: readonly string[]) =>
  ({ at: a }: Validated<unknown>, { at: b }: Validated<unknown>): number =>
    files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line || a.column - b.column;

/**
 * The owners as rules, in the order in which the files name them. Objects have names that look like integers first, so their
 * order is not that of the text.
 */
export function ownerRules(
  owners: DeclaredOwners,
  parts: readonly { readonly owners: DeclaredOwners }[],
): readonly OwnerRule[] {
  const files = [...new Set(parts.flatMap((part) => Object.values(part.owners).map(({ at }) => at.file)))];
  const compare = byPlace(files);
  return Object.entries(owners)
    .sort(([, a], [, b]) => compare(a, b))
    .map(([owner, { value }]) => ({ owner, keys: value.keys ?? [], notify: value.notify ?? [] }));
}

const withoutUndefined = (fields: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const hasMetadata = (declared: DeclaredMetadata): boolean =>
  declared.labels !== undefined || METADATA_TEXT_NAMES.some((field) => declared[field] !== undefined);

/**
 * Merges the metadata of a key, of the rules of owners and of `defaults`, in this order of precedence. Labels are merged one by one.
 */
export function metadataOf(
  name: string,
  own: DeclaredMetadata,
  { defaults, rules }: { readonly defaults: DeclaredMetadata; readonly rules: readonly OwnerRule[] },
): KeyMetadata | undefined {
  if (rules.length === 0 && !hasMetadata(own) && !hasMetadata(defaults)) return undefined;
  const texts = METADATA_TEXT_NAMES.map((field) => [field, own[field]?.value ?? defaults[field]?.value] as const);
  const labels = { ...defaults.labels?.value, ...own.labels?.value };
  const owner = own.owner?.value ?? ownerByRule(name, rules) ?? defaults.owner?.value;
  const metadata = withoutUndefined({
    ...Object.fromEntries(texts),
    owner,
    labels: Object.keys(labels).length > 0 ? labels : undefined,
  });
  return Object.keys(metadata).length > 0 ? metadata : undefined;
}
