import { FIELD_ROWS } from '../../../../src/domain/index.ts';
import { KEY_SCHEMA } from '../../../../src/terraform/keyplane/key/schema.ts';
import { type Attribute, isBlock } from '../../../../src/terraform/provider/schema.ts';

export const TRANSITIONS = [
  'set',
  'omit',
  'null',
  'null element',
  'unknown',
  'read-only',
  'ignore alone',
  'ignore and other',
  'drift',
  'import',
  'move',
  'replace',
  'remove',
] as const;
export type Transition = (typeof TRANSITIONS)[number];

/** The setter of an attribute, according to the schema. */
export type Setter = Attribute['set'];

export interface Cell {
  readonly attribute: string;
  readonly setter: Setter;
  readonly transition: Transition;
  /** The label of its resource, and the first name of its key. */
  readonly label: string;
}

const cellsOf = ([attribute, { set: setter }]: readonly [string, Attribute]): readonly Cell[] =>
  TRANSITIONS.map((transition) => ({
    attribute,
    setter,
    transition,
    label: `${attribute}_${transition.replaceAll(/\W/g, '_')}`,
  }));

/** Every transition of every attribute of the schema. */
export const CELLS: readonly Cell[] = Object.entries(KEY_SCHEMA.attributes).flatMap(cellsOf);

export const ATTRIBUTES = Object.keys(KEY_SCHEMA.attributes);

/** Does the attribute have elements, none of which may be null? */
export function hasElements(attribute: string): boolean {
  const { [attribute]: found } = KEY_SCHEMA.attributes;
  return found !== undefined && 'type' in found && Array.isArray(found.type) && ['set', 'map'].includes(found.type[0]);
}

export function isObjectAttribute(attribute: string): boolean {
  const { [attribute]: found } = KEY_SCHEMA.attributes;
  return found !== undefined && 'nesting' in found;
}

/** Is the attribute written as a block? */
export function isBlockAttribute(attribute: string): boolean {
  const { [attribute]: found } = KEY_SCHEMA.attributes;
  return found !== undefined && isBlock(found);
}

const RESTRICTIONS = new Set(
  FIELD_ROWS.flatMap(([, row]) => (row.unrestricted === undefined ? [] : [row.terraform as string])),
);

/** Attributes with a word for no restriction. */
export const isRestriction = (attribute: string): boolean => RESTRICTIONS.has(attribute);
