import { isSameValue } from '../../../codec/same-value.ts';
import { isWhollyKnown, type TerraformObject, type TerraformValue } from '../../../codec/value.ts';
import type { ProposedChange, ResourceInstance } from '../../../provider/definition.ts';
import { attributeType } from '../../../provider/schema.ts';
import { privateOf } from '../private-data.ts';
import { KEY_SCHEMA } from '../schema.ts';
import { decodeField } from './codec.ts';
import { MANAGED_ROWS } from './fields.ts';

/** Determines whether two values of an attribute declare the same. JSON may be written in several ways. */
export function isSameDeclaration(name: string, one: TerraformValue, other: TerraformValue): boolean {
  const attribute = KEY_SCHEMA.attributes[name];
  if (attribute !== undefined && isSameValue(one, other, attributeType(attribute))) return true;
  const row = MANAGED_ROWS.find(([, { terraform }]) => terraform === name)?.[1];
  if (row?.kind !== 'json' || typeof one !== 'string' || typeof other !== 'string') return false;
  return decodeField(row, one)?.value === decodeField(row, other)?.value;
}

interface Values {
  readonly configured: TerraformValue;
  readonly planned: TerraformValue;
}

/**
 * An attribute whose planned value is the prior one, while another is configured, is in `ignore_changes`: the key keeps what the
 * gateway has. A budget is as planned, because the plan shows whether the remaining quota changes.
 */
function valueForLive(name: string, { configured, planned }: Values, prior: ResourceInstance): TerraformValue {
  // A generated name is planned, and not configured.
  if (name === 'name' && configured === null) return planned === (prior.state.name ?? null) ? null : planned;
  // The gateway has no rotation: the one that `ignore_changes` keeps is planned.
  if (name === 'rotation') return planned;
  if (name === 'budget') return configured === null && privateOf(prior).imported ? null : planned;
  const isIgnored =
    !isSameDeclaration(name, configured, planned) && isSameDeclaration(name, planned, prior.state[name] ?? null);
  return configured === null || isIgnored ? null : planned;
}

/**
 * Returns the values to write. Core applies `ignore_changes` to the configuration before a plan; at an apply it sends the
 * configuration as it is written, next to the planned state.
 */
export const declaredValues = ({ prior, config, planned }: ProposedChange): TerraformObject =>
  Object.fromEntries(
    Object.keys(KEY_SCHEMA.attributes).map((name): [string, TerraformValue] => {
      const values = { configured: config[name] ?? null, planned: planned[name] ?? null };
      const { configured } = values;
      if (prior === undefined || !isWhollyKnown(values.planned)) return [name, configured];
      return [name, valueForLive(name, values, prior)];
    }),
  );
