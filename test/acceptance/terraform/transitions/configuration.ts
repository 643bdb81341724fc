import { KEY_SCHEMA } from '../../../../src/terraform/keyplane/key/schema.ts';
import { type Cell, isBlockAttribute } from './cells.ts';
import { type Edit, readValue, setValues } from './values.ts';

/** The facts that imports depend on. */
export interface Imports {
  /** The keys to import, by label. */
  readonly ids: ReadonlyMap<string, number>;
  /** Does the gateway report what a key used? If not, an import reads a budget that is only set once. */
  readonly isUseReported: boolean;
}

/** A cell before its key exists, or after that. */
export type Turn = 'first' | 'second';

/** The attribute that changes next to an ignored one. */
export const otherOf = (attribute: string): string => (attribute === 'group' ? 'models' : 'group');

export const isRead = ({ setter }: Cell): boolean => setter === 'computed';

/** The object with one more part, which is null; a set with one more element. */
function withNull(attribute: string, value: string): string {
  const { [attribute]: schema } = KEY_SCHEMA.attributes;
  if (schema === undefined || !('nesting' in schema))
    return value.replace(/\]$/, ', null]').replace(/ \}$/, ', none = null }');
  const part = Object.keys(schema.attributes).find((name) => !value.includes(name));
  return value.replace(/ \}$/, `, ${part} = null }`);
}

/** The value of the attribute as HCL; undefined where the configuration omits it. */
function valueIn({ attribute, transition, label, setter }: Cell, turn: Turn, imports: Imports): string | undefined {
  if (transition === 'omit' || (transition === 'remove' && turn === 'second')) return undefined;
  if (transition === 'null') return 'null';
  if (transition === 'unknown') return `terraform_data.${label}.output`;
  if (setter === 'computed') return transition === 'read-only' ? readValue(attribute).written : undefined;
  const values = setValues(attribute, label);
  if (transition === 'import') return imports.isUseReported ? values.first : (values.imported ?? values.first);
  if (transition === 'null element') return withNull(attribute, values[turn]);
  return transition === 'set' || transition.startsWith('ignore') ? values[turn] : values.first;
}

const addressedLabel = ({ label, transition }: Cell, turn: Turn): string =>
  transition === 'move' && turn === 'second' ? `${label}_moved` : label;

export const addressOf = (cell: Cell, turn: Turn): string => `keyplane_api_key.${addressedLabel(cell, turn)}`;

/** The value that is unknown until the apply. */
const inputOf = (cell: Cell, turn: Turn): string =>
  isRead(cell) ? readValue(cell.attribute).written : setValues(cell.attribute, cell.label)[turn];

/** The blocks next to the resource. */
function blocksOf(cell: Cell, turn: Turn, imports: Imports): string {
  const { transition, label } = cell;
  const blocks = {
    unknown: () => `resource "terraform_data" "${label}" {\n  input = ${inputOf(cell, turn)}\n}\n`,
    import: () => `import {\n  to = ${addressOf(cell, turn)}\n  id = "${imports.ids.get(label)}"\n}\n`,
    move: () =>
      turn === 'second' ? `moved {\n  from = ${addressOf(cell, 'first')}\n  to = ${addressOf(cell, turn)}\n}\n` : '',
  };
  return transition in blocks ? blocks[transition as keyof typeof blocks]() : '';
}

/** An object as a block. Where the object is unknown, its only part is. */
function blockOf(name: string, object: string, { label }: Cell): string {
  const [, parts] = /^\{ (.*) \}$/.exec(object) ?? [];
  const [, known = ''] = /^\{ (.*) \}$/.exec(setValues(name, label).first) ?? [];
  const lines = (parts ?? known)
    .split(', ')
    .map((line) => (parts === undefined ? line.replace(/(\w+) = .*/, `$1 = ${object}.$1`) : line));
  return `  ${name} {\n${lines.map((line) => `    ${line}\n`).join('')}  }\n`;
}

/** The transitions in which a key has a name although the attribute is its prefix. */
const NAMED: readonly Cell['transition'][] = ['omit', 'null'];

/** The resource of a cell, with what belongs to it. */
export function configurationOf(cell: Cell, turn: Turn, imports: Imports): string {
  const { attribute, transition, label } = cell;
  const value = valueIn(cell, turn, imports);
  const other = otherOf(attribute);
  const attributes: Readonly<Record<string, string | undefined>> = {
    // A prefix replaces the name, and a key without both keeps its name.
    name: attribute === 'name_prefix' && !NAMED.includes(transition) ? undefined : `"${label}"`,
    budget:
      transition === 'import' && !imports.isUseReported
        ? '{ usd = 1, initial = true }'
        : '{ usd = 1, per = "lifetime" }',
    [attribute]: value,
    ...(transition === 'ignore and other' && { [other]: setValues(other, label)[turn] }),
  };
  const lines = Object.entries(attributes).flatMap(([name, text]) =>
    text === undefined ? [] : [isBlockAttribute(name) ? blockOf(name, text, cell) : `  ${name} = ${text}\n`],
  );
  if (transition.startsWith('ignore')) lines.push(`  lifecycle {\n    ignore_changes = [${attribute}]\n  }\n`);
  const resource = `resource "keyplane_api_key" "${addressedLabel(cell, turn)}" {\n${lines.join('')}}\n`;
  return resource + blocksOf(cell, turn, imports);
}

/** The change that somebody makes at the gateway between the two turns; undefined for nothing. */
export function editOf(cell: Cell): Edit | undefined {
  const { attribute, transition, label, setter } = cell;
  if (isRead(cell)) return transition === 'drift' ? readValue(attribute).edit : undefined;
  const { stored, edited = stored.second } = setValues(attribute, label);
  if (setter === 'optional') return undefined;
  if (transition === 'drift') return { fields: edited };
  return transition === 'omit' || transition === 'null' ? { fields: stored.first } : undefined;
}
