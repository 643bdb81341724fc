import type { FieldRow } from '../../../../domain/index.ts';
import type { TerraformObject } from '../../../codec/value.ts';
import type { OperationContext, ProposedChange, ResourceInstance } from '../../../provider/definition.ts';
import type { DiagnosticContent } from '../../../provider/diagnostics.ts';
import { privateOf } from '../private-data.ts';
import { decodeField } from '../values/codec.ts';
import { MANAGED_ROWS } from '../values/fields.ts';

/** The fields that restrict a key: those with a word for no restriction. */
const RESTRICTIONS: readonly FieldRow[] = MANAGED_ROWS.map(([, row]): FieldRow => row).filter(
  ({ unrestricted }) => unrestricted !== undefined,
);

/** Returns the restrictions that a configuration declares, for the private data of its key. */
export function declaredRestrictions(config: TerraformObject): { readonly declared?: readonly string[] } {
  const declared = RESTRICTIONS.map(({ terraform }) => terraform).filter((name) => (config[name] ?? null) !== null);
  return declared.length === 0 ? {} : { declared };
}

function isInForce(row: FieldRow, { state }: ResourceInstance): boolean {
  const value = state[row.terraform] ?? null;
  return value !== null && decodeField(row, value)?.value !== null;
}

const unrestrictedLine = ({ terraform, kind, unrestricted }: FieldRow): string =>
  `${terraform} = ${kind === 'instant' ? `"${unrestricted}"` : `["${unrestricted}"]`}`;

/** The summary names the key, because core groups warnings with one summary. */
const releaseWarning = (row: FieldRow, name: unknown): DiagnosticContent => ({
  summary: `\`${row.terraform}\` of the key ${JSON.stringify(name)} is no longer managed`,
  detail: `The configuration declared it and now omits it. The key keeps the restriction that it has, and Terraform no longer corrects it. To lift the restriction, set \`${unrestrictedLine(row)}\`.`,
  path: [row.terraform],
});

/**
 * Warns of restrictions that were removed from the configuration and stay in force. To restore the default would widen access by
 * deleting a line. Returns whether there are any: an apply then records that nobody declares them, so that the warning appears once.
 */
export function warnOfReleased(
  { prior, config }: Pick<ProposedChange, 'prior' | 'config'>,
  { warn }: Pick<OperationContext<unknown>, 'warn'>,
): boolean {
  if (prior === undefined) return false;
  const { declared = [] } = privateOf(prior);
  const released = RESTRICTIONS.filter(
    (row) => declared.includes(row.terraform) && (config[row.terraform] ?? null) === null && isInForce(row, prior),
  );
  for (const row of released) warn(releaseWarning(row, prior.state.name));
  return released.length > 0;
}
