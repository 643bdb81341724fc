import {
  type Decimal,
  type DeclarableFields,
  type DesiredKey,
  declarableFields,
  declaredNameProblem,
  FIELD_ROWS,
  type FieldName,
  type FieldRow,
  type KeyName,
  type KeySettings,
  looksLikeCredential,
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

const NOT_NORMAL = 'it is not in Unicode normal form C, in which Terraform writes every text';

/** Core normalizes every text that it reads: another form would be a difference that no plan can show. */
const isNormal = (value: TerraformValue): boolean =>
  typeof value === 'string' ? value === value.normalize('NFC') : !Array.isArray(value) || value.every(isNormal);

/** Returns what is wrong with a live name in a configuration of Terraform, or undefined when it can be there. */
export function liveNameProblem(name: string): string | undefined {
  if (looksLikeCredential(name)) return 'it looks like a credential';
  return declaredNameProblem(name) ?? (isNormal(name) ? undefined : NOT_NORMAL);
}

type Encoded = { readonly value: TerraformValue } | { readonly unrepresentable: string };

type EncodedFields = readonly (readonly [string, Encoded])[];

/** The same key is read for its state and for what cannot be declared. */
const lastRead = new WeakMap<ObservedKey, { readonly quotaPerUnit: Decimal; readonly fields: EncodedFields }>();

function encodedFields(key: ObservedKey, quotaPerUnit: Decimal): EncodedFields {
  const last = lastRead.get(key);
  if (last?.quotaPerUnit === quotaPerUnit) return last.fields;
  const fields = encode(key, quotaPerUnit);
  lastRead.set(key, { quotaPerUnit, fields });
  return fields;
}

function encode(key: ObservedKey, quotaPerUnit: Decimal): EncodedFields {
  const fields = declarableFields(key, quotaPerUnit);
  return MANAGED_ROWS.map(([field, row]) => {
    const declarable = fields[field as keyof DeclarableFields];
    if (declarable === undefined) return [row.terraform, { value: null }];
    if ('unrepresentable' in declarable) return [row.terraform, declarable];
    const value = encodeField(row, declarable.value);
    return [row.terraform, isNormal(value) ? { value } : { unrepresentable: NOT_NORMAL }];
  });
}

/** Encodes the declaration of a live key. Attributes that cannot be declared are null. */
export const encodeLive = (key: ObservedKey, quotaPerUnit: Decimal): TerraformObject =>
  Object.fromEntries(
    encodedFields(key, quotaPerUnit).map(([name, encoded]) => [name, 'value' in encoded ? encoded.value : null]),
  );

/** The attributes of a live key whose value cannot be declared, with the reason. */
export function undeclarable(key: ObservedKey, quotaPerUnit: Decimal): readonly (readonly [string, string])[] {
  const problem = liveNameProblem(key.name);
  const settings = encodedFields(key, quotaPerUnit).flatMap(([name, encoded]) =>
    'unrepresentable' in encoded ? [[name, encoded.unrepresentable] as const] : [],
  );
  return problem === undefined ? settings : [['name', problem], ...settings];
}

/** The values that a new key gets for omitted attributes: they are sent, and not left to the gateway. */
export const INITIAL_VALUES: TerraformObject = Object.fromEntries(
  MANAGED_ROWS.map(([, row]) => [row.terraform, 'initial' in row ? encodeField(row, row.initial as never) : null]),
);
