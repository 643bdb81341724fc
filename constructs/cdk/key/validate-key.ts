import {
  type DeclaredKind,
  declaredNameProblem,
  FIELD_ROWS,
  type FieldRow,
  looksLikeCredential,
  parseValue,
  renderInstant,
  type UnixSeconds,
} from '../../../src/domain/index.ts';
import type { KeyAttributes, SynthesizedBlock } from '../stack/synthesized.ts';
import { pastedCredentials } from '../values/credentials.ts';
import { unknownFields, within } from '../values/shape.ts';
import { isLiteral, isUnresolved } from '../values/unresolved.ts';
import { fromAttribute, type PropReading, readFlag, readProp, readText } from './codec.ts';
import { errorText } from './errors.ts';

/** The errors of a key; what Terraform fills in is left to the provider. */
export interface KeyErrors {
  readonly errors: readonly string[];
  /** The key has expired: an error or a warning, as the app has it. */
  readonly past?: string;
}

const shapeErrors = (field: string, reading: PropReading<unknown>): readonly string[] =>
  typeof reading === 'object' && 'errors' in reading ? reading.errors.map((text) => within(field, text)) : [];

export const flagErrors = (field: string, value: unknown): readonly string[] =>
  value === undefined ? [] : shapeErrors(field, readFlag(value));

/** The texts that JavaScript writes into a string where a value is missing: two programs would share the key `prod-undefined`. */
const MISSING = /(?<![\p{L}\p{N}])(?:undefined|NaN|\[object \w+\])(?![\p{L}\p{N}])/u;

function nameErrors(name: unknown): readonly string[] {
  const reading = readText(name);
  if (reading === 'unresolved') {
    return ['`name`: The name is not resolved yet. Names must be known at synthesis, because they are unique.'];
  }
  if ('errors' in reading) return shapeErrors('name', reading);
  const { input } = reading;
  if (looksLikeCredential(input)) {
    return [
      '`name`: The name looks like a credential. Names are shown everywhere. If this is a credential, revoke it.',
    ];
  }
  const [missing] = MISSING.exec(input) ?? [];
  if (missing !== undefined) {
    return [
      `\`name\`: ${JSON.stringify(input)} contains \`${missing}\`: a value that your program inserts is missing.`,
    ];
  }
  const problem = declaredNameProblem(input);
  return problem ? [`\`name\`: Invalid key name ${JSON.stringify(input)}: ${problem}.`] : [];
}

/** The errors of the name that a key may still have: Keyplane reads it, and Terraform never fills it in. */
export function formerNameErrors(name: unknown): readonly string[] {
  if (name === undefined) return [];
  const reading = readText(name);
  if (reading === 'unresolved')
    return ['`renamedFrom`: The name is not resolved yet. Keyplane reads it from the synthesized stack.'];
  if ('errors' in reading) return shapeErrors('renamedFrom', reading);
  return reading.input === '' ? ['`renamedFrom`: The name is empty.'] : pastedCredentials('renamedFrom', name);
}

function pastError(field: string, { kind }: FieldRow, value: unknown, now: UnixSeconds): string | undefined {
  if (kind !== 'instant' || typeof value !== 'number' || value > now) return undefined;
  return `\`${field}\`: ${renderInstant(value)} is in the past. Nobody can use such a key: change the time, or remove the key.`;
}

/** Parses one field, given as a prop. */
function fieldErrors<K extends DeclaredKind>(
  field: string,
  row: FieldRow & { readonly kind: K },
  prop: unknown,
  now: UnixSeconds,
): KeyErrors {
  if (prop === undefined) return { errors: [] };
  const reading = readProp(row, prop);
  if (reading === 'unresolved' || 'errors' in reading) return { errors: shapeErrors(field, reading) };
  const { value, diagnostics } = parseValue(row, reading.input);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const past = pastError(field, row, value, now);
  return {
    errors: errors.map((diagnostic) => errorText(field, diagnostic, row.unrestricted)),
    ...(past === undefined ? {} : { past }),
  };
}

function merged(errors: readonly string[], fields: readonly KeyErrors[]): KeyErrors {
  const [past] = fields.flatMap((field) => field.past ?? []);
  return {
    errors: [...errors, ...fields.flatMap((field) => field.errors)],
    ...(past === undefined ? {} : { past }),
  };
}

/**
 * The values of an app that are valid, and combinations of them, as JSON: many keys have the same lists. A literal is valid in any key, and
 * at any time if it is not one.
 */
