import { canonicalJson, type Json, nameFold, type Place } from '../../domain/index.ts';
import { quoted, type Report } from '../../source/index.ts';
import type { TerraformCheck } from '../../tfjson/index.ts';
import type { DeclaredCheck } from '../validate/declared-checks.ts';
import type { DeclaredKey } from '../validate/declared-keys.ts';
import type { Validated } from '../validate/fields.ts';
import type { Part } from '../validate/part.ts';
import { describeNode, plain, type YamlNode } from '../yaml/node.ts';

interface Declaration {
  readonly node: YamlNode;
  readonly at: Place;
}

const sameValue = (a: YamlNode, b: YamlNode): boolean =>
  canonicalJson(plain(a) as Json) === canonicalJson(plain(b) as Json);

const sameNode = (a: Validated<unknown>, b: Validated<unknown>): boolean => sameValue(a.node, b.node);

function reportConflict(field: string, [first, second]: readonly [Declaration, Declaration], report: Report): void {
  report.problem({
    code: 'manifest.conflicting-field',
    at: second.node.place,
    message: `Conflicting values for \`${field}\`.`,
    found: describeNode(second.node),
    expected: 'the same value in each file',
    hint: 'Declare it in one file only.',
    related: [{ place: first.at, message: 'first declared here' }],
  });
}

type ValidatedMap = Readonly<Record<string, Validated<unknown> | undefined>>;

/** Merges one section of all parts. Several parts may declare the same value. */
export function mergeSections<T extends ValidatedMap>(
  section: string,
  parts: readonly T[],
  { report, same = sameNode }: { report: Report; same?: (a: Validated<unknown>, b: Validated<unknown>) => boolean },
): T {
  // Without a prototype: an owner may be called `__proto__`.
  const merged: Record<string, Validated<unknown> | undefined> = Object.create(null);
  for (const part of parts) {
    for (const [field, validated] of Object.entries(part)) {
      const first = merged[field];
      if (!validated) continue;
      if (!first) merged[field] = validated;
      else if (!same(first, validated)) reportConflict(`${section}.${field}`, [first, validated], report);
    }
  }
  return merged as T;
}

const specText = ({ spec: { place: _place, folder: _folder, ...spec } }: TerraformCheck): string => canonicalJson(spec);

function sameCheck(a: DeclaredCheck, b: DeclaredCheck): boolean {
  if (a.terraform && b.terraform) return specText(a.terraform) === specText(b.terraform);
  return !a.terraform && !b.terraform && sameValue(a.node, b.node);
}

/** Merges the check definitions of all parts, by name. */
export function mergeChecks(parts: readonly Part[], report: Report): ReadonlyMap<string, DeclaredCheck> {
  const merged = new Map<string, DeclaredCheck>();
  for (const entry of parts.flatMap((part) => part.checks)) {
    const first = merged.get(entry.name);
    if (!first) merged.set(entry.name, entry);
    else if (!sameCheck(first, entry)) reportConflict(`checks.${entry.name}`, [first, entry], report);
  }
  return merged;
}

const idOf = ({ fields }: DeclaredKey): number | undefined => fields.id?.value;

/** Do two declarations mean different keys? IDs distinguish them where both have one, and names otherwise. */
function areDistinct(a: DeclaredKey, b: DeclaredKey): boolean {
  const [one, other] = [idOf(a), idOf(b)];
  if (one !== undefined && other !== undefined) return one !== other;
  return nameFold(a.name) !== nameFold(b.name);
}

/** Merges all declared keys. Reports keys that repeat and names that differ only by case, and keeps the first. */
export function mergeKeys(parts: readonly Part[], report: Report): readonly DeclaredKey[] {
  const merged: DeclaredKey[] = [];
  const marked = new Map<string | number, DeclaredKey[]>();
  for (const key of parts.flatMap((part) => part.keys)) {
    const id = idOf(key);
    const marks = [nameFold(key.name), ...(id === undefined ? [] : [id])];
    const first = marks.flatMap((mark) => marked.get(mark) ?? []).find((other) => !areDistinct(key, other));
    if (!first) {
      merged.push(key);
      for (const mark of marks) marked.set(mark, [...(marked.get(mark) ?? []), key]);
      continue;
    }
    const same = first.name === key.name || id !== undefined;
    report.problem({
      code: 'manifest.duplicate-key',
      at: key.at,
      message: same ? `The key ${quoted(key.name)} is declared twice.` : 'Two key names differ only by case.',
      found: same ? quoted(key.name) : `${quoted(key.name)} and ${quoted(first.name)}`,
      expected: 'each name once, regardless of case',
      hint: same ? 'Remove or rename one of the two.' : 'Rename one of the two: some gateways ignore case.',
      related: [{ place: first.at, message: 'first declared here' }],
    });
  }
  return merged;
}
