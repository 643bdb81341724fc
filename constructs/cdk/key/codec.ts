import { type IResolvable, Token } from 'cdktf';
import { type DeclaredInputs, type DeclaredKind, type FieldRow, LIFETIME } from '../../../src/domain/index.ts';
import { jsonText } from '../values/json-text.ts';
import { isDate, isRecord, jsonProblem, kindOf, unknownFields } from '../values/shape.ts';
import { holdsNumberToken, isUnresolved, unescaped } from '../values/unresolved.ts';
import { readBudget } from './budget.ts';

/** A value that was read: errors in its shape, the input of its parser, or neither while Terraform has to fill it in. */
export type PropReading<I> = { readonly errors: readonly string[] } | { readonly input: I } | 'unresolved';

/** A kind of field in a program: props, and the attributes of Terraform that they become. */
interface KindCodec<K extends DeclaredKind> {
  read(prop: unknown, row: FieldRow): PropReading<DeclaredInputs[K] | null>;
  toAttribute(prop: unknown, row: FieldRow): unknown;
  /** The prop with the same meaning as an attribute, which an override or a generated class may have written. */
  fromAttribute(attribute: unknown, row: FieldRow): unknown;
}

const failed = (...errors: readonly string[]) => ({ errors });
const asIs = (value: unknown): unknown => value;

const NUMBER_TOKEN = 'A number that only Terraform knows was written into a string. Wrap it: `Token.asString(value)`.';

export function readText(value: unknown): PropReading<string> {
  if (typeof value === 'string' && holdsNumberToken(value)) return failed(NUMBER_TOKEN);
  if (isUnresolved(value)) return 'unresolved';
  return typeof value === 'string' ? { input: unescaped(value) } : failed(`Expected a string, got ${kindOf(value)}.`);
}

export const readFlag = (value: unknown): PropReading<boolean> => {
  if (isUnresolved(value)) return 'unresolved';
  return typeof value === 'boolean' ? { input: value } : failed(`Expected true or false, got ${kindOf(value)}.`);
};

function readSet(value: unknown, { unrestricted }: FieldRow): PropReading<readonly string[] | null> {
  if (value === unrestricted) return { input: null };
  if (isUnresolved(value)) return 'unresolved';
  if (!Array.isArray(value)) {
    return failed(`Expected a list, got ${kindOf(value)}. For no restriction write \`'${unrestricted}'\`.`);
  }
  // Spreading turns the holes of a list into items that are undefined.
  const items = [...value].map(readText);
  const errors = items.flatMap((item) => (typeof item === 'object' && 'errors' in item ? item.errors : []));
  if (errors.length > 0) return failed(...errors);
  const known = items.flatMap((item) => (typeof item === 'object' && 'input' in item ? [item.input] : []));
  return known.length === 0 && items.length > 0 ? 'unresolved' : { input: known };
}

/** Renders an instant as Terraform writes it: a Date without its milliseconds. */
const instantText = (value: unknown): string =>
  isDate(value) && !Number.isNaN(value.getTime()) ? value.toISOString().replace('.000Z', 'Z') : String(value);

function readInstant(value: unknown, { unrestricted }: FieldRow): PropReading<string | null> {
  if (value === unrestricted) return { input: null };
  if (!isDate(value)) return readText(value);
  if (Number.isNaN(value.getTime())) return failed('The Date is invalid.');
  if (value.getMilliseconds() === 0) return { input: instantText(value) };
  return failed(
    'The Date has a fraction of a second. Keys expire at whole seconds. Do not compute an expiry from the current time: it would change at every synthesis.',
  );
}

function readTiers(value: unknown): PropReading<string> {
  if (isUnresolved(value)) return failed('Only its `tiers` can be known to Terraform alone.');
  if (!isRecord(value)) return failed(`Expected an object with \`tiers\`, got ${kindOf(value)}.`);
  const unknown = unknownFields(value, ['tiers']);
  if (unknown.length > 0) return failed(...unknown);
  if (!('tiers' in value)) return { input: '' };
  const { tiers } = value;
  // A value that got lost on its way must not remove the tiers of a key.
  if (tiers === undefined || tiers === null)
    return failed('`tiers` is missing. Write `{}` for Smart Routing without tiers.');
  const problem = jsonProblem(tiers, isUnresolved);
  if (problem !== undefined) return failed(`The tiers are not valid JSON: ${problem}.`);
  const text = jsonText(tiers);
  return isUnresolved(text) ? 'unresolved' : { input: unescaped(text) };
}

/** Marks a whole object as unresolved: the generated classes drop an object that is a string. */
const wholeToken = (value: unknown): IResolvable => Token.asAny(value);

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== false;

/** Keeps amounts as they are: Terraform reads a decimal string as an exact number. */
function budgetAttribute(budget: unknown): unknown {
  if (budget === 'unlimited') return { unlimited: true };
  if (isUnresolved(budget)) return wholeToken(budget);
  if (!isRecord(budget)) return undefined;
  const { below, ...given } = Object.fromEntries(Object.entries(budget).filter(([, value]) => isSet(value)));
  const isLifetime = below === undefined && !('per' in given) && !('initial' in given);
  const parts = isLifetime ? { ...given, per: LIFETIME } : given;
  if (isUnresolved(below)) return { ...parts, below: wholeToken(below) };
  return isRecord(below) ? { ...parts, below } : parts;
}

function tiersAttribute(routing: unknown): unknown {
  if (!isRecord(routing)) return undefined;
  if (!('tiers' in routing)) return '';
  const { tiers } = routing;
  return tiers !== undefined && jsonProblem(tiers, isUnresolved) === undefined ? jsonText(tiers) : undefined;
}

const SET = {
  read: readSet,
  toAttribute: (prop: unknown) => (typeof prop === 'string' && !isUnresolved(prop) ? [prop] : prop),
  fromAttribute: (attribute: unknown, { unrestricted }: FieldRow) =>
    Array.isArray(attribute) && attribute.length === 1 && attribute[0] === unrestricted ? unrestricted : attribute,
};

const CODECS: { readonly [K in DeclaredKind]: KindCodec<K> } = {
  flag: { read: readFlag, toAttribute: asIs, fromAttribute: asIs },
  text: { read: readText, toAttribute: asIs, fromAttribute: asIs },
  textSet: SET,
  ipSet: SET,
  instant: { read: readInstant, toAttribute: instantText, fromAttribute: asIs },
  budget: {
    read(budget) {
      if (isUnresolved(budget)) return 'unresolved';
      const parsed = readBudget(budget);
      return Array.isArray(parsed) ? failed(...parsed) : { input: parsed as DeclaredInputs['budget'] };
    },
    toAttribute: budgetAttribute,
    fromAttribute: (budget) => (isRecord(budget) && budget.unlimited === true ? 'unlimited' : budget),
  },
  // The provider judges the text of an attribute: what Terraform makes of it is not known here.
  json: { read: readTiers, toAttribute: tiersAttribute, fromAttribute: () => undefined },
};

type PropRow<K extends DeclaredKind> = FieldRow & { readonly kind: K };

export const readProp = <K extends DeclaredKind>(
  row: PropRow<K>,
  prop: unknown,
): PropReading<DeclaredInputs[K] | null> => CODECS[row.kind].read(prop, row);

export const toAttribute = (row: FieldRow, prop: unknown): unknown => CODECS[row.kind].toAttribute(prop, row);

export const fromAttribute = (row: FieldRow, attribute: unknown): unknown =>
  CODECS[row.kind].fromAttribute(attribute, row);
