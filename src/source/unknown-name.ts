import { distance } from 'fastest-levenshtein';
import type { Place } from '../domain/index.ts';
import type { Report } from './diagnostics.ts';
import { quoted } from './quote.ts';

/** “did you mean …?”, when one of the known names is near. */
export function suggestion(name: string, known: readonly string[]): string | undefined {
  const folded = name.toLowerCase();
  const near = [...known].sort((a, b) => distance(folded, a.toLowerCase()) - distance(folded, b.toLowerCase()))[0];
  if (near === undefined) return undefined;
  const steps = distance(folded, near.toLowerCase());
  // In a short name, two other letters are another word; two in another order are a slip.
  const isSlip = steps <= 1 || name.length > 3 || sorted(folded) === sorted(near.toLowerCase());
  return isSlip && steps < name.length && steps <= Math.max(2, Math.floor(name.length / 3)) ? near : undefined;
}

const sorted = (text: string): string => [...text].sort().join('');

const asList = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** Reports a field that a map cannot have: it is unknown, or excludes the other fields. */
export function reportUnknown(
  report: Report,
  { name, at }: { name: string; at: Place },
  { known, hint }: { known: readonly string[]; hint?: string },
): void {
  const near = suggestion(name, known);
  const advice = hint ?? (near === undefined ? undefined : `Did you mean \`${near}\`?`);
  report.problem({
    code: 'manifest.unknown-field',
    at,
    message: `There is no field ${quoted(name)} here.`,
    found: quoted(name),
    expected: known.length > 0 ? `one of ${asList(known)}` : 'no field',
    hint: advice ?? 'Remove this field.',
    ...(advice === undefined ? { remedy: 'list-fields' } : {}),
  });
}
