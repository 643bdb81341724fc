import type { AttributeJson, AttributesJson, TerraformType, TypedFields } from '../provider-schema.ts';

const SIMPLE = { string: 'String', number: 'Number', bool: 'Boolean', dynamic: 'Dynamic' } as const;
const COLLECTION: Readonly<Record<string, string>> = { list: 'List', set: 'Set', map: 'Map' };

const isSimple = (type: TerraformType): type is keyof typeof SIMPLE => typeof type === 'string';

/** Returns the fields of the object inside of a type; undefined when there is none. */
function objectIn(type: TerraformType): TypedFields | undefined {
  if (isSimple(type) || type[0] === 'tuple') return undefined;
  return type[0] === 'object' ? type[1] : objectIn(type[1]);
}

export function typeName(type: TerraformType): string {
  if (isSimple(type)) return SIMPLE[type];
  if (type[0] === 'object') return 'Object';
  if (type[0] === 'tuple') return 'Tuple';
  return `${COLLECTION[type[0]]} of ${typeName(type[1])}`;
}

function attributeTypeName({ type, nested_type: nested, isBlock }: AttributeJson): string {
  if (isBlock) return 'Block';
  if (nested) return nested.nesting_mode === 'single' ? 'Object' : `${COLLECTION[nested.nesting_mode]} of Object`;
  return type === undefined ? 'Dynamic' : typeName(type);
}

/** The fields of an object type as attributes without descriptions. */
const withoutDescriptions = (object: TypedFields): AttributesJson =>
  Object.fromEntries(Object.entries(object).map(([name, type]) => [name, { type, description: '' }]));

function attributesIn({ type, nested_type: nested }: AttributeJson): AttributesJson | undefined {
  if (nested) return nested.attributes;
  const object = type && objectIn(type);
  return object && withoutDescriptions(object);
}

const headingOf = (path: string): string => `Nested Schema for \`${path}\``;

/** The anchor that registries and forges derive from the heading. */
const anchorOf = (path: string): string => `nested-schema-for-${path.replaceAll('.', '')}`;

function line(path: readonly string[], name: string, attribute: AttributeJson): string {
  const marks = [
    attributeTypeName(attribute),
    ...(attribute.sensitive ? ['Sensitive'] : []),
    ...(attribute.write_only ? ['Write-only'] : []),
    ...(attribute.deprecated ? ['Deprecated'] : []),
  ];
  const inner = [...path, name].join('.');
  const see = attributesIn(attribute) ? `See [below](#${anchorOf(inner)}).` : '';
  return [`- \`${name}\` (${marks.join(', ')})`, attribute.description, see].filter((part) => part !== '').join(' ');
}

const GROUPS: readonly (readonly [string, (attribute: AttributeJson) => boolean])[] = [
  ['Required', ({ required }) => required === true],
  ['Optional', ({ optional }) => optional === true],
  ['Read-Only', ({ required, optional }) => !required && !optional],
];

const sorted = (attributes: AttributesJson): [string, AttributeJson][] =>
  Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1));

const groupsOf = (
  attributes: AttributesJson,
  path: readonly string[],
  heading: (title: string) => string,
): readonly string[] =>
  GROUPS.flatMap(([title, belongs]) => {
    const members = sorted(attributes).filter(([, attribute]) => belongs(attribute));
    return members.length === 0
      ? []
      : [heading(title), members.map(([name, attribute]) => line(path, name, attribute)).join('\n')];
  });

const nestedSections = (attributes: AttributesJson, path: readonly string[]): readonly string[] =>
  sorted(attributes).flatMap(([name, attribute]) => {
    const inside = attributesIn(attribute);
    if (!inside) return [];
    const inner = [...path, name];
    return [
      `### ${headingOf(inner.join('.'))}`,
      ...groupsOf(inside, inner, (title) => `${title}:`),
      ...nestedSections(inside, inner),
    ];
  });

/** Returns the paragraphs that list attributes: who sets them, their types, and the attributes inside of them. */
export const schemaSection = (attributes: AttributesJson = {}): readonly string[] => [
  '## Schema',
  ...(Object.keys(attributes).length === 0 ? ['It has no arguments and no attributes.'] : []),
  ...groupsOf(attributes, [], (title) => `### ${title}`),
  ...nestedSections(attributes, []),
];
