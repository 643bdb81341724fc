import type { ValueType } from '../../../../../src/terraform/codec/value.ts';
import { attributeType } from '../../../../../src/terraform/provider/schema.ts';
import type { Turn } from '../configuration.ts';
import { addressOfRead, isBlockOf, type Kind, type ReadCell } from './cells.ts';
import { type Arguments, type ReadFacts, type Value, valuesOf } from './values.ts';

/** A value of a type, for an attribute that must not have one. */
function sampleOf(type: ValueType): Value {
  if (type === 'number') return 1;
  if (type === 'bool') return true;
  if (typeof type === 'string') return 'a';
  // Core itself rejects an object in which a part is missing.
  if (type[0] === 'object') return Object.fromEntries(Object.keys(type[1]).map((name) => [name, null]));
  return type[0] === 'map' ? {} : [];
}

const isParts = (value: Value): value is { readonly [part: string]: Value } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The first value with a null in it: an element of its list, or its only part. */
function withNull(value: Value): Value {
  if (!isParts(value)) return Array.isArray(value) ? [...value, null] : value;
  const [[name = '', part = null] = []] = Object.entries(value);
  return { [name]: Array.isArray(part) ? withNull(part) : null };
}

const without = (args: Arguments, attribute: string): Arguments =>
  Object.fromEntries(Object.entries(args).filter(([name]) => name !== attribute));

/** The arguments of a cell, with the value that an unknown one turns out to have. */
export function argumentsOf(cell: ReadCell, turn: Turn, facts: ReadFacts): Arguments {
  const { attribute, transition, setter } = cell;
  const { base, own } = valuesOf(cell, facts);
  const omitted = { ...without(base, attribute), ...own.instead };
  // An argument that names one key replaces the other one.
  const rest = own.instead === undefined ? base : {};
  if (setter === 'computed') {
    const isWritten = transition === 'read-only' || transition === 'unknown' || transition === 'null';
    return isWritten
      ? { ...base, [attribute]: transition === 'null' ? null : sampleOf(attributeType(cell.schema)) }
      : base;
  }
  if (transition === 'omit' || (transition === 'remove' && turn === 'second')) return omitted;
  if (transition === 'null') return { ...omitted, [attribute]: null };
  if (transition === 'null element')
    return { ...rest, [attribute]: withNull(attribute === 'expect' ? own.second : own.first) };
  if (transition === 'drift') return { ...rest, [attribute]: own.drifting ?? own.first };
  return { ...rest, [attribute]: transition === 'remove' ? own.first : own[turn] };
}

const literal = (value: Value): string => JSON.stringify(value);

const sourceOf = (cell: ReadCell): string => `${addressOfRead(cell).replaceAll('.', '_')}`;

/** One argument as HCL. */
function lineOf(cell: ReadCell, name: string, value: Value): string {
  const isUnknown = cell.transition === 'unknown' && name === cell.attribute;
  const unknown = `terraform_data.${sourceOf(cell)}.output`;
  if (!isBlockOf(cell.reader, name)) return `  ${name} = ${isUnknown ? unknown : literal(value)}\n`;
  const parts = isParts(value) ? Object.entries(value) : [];
  const lines = parts.map(([part, each]) => `    ${part} = ${isUnknown ? `${unknown}.${part}` : literal(each)}\n`);
  return value === null ? '' : `  ${name} {\n${lines.join('')}  }\n`;
}

/** A resource that needs an ephemeral one during the apply: OpenTofu opens no other then. */
const userOf = (cell: ReadCell, turn: Turn): string =>
  `resource "terraform_data" "${sourceOf(cell)}_user" {
  triggers_replace = "${turn}"
  provisioner "local-exec" {
    command     = ":"
    environment = { SECRET = ${addressOfRead(cell)}.secret }
  }
}
`;

/** The blocks in which readers of a kind have their arguments. */
const CONTENTS: Readonly<Partial<Record<Kind, (body: string) => string>>> = {
  list: (body) => `  provider = keyplane\n  config {\n${body}  }\n`,
  action: (body) => `  config {\n${body}  }\n`,
};

/** @param condition what an ephemeral resource must have, as HCL: it is not in the state */
export function configurationOfRead(cell: ReadCell, turn: Turn, facts: ReadFacts, condition?: string): string {
  const { reader, label, transition, attribute } = cell;
  const args = argumentsOf(cell, turn, facts);
  const lines = Object.entries(args).map(([name, value]) => lineOf(cell, name, value));
  const check =
    condition === undefined
      ? ''
      : `  lifecycle {\n    postcondition {\n      condition = ${condition}\n      error_message = "It is another one."\n    }\n  }\n`;
  const value = args[attribute] ?? null;
  const source =
    transition === 'unknown' ? `resource "terraform_data" "${sourceOf(cell)}" {\n  input = ${literal(value)}\n}\n` : '';
  const body = lines.join('');
  const content = CONTENTS[reader.kind]?.(body) ?? body;
  const user = condition === undefined ? '' : userOf(cell, turn);
  return `${reader.kind} "${reader.type}" "${label}" {\n${content}${check}}\n${source}${user}`;
}