export type ValidValues = Set<string>;

/** JSON omits what is undefined, and some rules do not. No literal has a brace. */
const withUndefined = (_name: string, part: unknown): unknown => (part === undefined ? '{undefined}' : part);

/** The text of a value that is as valid in one key as in another. */
const lastingText = (value: unknown): string | undefined =>
  isLiteral(value) ? JSON.stringify(value, withUndefined) : undefined;

function rememberedErrors<K extends DeclaredKind>(
  field: string,
  row: FieldRow & { readonly kind: K },
  prop: unknown,
  { now, valid }: KeySituation,
): KeyErrors {
  const text = prop === undefined || row.kind === 'instant' ? undefined : lastingText({ [field]: prop });
  if (text !== undefined && valid.has(text)) return { errors: [] };
  const found = fieldErrors(field, row, prop, now);
  if (text !== undefined && found.errors.length === 0) valid.add(text);
  return found;
}

/** The props that many keys can share. */
export const SHARED_PROPS: readonly string[] = [
  ...FIELD_ROWS.map(([field]) => field),
  ...['preventDestroy', 'rotation', 'dependsOn'],
];

/** The props of a key. Those that are not fields are known here only to be named. */
const PROPS = ['name', ...SHARED_PROPS, 'renamedFrom', 'provider', 'forEach'];

/** The circumstances of a validation. */
interface KeySituation {
  /** Unix seconds. */
  readonly now: UnixSeconds;
  /** One block makes many keys, whose names Terraform builds. */
  readonly isRepeated: boolean;
  readonly valid: ValidValues;
}

const hasInstant = (fields: Readonly<Record<string, unknown>>): boolean =>
  FIELD_ROWS.some(([field, { kind }]) => kind === 'instant' && fields[field] !== undefined);

/** Validates the props of a key by the rules of the manifest. */
export function validateKey({ name, ...rest }: { readonly name: unknown }, situation: KeySituation): KeyErrors {
  const fields: Readonly<Record<string, unknown>> = rest;
  const { valid } = situation;
  const isBuilt = situation.isRepeated && isUnresolved(name);
  const named = isBuilt ? [] : nameErrors(name);
  const text = hasInstant(fields) ? undefined : lastingText(fields);
  if (text !== undefined && valid.has(text)) return { errors: named };
  const found = FIELD_ROWS.map(([field, row]) => rememberedErrors(field, row, fields[field], situation));
  const result = merged([...unknownFields(fields, PROPS), ...named], found);
  if (text !== undefined && result.errors.length === 0) valid.add(text);
  return result;
}

/** With `count` or `for_each`, one block makes many keys: a fixed name would be given to all of them. */
function repeatedName({ name, count, for_each: each }: KeyAttributes): readonly string[] {
  const isRepeated = (count ?? each ?? undefined) !== undefined;
  return isRepeated && !isUnresolved(name)
    ? ['`name`: Each of the keys would have this name. Build it from `each.key` or `count.index`.']
    : [];
}

/** Finds credentials in the block of a key or a check. */
export const credentialsIn = (attributes: KeyAttributes): readonly string[] =>
  Object.entries(attributes).flatMap(([name, value]) => pastedCredentials(name, value));

/** The errors of a block's name. A name that only Terraform knows is allowed here, because one block may make many keys. */
export function blockNameErrors({ attributes }: SynthesizedBlock, isFromProps: boolean): readonly string[] {
  const isGenerated = attributes.name === undefined && attributes.name_prefix !== undefined;
  const isValidated = isFromProps || isGenerated || isUnresolved(attributes.name);
  return [...(isValidated ? [] : nameErrors(attributes.name)), ...repeatedName(attributes)];
}

/**
 * Validates the attributes of a block that are not those of its props: of generated classes, and overrides.
 *
 * @param fromProps the attributes that were validated as props
 */
export function validateBlock(block: SynthesizedBlock, fromProps: ReadonlySet<string>, now: UnixSeconds): KeyErrors {
  const { attributes } = block;
  const fields = FIELD_ROWS.map(([field, row]) => {
    const value = attributes[row.terraform] ?? undefined;
    const isValidated = value === undefined || fromProps.has(row.terraform);
    return isValidated ? { errors: [] } : fieldErrors(field, row, fromAttribute(row, value), now);
  });
  return merged(blockNameErrors(block, fromProps.has('name')), fields);
}
