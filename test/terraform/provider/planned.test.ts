import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSameValue } from '../../../src/terraform/codec/same-value.ts';
import {
  isObject,
  isUnknown,
  type TerraformObject,
  type TerraformValue,
  UNKNOWN,
} from '../../../src/terraform/codec/value.ts';
import { membersOf } from '../../../src/terraform/provider/nested.ts';
import { attributesToReplace, plannedBySchema } from '../../../src/terraform/provider/planned.ts';
import {
  type Attribute,
  type AttributeTable,
  attributeType,
  type Nesting,
  typeOf,
} from '../../../src/terraform/provider/schema.ts';
import { withoutWriteOnly } from '../../../src/terraform/provider/write-only.ts';

const NAME = fc.constantFrom('a', 'b', 'c', 'd');
const TEXT = fc.constantFrom('x', 'y', 'z');
const common = { description: '' };

const LEAF: fc.Arbitrary<Attribute> = fc.constantFrom<Attribute>(
  { ...common, type: 'string', set: 'required' },
  { ...common, type: 'string', set: 'optional' },
  { ...common, type: 'string', set: 'optional', isWriteOnly: true },
  { ...common, type: 'string', set: 'computed' },
  { ...common, type: 'string', set: 'optional or computed' },
  { ...common, type: 'string', set: 'optional or computed', default: 'x', requiresReplace: true },
);

const TABLE: fc.Arbitrary<AttributeTable> = fc.letrec<{ table: AttributeTable; attribute: Attribute }>((tie) => ({
  table: fc.dictionary(NAME, tie('attribute'), { minKeys: 1, maxKeys: 4 }) as fc.Arbitrary<AttributeTable>,
  attribute: fc.oneof(
    { maxDepth: 2 },
    { weight: 3, arbitrary: LEAF },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom<Nesting>('single', 'list', 'map', 'set'), tie('table'), fc.boolean())
        .map(([nesting, attributes, isFree]): Attribute => {
          return { ...common, nesting, attributes, set: isFree ? 'optional or computed' : 'optional' };
        }),
    },
  ),
})).table;

/** The values that core may send: a configuration, or a state, with nothing unknown and nothing write-only. */
type Kind = 'config' | 'state';

function objectOf(attributes: AttributeTable, kind: Kind): fc.Arbitrary<TerraformObject> {
  return fc.record(
    Object.fromEntries(Object.entries(attributes).map(([name, each]) => [name, valueIn(each, kind)])),
  ) as fc.Arbitrary<TerraformObject>;
}

function valueIn(attribute: Attribute, kind: Kind): fc.Arbitrary<TerraformValue> {
  const none = fc.constant<TerraformValue>(null);
  if (kind === 'config' && attribute.set === 'computed') return none;
  if (kind === 'state' && attribute.isWriteOnly) return none;
  const open = kind === 'config' ? [fc.constant<TerraformValue>(UNKNOWN)] : [];
  const nothing = attribute.set === 'required' ? [] : [none];
  if ('type' in attribute) return fc.oneof(TEXT, ...nothing, ...open);
  const member = objectOf(attribute.attributes, kind);
  const type = typeOf(attribute);
  const whole: Record<Nesting, fc.Arbitrary<TerraformValue>> = {
    single: member,
    list: fc.array(member, { maxLength: 3 }),
    map: fc.dictionary(NAME, member, { maxKeys: 3 }).map((members) => new Map(Object.entries(members))),
    set: fc.uniqueArray(member, { maxLength: 3, comparator: (one, other) => isSameValue(one, other, type) }),
  };
  return fc.oneof({ weight: 4, arbitrary: whole[attribute.nesting] }, ...nothing, ...open);
}

const CASE = TABLE.chain((attributes) =>
  fc.record({
    attributes: fc.constant(attributes),
    config: objectOf(attributes, 'config'),
    prior: fc.option(objectOf(attributes, 'state'), { nil: undefined }),
  }),
);

/** The errors that core finds in one planned attribute. */
function wrongIn(attribute: Attribute, config: TerraformValue, planned: TerraformValue): readonly string[] {
  if (attribute.isWriteOnly) return planned === null ? [] : ['write-only and planned'];
  if (isSameValue(config, planned, attributeType(attribute))) return [];
  if (config === null) return attribute.set.endsWith('computed') ? [] : ['planned, not written, not computed'];
  if ('type' in attribute || isUnknown(config) || isUnknown(planned) || planned === null) return ['not as written'];
  const members = membersOf(planned, attribute.nesting);
  const written = membersOf(config, attribute.nesting);
  if (members.length !== written.length) return ['more or fewer objects than are written'];
  if (attribute.nesting === 'set') return [];
  return written.flatMap(([steps, member]) => {
    const own = members.find(([other]) => JSON.stringify(other) === JSON.stringify(steps))?.[1] ?? null;
    return isObject(member) && isObject(own) ? wrongWith(attribute.attributes, member, own) : ['no such object'];
  });
}

const wrongWith = (attributes: AttributeTable, config: TerraformObject, planned: TerraformObject): readonly string[] =>
  Object.entries(attributes).flatMap(([name, each]) =>
    wrongIn(each, config[name] ?? null, planned[name] as TerraformValue).map((wrong) => `${name}: ${wrong}`),
  );

describe('what the schema plans', () => {
  it('is what core allows, whatever the schema, the configuration and what there was', () => {
    fc.assert(
      fc.property(CASE, ({ attributes, config, prior }) => {
        const planned = plannedBySchema({ attributes }, config, prior);
        expect(wrongWith(attributes, config, planned)).toEqual([]);
        expect(withoutWriteOnly({ attributes }, planned)).toEqual(planned);
      }),
    );
  });

  it('of the same configuration changes nothing once it has been made', () => {
    fc.assert(
      fc.property(CASE, ({ attributes, config }) => {
        const known = settled(config) as TerraformObject;
        const made = settled(plannedBySchema({ attributes }, known)) as TerraformObject;
        const again = plannedBySchema({ attributes }, known, made);
        expect(isSameValue(again, made, typeOf({ attributes }))).toBe(true);
        expect(attributesToReplace({ attributes }, made, again)).toEqual([]);
      }),
    );
  });
});

/** With a text, or with no object, for what was unknown. */
function settled(value: TerraformValue): TerraformValue {
  if (isUnknown(value)) return null;
  if (Array.isArray(value)) return value.map(settled);
  if (value instanceof Map) return new Map([...value].map(([key, member]) => [key, settled(member)]));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, settled(member)]));
}
