import {
  type Decimal,
  type DeclarableFields,
  type DesiredKey,
  declarableFields,
  FIELD_ROWS,
  type FieldName,
  type FieldRow,
  type KeyName,
  type KeySettings,
  nameProblem,
  type ObservedKey,
} from '../../../../domain/index.ts';
import { isWhollyKnown, type TerraformObject, type TerraformValue } from '../../../codec/value.ts';
import { DiagnosticError } from '../../../provider/diagnostics.ts';
import { decodeRotation } from '../rotation/block.ts';
import { decodeField, encodeField } from './codec.ts';
import { fieldErrors } from './field-errors.ts';

/** The rows of settings: all but the status, which a gateway changes on its own. */
export const MANAGED_ROWS = FIELD_ROWS.filter(([, row]) => !('isStatus' in row));

/** The settings that a field is stored in. */
export const settingsOf = (field: FieldName, row: FieldRow): readonly (keyof KeySettings)[] =>
  ('settings' in row ? Object.keys(row.settings) : [field]) as readonly (keyof KeySettings)[];

function decoded(
  [field, row]: (typeof MANAGED_ROWS)[number],
  value: TerraformValue,
): readonly (readonly [string, unknown])[] {
  const parsed = decodeField(row, value);
  if (parsed === undefined) return [];
  if (parsed.value !== undefined) return [[field, parsed.value]];
  const path = [row.terraform];
  throw new DiagnosticError(...fieldErrors(parsed, row).map((error) => ({ ...error, path })));
}

type Decoded = { readonly liveName: string | undefined; readonly key: DesiredKey };

/** A refresh decodes each state twice. Values never change. */
const lastDecoded = new WeakMap<TerraformObject, Decoded>();

/**
 * Decodes the declaration of a key. Attributes that are null or unknown are not managed.
 *
 * @param liveName the current name of the key, if it exists: another one renames it
 * @throws DiagnosticError when a value that was unknown during validation is invalid
 */
export function decodeKey(values: TerraformObject, liveName?: string): DesiredKey {
  const last = lastDecoded.get(values);
  if (last !== undefined && last.liveName === liveName) return last.key;
  const key = decode(values, liveName);
  lastDecoded.set(values, { liveName, key });
  return key;
}

function decode(values: TerraformObject, liveName: string | undefined): DesiredKey {
  const managed = MANAGED_ROWS.flatMap((entry) => {
    const value = values[entry[1].terraform] ?? null;
    return value !== null && isWhollyKnown(value) ? decoded(entry, value) : [];
  });
  const name = (typeof values.name === 'string' ? values.name : (liveName ?? '')) as KeyName;
  const rotate = decodeRotation(values);
  return {
    ...Object.fromEntries(managed),
    name,
    ...(typeof values.enabled === 'boolean' ? { enabled: values.enabled } : {}),
    ...(rotate && { rotate }),
    ...(liveName === undefined || liveName === name ? {} : { renamedFrom: liveName as KeyName }),
  };
}

/** The same key is read for its state and for what cannot be declared. */
const lastRead = new WeakMap<ObservedKey, { readonly quotaPerUnit: Decimal; readonly fields: DeclarableFields }>();

function fieldsOf(key: ObservedKey, quotaPerUnit: Decimal): DeclarableFields {
  const last = lastRead.get(key);
  if (last?.quotaPerUnit === quotaPerUnit) return last.fields;
  const fields = declarableFields(key, quotaPerUnit);
  lastRead.set(key, { quotaPerUnit, fields });
  return fields;
}

/** Encodes the declaration of a live key. Attributes that cannot be declared are null. */
export function encodeLive(key: ObservedKey, quotaPerUnit: Decimal): TerraformObject {
  const fields = fieldsOf(key, quotaPerUnit);
  return Object.fromEntries(
    MANAGED_ROWS.map(([field, row]) => {
      const declarable = fields[field as keyof DeclarableFields];
      const isDeclarable = declarable !== undefined && 'value' in declarable;
      return [row.terraform, isDeclarable ? encodeField(row, declarable.value) : null];
    }),
  );
}

/** The attributes of a live key whose value cannot be declared, with the reason. */
export function undeclarable(key: ObservedKey, quotaPerUnit: Decimal): readonly (readonly [string, string])[] {
  const fields = fieldsOf(key, quotaPerUnit);
  const problem = nameProblem(key.name);
  const settings = MANAGED_ROWS.flatMap(([field, row]) => {
    const declarable = fields[field as keyof DeclarableFields];
    return declarable && 'unrepresentable' in declarable ? [[row.terraform, declarable.unrepresentable] as const] : [];
  });
  return problem === undefined ? settings : [['name', problem], ...settings];
}

/** The values that a new key gets for omitted attributes: they are sent, and not left to the gateway. */
export const INITIAL_VALUES: TerraformObject = Object.fromEntries(
  MANAGED_ROWS.map(([, row]) => [row.terraform, 'initial' in row ? encodeField(row, row.initial as never) : null]),
);
