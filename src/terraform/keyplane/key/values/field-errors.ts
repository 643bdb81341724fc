import type { Diagnostic, FieldRow, Parsed } from '../../../../domain/index.ts';
import type { DiagnosticContent } from '../../../provider/diagnostics.ts';
import { BUDGET_ATTRIBUTES } from './budget.ts';

const withoutStop = (message: string): string => message.replace(/\.$/, '');

const MISSPELLED = `Terraform drops other names than ${Object.keys(BUDGET_ATTRIBUTES)
  .map((name) => `\`${name}\``)
  .join(', ')}: check the spelling.`;

/** The advice that differs between front ends, in the terms of Terraform’s language. */
function remedyOf({ code, data }: Diagnostic, { kind, unrestricted }: FieldRow): string | undefined {
  if (code === 'manifest.empty-allowlist' || data?.unrestricted !== undefined) {
    return `Write \`["${unrestricted}"]\` for no restriction.`;
  }
  if (kind === 'budget' && data?.isMissing === true) return MISSPELLED;
  return kind === 'json' ? 'Write it with `jsonencode()`.' : undefined;
}

const mismatch = ({ expected, found }: Diagnostic): string | undefined =>
  expected && `Expected ${expected}${found === undefined ? '' : `, got ${found}`}.`;

/** Names the part of a budget in the text: core shows no line for attributes within an object. */
function summaryOf({ message, path = [] }: Diagnostic): string {
  const part = path.filter((step) => typeof step === 'string').join('.');
  return part === '' ? withoutStop(message) : `\`${part}\`: ${withoutStop(message)}`;
}

function contentOf(diagnostic: Diagnostic, row: FieldRow): DiagnosticContent {
  // Here the word is an entry, the only one of its list.
  const isWord = diagnostic.data?.unrestricted !== undefined;
  const parts = isWord ? [] : [mismatch(diagnostic), diagnostic.hint];
  const detail = [...parts, remedyOf(diagnostic, row)].filter((part) => part !== undefined).join(' ');
  const summary = isWord ? `\`${row.unrestricted}\` must be the only entry` : summaryOf(diagnostic);
  return { summary, ...(detail === '' ? {} : { detail }) };
}

/** The errors of a parsed field as Terraform shows them. */
export const fieldErrors = ({ diagnostics }: Parsed<unknown>, row: FieldRow): readonly DiagnosticContent[] =>
  diagnostics.filter(({ severity }) => severity === 'error').map((diagnostic) => contentOf(diagnostic, row));
