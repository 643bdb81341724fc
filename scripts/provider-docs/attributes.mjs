// The part of a page that lists attributes: who sets them, their types, and those inside them.

const SIMPLE = { string: 'String', number: 'Number', bool: 'Boolean', dynamic: 'Dynamic' };
const COLLECTION = { list: 'List', set: 'Set', map: 'Map' };

/** The attributes of an object that is inside of a type; undefined when none is. */
function objectIn(type) {
  if (typeof type === 'string') return undefined;
  return type[0] === 'object' ? type[1] : objectIn(type[1]);
}

export function typeName(type) {
  if (typeof type === 'string') return SIMPLE[type];
  const [kind, inner] = type;
  if (kind === 'object') return 'Object';
  if (kind === 'tuple') return 'Tuple';
  return `${COLLECTION[kind]} of ${typeName(inner)}`;
}

const nestedName = ({ nesting_mode: mode }) => (mode === 'single' ? 'Object' : `${COLLECTION[mode]} of Object`);

/** Attributes of a type are like attributes with nothing said of them. */
const plainAttributes = (object) =>
  Object.fromEntries(Object.entries(object).map(([name, type]) => [name, { type, description: '' }]));

function insideOf({ type, nested_type: nested }) {
  if (nested) return nested.attributes;
  const object = objectIn(type);
  return object && plainAttributes(object);
}

/** The anchor that registries and forges make of the heading. */
const headingOf = (path) => `Nested Schema for \`${path}\``;
const anchorOf = (path) => `nested-schema-for-${path.replaceAll('.', '')}`;

function line(path, name, attribute) {
  const marks = [
    attribute.nested_type ? nestedName(attribute.nested_type) : typeName(attribute.type),
    ...(attribute.sensitive ? ['Sensitive'] : []),
    ...(attribute.write_only ? ['Write-only'] : []),
    ...(attribute.deprecated ? ['Deprecated'] : []),
  ];
  const inner = [...path, name].join('.');
  const see = insideOf(attribute) ? `See [below](#${anchorOf(inner)}).` : '';
  return [`- \`${name}\` (${marks.join(', ')})`, attribute.description, see].filter((part) => part !== '').join(' ');
}

const GROUPS = [
  ['Required', ({ required }) => required],
  ['Optional', ({ optional }) => optional],
  ['Read-Only', ({ required, optional }) => !required && !optional],
];

const sorted = (attributes) => Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1));

const groupsOf = (attributes, path, heading) =>
  GROUPS.flatMap(([title, belongs]) => {
    const members = sorted(attributes).filter(([, attribute]) => belongs(attribute));
    return members.length === 0
      ? []
      : [heading(title), members.map(([name, attribute]) => line(path, name, attribute)).join('\n')];
  });

const nestedSections = (attributes, path) =>
  sorted(attributes).flatMap(([name, attribute]) => {
    const inside = insideOf(attribute);
    if (!inside) return [];
    const inner = [...path, name];
    return [
      `### ${headingOf(inner.join('.'))}`,
      ...groupsOf(inside, inner, (title) => `${title}:`),
      ...nestedSections(inside, inner),
    ];
  });

/** Paragraphs, none when there are no attributes. */
export const schemaSection = (attributes = {}) => [
  '## Schema',
  ...(Object.keys(attributes).length === 0 ? ['It takes nothing and tells nothing.'] : []),
  ...groupsOf(attributes, [], (title) => `### ${title}`),
  ...nestedSections(attributes, []),
];
