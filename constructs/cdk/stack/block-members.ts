import { BLOCK_ATTRIBUTES } from '../../gen/attributes.ts';
import { isRecord, unknownFields, within } from '../values/shape.ts';
import type { KeyAttributes } from './synthesized.ts';

/** The members that Terraform or OpenTofu itself takes, in the blocks that every block may have. */
const META_MEMBERS = {
  lifecycle: [
    'create_before_destroy',
    'prevent_destroy',
    'ignore_changes',
    'replace_triggered_by',
    'precondition',
    'postcondition',
    'action_trigger',
    'enabled',
    'destroy',
  ],
  'lifecycle.precondition': ['condition', 'error_message'],
  'lifecycle.postcondition': ['condition', 'error_message'],
};

type KnownMembers = Readonly<Record<string, readonly string[]>>;

/** A block is an object, or a list of them where it may occur more than once. */
const objectsIn = (value: unknown): readonly Readonly<Record<string, unknown>>[] => [value].flat().filter(isRecord);

const present = (object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

function errorsIn(path: string, value: unknown, members: KnownMembers): readonly string[] {
  const { [path]: known } = members;
  if (known === undefined) return [];
  return objectsIn(value).flatMap((object) => [
    ...unknownFields(present(object), known).map((error) => within(path, error)),
    ...known.flatMap((name) => errorsIn(`${path}.${name}`, object[name], members)),
  ]);
}

/** The contents of the blocks that Terraform repeats for each element of a list. */
const dynamicBlocks = (dynamic: unknown): readonly (readonly [name: string, content: unknown])[] =>
  objectsIn(dynamic).flatMap((blocks) =>
    Object.entries(blocks).flatMap(([name, each]) => objectsIn(each).map(({ content }) => [name, content] as const)),
  );

/** The members of any other budget are read with it. */
const isReadWhole = (name: string, value: unknown): boolean =>
  name === 'budget' && isRecord(value) && value.unlimited !== true;

/**
 * Finds members that a block does not have. Terraform drops those of an object in silence, and names the line of the synthesized file for
 * those of a block. What only Terraform knows is left to it.
 */
export function memberErrors(type: keyof typeof BLOCK_ATTRIBUTES, attributes: KeyAttributes): readonly string[] {
  const members: KnownMembers = { ...META_MEMBERS, ...BLOCK_ATTRIBUTES[type].members };
  return [...Object.entries(attributes), ...dynamicBlocks(attributes.dynamic)].flatMap(([name, value]) =>
    isReadWhole(name, value) ? [] : errorsIn(name, value, members),
  );
}
