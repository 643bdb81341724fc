import { canonicalJson, type Json, nameFold, type Place } from '../../domain/index.ts';
import { quoted, type Report } from '../../source/index.ts';
import type { Held } from '../validate/fields.ts';
import type { DeclaredCheck, DeclaredKey, Part } from '../validate/part.ts';
import { found, plain, type Tree } from '../yaml/tree.ts';

interface Said {
  readonly node: Tree;
  readonly at: Place;
}

const sameValue = (a: Tree, b: Tree): boolean => canonicalJson(plain(a) as Json) === canonicalJson(plain(b) as Json);

const sameHeld = (a: Held<unknown>, b: Held<unknown>): boolean => sameValue(a.node, b.node);

function reportConflict(field: string, [first, second]: readonly [Said, Said], report: Report): void {
  report.problem({
    code: 'manifest.conflicting-field',
    at: second.node.place,
    message: `Two parts of the manifest say different things about \`${field}\`.`,
    found: found(second.node),
    expected: 'the same value, or one place that says it',
    hint: 'Keep it in one file.',
    related: [{ place: first.at, message: 'the other one' }],
  });
}

type HeldMap = Readonly<Record<string, Held<unknown> | undefined>>;

/** One section from all parts. A field may stand in several parts when they agree. */
export function mergeSections<T extends HeldMap>(
  section: string,
  parts: readonly T[],
  { report, same = sameHeld }: { report: Report; same?: (a: Held<unknown>, b: Held<unknown>) => boolean },
): T {
  const merged: Record<string, Held<unknown> | undefined> = {};
  for (const part of parts) {
    for (const [field, held] of Object.entries(part)) {
      const first = merged[field];
      if (!held) continue;
      if (!first) merged[field] = held;
      else if (!same(first, held)) reportConflict(`${section}.${field}`, [first, held], report);
    }
  }
  return merged as T;
}

/** The definitions of checks of all parts, by name. */
export function mergeChecks(parts: readonly Part[], report: Report): ReadonlyMap<string, DeclaredCheck> {
  const merged = new Map<string, DeclaredCheck>();
  for (const entry of parts.flatMap((part) => part.checks)) {
    const first = merged.get(entry.name);
    if (!first) merged.set(entry.name, entry);
    else if (!sameValue(first.node, entry.node)) reportConflict(`checks.${entry.name}`, [first, entry], report);
  }
  return merged;
}

/** All declared keys; a name that stands twice, or in two spellings, is reported with both places, and its first kept. */
export function mergeKeys(parts: readonly Part[], report: Report): readonly DeclaredKey[] {
  const merged = new Map<string, DeclaredKey>();
  for (const key of parts.flatMap((part) => part.keys)) {
    const first = merged.get(nameFold(key.name));
    if (!first) {
      merged.set(nameFold(key.name), key);
      continue;
    }
    const same = first.name === key.name;
    report.problem({
      code: 'manifest.duplicate-key',
      at: key.at,
      message: same ? `The key ${quoted(key.name)} is declared twice.` : 'Two key names differ only by case.',
      found: same ? quoted(key.name) : `${quoted(key.name)} beside ${quoted(first.name)}`,
      expected: 'each name once, without regard to case',
      hint: same
        ? 'Keep one of the two, or give one another name.'
        : 'Some gateways ignore case: rename one of the two.',
      related: [{ place: first.at, message: 'first declared here' }],
    });
  }
  return [...merged.values()];
}
