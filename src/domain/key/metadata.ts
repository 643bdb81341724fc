import { matchesKeyGlob } from './key-glob.ts';
import { byText, matchesAnyGlob, type NameGlob } from './name.ts';

/**
 * Facts about a key that only people and reports use. They are kept in the manifest alone: no request contains them, and a
 * difference between them is never a change.
 */
export interface KeyMetadata {
  readonly owner?: string;
  readonly description?: string;
  readonly ticket?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** The texts of the metadata, in the order of manifests and reports. */
export const METADATA_TEXTS = {
  owner: 'The team or person that answers for the key. Kept in the manifest alone.',
  description: 'What the key is for, in one line. Kept in the manifest alone.',
  ticket: 'The ticket that asked for the key: its number or its URL. Kept in the manifest alone.',
} as const;

export type MetadataText = keyof typeof METADATA_TEXTS;
export const METADATA_TEXT_NAMES = Object.keys(METADATA_TEXTS) as readonly MetadataText[];

export const LABELS_DOC =
  'Labels, such as `team: search`. Kept in the manifest alone. Those of `defaults` and of the key are merged.';

/** One line of visible text, without surrounding spaces: it is printed in tables, and written as a tag. */
export const METADATA_TEXT = /^(?!\s)[^\p{Cc}\p{Cs}\u2028\u2029]{1,200}(?<!\s)$/u;

/** The name of a label, which every kind of sink accepts as the name of a tag. */
export const LABEL_NAME = /^[A-Za-z0-9]([A-Za-z0-9._/-]{0,61}[A-Za-z0-9])?$/u;

/** An owner, with the names of keys that are theirs and the people to notify about them. */
export interface OwnerRule {
  readonly owner: string;
  readonly keys: readonly NameGlob[];
  readonly notify: readonly string[];
}

/** The owner of a name, or of the key whose generation it is; the last rule that matches wins, as in CODEOWNERS files. */
export const ownerByRule = (name: string, rules: readonly OwnerRule[] = []): string | undefined =>
  rules.findLast(({ keys }) => matchesKeyGlob(keys, name))?.owner;

/** The metadata of a key that nobody declares: a rule may name its owner. */
export function metadataByRule(name: string, rules?: readonly OwnerRule[]): KeyMetadata | undefined {
  const owner = ownerByRule(name, rules);
  return owner === undefined ? undefined : { owner };
}

/** Selects labels: one of a value, or one of any value. */
export interface LabelSelector {
  readonly name: string;
  readonly value?: string;
}

/** Keys by their names, owners and labels: one of the names, one of the owners, and all labels. Empty: every key. */
export interface KeySelection {
  readonly names?: readonly NameGlob[];
  readonly owners?: readonly string[];
  readonly labels?: readonly LabelSelector[];
}

/** Does the selection ask for what only a manifest knows? */
export const selectsMetadata = ({ owners = [], labels = [] }: KeySelection): boolean =>
  owners.length > 0 || labels.length > 0;

export const selectsAll = (selection: KeySelection): boolean =>
  (selection.names ?? []).length === 0 && !selectsMetadata(selection);

const hasLabel = (labels: KeyMetadata['labels'], { name, value }: LabelSelector): boolean => {
  const own = labels && Object.hasOwn(labels, name) ? labels[name] : undefined;
  return own !== undefined && (value === undefined || own === value);
};

/** Is a key selected? @param names the names that mean it: a key that is renamed has two */
export function isSelected(
  { names: globs = [], owners = [], labels = [] }: KeySelection,
  names: readonly string[],
  metadata: KeyMetadata = {},
): boolean {
  const byName = globs.length === 0 || names.some((name) => matchesAnyGlob(globs, name));
  const byOwner = owners.length === 0 || (metadata.owner !== undefined && owners.includes(metadata.owner));
  return byName && byOwner && labels.every((label) => hasLabel(metadata.labels, label));
}

/** The labels as pairs, in the order of their names. */
export const labelPairs = ({ labels = {} }: KeyMetadata): readonly (readonly [string, string])[] =>
  Object.entries(labels).sort(([a], [b]) => byText(a, b));
