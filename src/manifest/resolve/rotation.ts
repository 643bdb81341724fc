import {
  budgetOfInput,
  budgetProblems,
  matchesAnyGlob,
  nameFold,
  type Ownership,
  RESERVED_FORMS,
  type Rotation,
  renderDuration,
  reservedFormOf,
  stemOf,
  tryParseDuration,
} from '../../domain/index.ts';
import { quoted, type Report, type SourceDiagnostic } from '../../source/index.ts';
import type { RotationFields } from '../schema/manifest.ts';
import type { DeclaredKey } from '../validate/declared-keys.ts';
import type { Validated } from '../validate/fields.ts';
import { describeNode, tryFindNode } from '../yaml/node.ts';

const seconds = (text: string): number => tryParseDuration(text) ?? 0;

/** The rotation of a key, parsed. */
export function rotationOf({ every, overlap, quiet, overlapBudget }: RotationFields): Rotation {
  const budget = overlapBudget && budgetProblems(overlapBudget).length === 0 ? budgetOfInput(overlapBudget) : undefined;
  return {
    every: seconds(every),
    overlap: seconds(overlap),
    ...(quiet !== undefined && { quiet: seconds(quiet) }),
    ...(budget && 'amount' in budget && { overlapBudget: budget.amount }),
  };
}

const LEAST_EVERY = 3600;

/** Reports a rotation that is too fast for names that state the minute, and an amount that is none. */
export function checkRotation({ value, node }: Validated<RotationFields>, report: Report): void {
  if (seconds(value.every) < LEAST_EVERY) {
    const at = tryFindNode(node, ['every']) ?? node;
    report.problem({
      code: 'manifest.invalid-value',
      at: at.place,
      message: 'A key cannot rotate more often than every hour.',
      found: describeNode(at),
      expected: '`1h` or longer',
      hint: 'Each generation needs time for its delivery and its checks.',
    });
  }
  for (const { message, expected = '', path = [] } of budgetProblems(value.overlapBudget ?? { unlimited: true })) {
    const at = tryFindNode(node, ['overlapBudget', ...path]) ?? node;
    report.problem({
      code: 'manifest.invalid-amount',
      at: at.place,
      message: `\`rotate.overlapBudget\`: ${message}`,
      found: describeNode(at),
      expected,
      hint: 'Write an amount like `{ usd: 5 }`.',
    });
  }
}

/** Reports a key that is declared to rotate, and whose old generations could never end, or that has no name of its own. */
export function checkRotatingKey(
  key: DeclaredKey,
  rotate: Validated<RotationFields>,
  { ownership: { protect }, propagate }: { readonly ownership: Ownership; readonly propagate: number },
  report: Report,
): void {
  if (seconds(rotate.value.overlap) < propagate) {
    const at = tryFindNode(rotate.node, ['overlap']) ?? rotate.node;
    report.problem({
      code: 'manifest.invalid-value',
      at: at.place,
      message: `The overlap is shorter than the time that the sinks of ${quoted(key.name)} take: the old secret could end before its readers have the new one.`,
      found: describeNode(at),
      expected: `${renderDuration(propagate)} or longer`,
      hint: 'Declare a longer overlap, or the real `propagate` of each sink.',
    });
  }
  const common = { code: 'manifest.invalid-value', at: key.fields.rotate?.at ?? key.at, found: '`rotate`' } as const;
  if (key.label !== undefined) {
    report.problem({
      ...common,
      message: 'A key that is adopted by its ID cannot rotate: its successor has another ID.',
      expected: 'a key that is declared by its name',
      hint: 'Declare the key by its name, without `id`, or remove `rotate`.',
    });
  } else if (matchesAnyGlob(protect, key.name)) {
    report.problem({
      ...common,
      message: 'A protected key cannot rotate: its old generations would never end.',
      expected: 'a key that `ownership.protect` does not match',
      hint: 'Remove the name from `ownership.protect`, or remove `rotate`.',
      related: [{ place: rotate.at, message: 'the rotation' }],
    });
  }
}

/** The advice about a name of a reserved form. */
const ADVICE: Readonly<Record<keyof typeof RESERVED_FORMS, Pick<SourceDiagnostic, 'expected' | 'hint'>>> = {
  generation: {
    expected: 'a name that does not end like `~20261125-1430`',
    hint: 'Declare the key by the part before the `~`: Keyplane finds its generations.',
  },
  quarantine: {
    expected: 'a name that does not end like `~q20261125-0a1b2c3`',
    hint: 'Declare the key by the part before the `~q`: Keyplane finds it, and gives it its name back.',
  },
};

/** Reports names that belong to the generations of other keys. */
export function checkGenerationNames(keys: readonly DeclaredKey[], report: Report): void {
  const stems = new Map<string, DeclaredKey>();
  for (const key of keys) {
    // Nothing else has such a name for a stem: one that was shortened has a `~`.
    if (!key.name.includes('~') && stemOf(key.name) === key.name) continue;
    const problem = (words: Pick<SourceDiagnostic, 'message' | 'expected' | 'hint' | 'related'>): void =>
      report.problem({ code: 'manifest.invalid-name', at: key.at, found: quoted(key.name), ...words });
    const form = reservedFormOf(key.name);
    if (form) problem({ message: `The name ${RESERVED_FORMS[form]}.`, ...ADVICE[form] });
    const stem = nameFold(stemOf(key.name));
    const other = stems.get(stem);
    stems.set(stem, other ?? key);
    if (other === undefined || nameFold(other.name) === nameFold(key.name)) continue;
    problem({
      message: `The generations of this key would have the names of those of ${quoted(other.name)}.`,
      expected: 'names that differ in their first 19 bytes',
      hint: 'Change one of the two names.',
      related: [{ place: other.at, message: 'the other key' }],
    });
  }
}
