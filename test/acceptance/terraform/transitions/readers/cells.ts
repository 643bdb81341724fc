import { keyplaneProvider } from '../../../../../src/terraform/keyplane/provider.ts';
import { type Attribute, isBlock, type Schema } from '../../../../../src/terraform/provider/schema.ts';
import { type Setter, TRANSITIONS, type Transition } from '../cells.ts';

/** The kinds of objects that the provider reads or invokes, and does not manage. */
export type Kind = 'data' | 'ephemeral' | 'list' | 'action';

export interface Reader {
  readonly kind: Kind;
  readonly type: string;
  readonly schema: Schema;
}

const { dataSources, ephemerals, listResources, actions } = keyplaneProvider({}, () => 0);

const readersOf = (kind: Kind, members: Readonly<Record<string, { readonly schema: Schema }>>): readonly Reader[] =>
  Object.entries(members).map(([type, { schema }]) => ({ kind, type, schema }));

/** Every data source, ephemeral resource, list resource and action of the provider. */
export const READERS: readonly Reader[] = [
  ...readersOf('data', dataSources),
  ...readersOf('ephemeral', ephemerals),
  ...readersOf('list', listResources),
  ...readersOf('action', actions),
];

export const titleOf = ({ kind, type }: Reader): string => `${kind} ${type}`;

/** Core has these only for what it manages. */
const MANAGED: readonly Transition[] = ['ignore alone', 'ignore and other', 'import', 'move', 'replace'];

export const READ_TRANSITIONS = TRANSITIONS.filter((transition) => !MANAGED.includes(transition));

export interface ReadCell {
  readonly reader: Reader;
  readonly attribute: string;
  readonly schema: Attribute;
  readonly setter: Setter;
  readonly transition: Transition;
  readonly label: string;
}

const cellsOf = (reader: Reader): readonly ReadCell[] =>
  Object.entries(reader.schema.attributes).flatMap(([attribute, schema]) =>
    READ_TRANSITIONS.map((transition) => ({
      reader,
      attribute,
      schema,
      setter: schema.set,
      transition,
      label: `${attribute}_${transition.replaceAll(/\W/g, '_')}`,
    })),
  );

/** Every transition of every attribute of every reader. */
export const READ_CELLS: readonly ReadCell[] = READERS.flatMap(cellsOf);

export const addressOfRead = ({ reader: { kind, type }, label }: ReadCell): string => `${kind}.${type}.${label}`;

export const isBlockOf = ({ schema }: Reader, attribute: string): boolean => {
  const { [attribute]: found } = schema.attributes;
  return found !== undefined && isBlock(found);
};
