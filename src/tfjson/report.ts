import type { Place } from '../domain/index.ts';
import { quoted, type Report, suggestion } from '../source/index.ts';
import { describe, type JsonNode } from './json/node.ts';

/** `budget.below.usd`, `models[0]`. */
export const renderPath = (path: readonly (string | number)[]): string =>
  path.map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`)).join('');

/** Reports an attribute that its block does not have. */
export function reportUnknownAttribute(
  { name, at }: { readonly name: string; readonly at: Place },
  { known, hint }: { readonly known: readonly string[]; readonly hint?: string },
  report: Report,
): void {
  const near = suggestion(name, known);
  report.problem({
    code: 'manifest.unknown-field',
    at,
    message: `Unknown attribute ${quoted(name)}.`,
    found: quoted(name),
    expected: `one of ${known.map((each) => `\`${each}\``).join(', ')}`,
    hint: hint ?? (near ? `Did you mean \`${near}\`?` : 'Remove it: Terraform rejects it as well.'),
  });
}

/** Reports a value of another type than its attribute. */
export function reportType(node: JsonNode, attribute: string, expected: string, report: Report): void {
  report.problem({
    code: 'manifest.wrong-type',
    at: node.place,
    message: `Invalid value for \`${attribute}\`.`,
    found: describe(node),
    expected,
    hint: 'Terraform rejects it as well.',
  });
}
