import { describe, expect, it } from 'vitest';
import { ASSERTIONS, BUDGET_FIELDS, KEY_FIELDS, TERRAFORM_NAMES } from '../../src/domain/index.ts';
import { manifestJsonSchema } from '../../src/manifest/index.ts';
import { CHECK_ARGUMENTS } from '../../src/terraform/keyplane/check/schema.ts';
import { KEY_SCHEMA, LOCAL_ATTRIBUTES } from '../../src/terraform/keyplane/key/schema.ts';
import type { Attribute } from '../../src/terraform/provider/schema.ts';
import { interfacesIn, type Prop } from './declared-props.ts';

type Field = keyof typeof KEY_FIELDS;

interface JsonSchema {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
}

const { $defs } = manifestJsonSchema() as unknown as { readonly $defs: Readonly<Record<string, JsonSchema>> };
const constructs = interfacesIn('constructs/cdk/key/key-fields.ts');
const amounts = interfacesIn('constructs/cdk/key/amounts.ts');
const props = new Map((constructs.get('KeyFields') ?? []).map((prop) => [prop.name, prop]));
const fields = Object.keys(KEY_FIELDS) as Field[];

/** Fields of a key in a manifest that are nothing to the key itself: where else each of them is. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  id: 'an `import` block of Terraform',
  name: 'the name of the resource or the construct',
  renamedFrom: 'Terraform knows it from its state; a construct passes it to Keyplane',
  owner: 'metadata, which a manifest alone keeps',
  description: 'metadata',
  ticket: 'metadata',
  labels: 'metadata',
  deliver: 'does not act yet',
  rotate: 'does not act yet; a construct rotates by the calendar',
  checks: 'a data source and a construct of their own',
};

/** The attributes that only the gateway sets. */
const COMPUTED = Object.entries(KEY_SCHEMA.attributes)
  .filter(([, { set }]) => set === 'computed')
  .map(([name]) => name);

const ofManifest = (field: string): JsonSchema => $defs.Key?.properties?.[field] ?? {};
const described = (schema: JsonSchema): string | undefined =>
  schema.description ?? $defs[schema.$ref?.split('/').at(-1) ?? '']?.description;

describe('Manifest, Terraform schema and constructs', () => {
  it('have the same fields of a key', () => {
    expect(
      Object.keys($defs.Key?.properties ?? {})
        .filter((name) => !(name in ELSEWHERE))
        .sort(),
    ).toEqual([...fields].sort());
    expect([...props.keys()].sort()).toEqual([...fields].sort());
    // What only Terraform acts on does not belong to a key.
    const attributes = Object.keys(KEY_SCHEMA.attributes)
      .filter((name) => !LOCAL_ATTRIBUTES.includes(name))
      .filter((name) => !COMPUTED.includes(name));
    expect(attributes.sort()).toEqual(['name', ...Object.values(TERRAFORM_NAMES)].sort());
  });

  it.each(fields)('agree on %s: nobody has to write it, and it means the same', (field) => {
    const prop = props.get(field) as Prop;
    const attribute = KEY_SCHEMA.attributes[TERRAFORM_NAMES[field]] as Attribute;
    expect(prop.isOptional).toBe(true);
    expect(attribute.set).toBe('optional or computed');
    expect($defs.Key?.required ?? []).not.toContain(field);
    expect(prop.docs).toBe(KEY_FIELDS[field].doc);
    expect(attribute.description.startsWith(KEY_FIELDS[field].doc)).toBe(true);
    const schema = field === 'smartRouting' ? ($defs.SmartRouting?.properties?.tiers ?? {}) : ofManifest(field);
    expect(described(schema)).toBe(KEY_FIELDS[field].doc);
  });

  it.each(Object.keys(BUDGET_FIELDS) as (keyof typeof BUDGET_FIELDS)[])(
    'agree on `%s` of a budget, and on its unit',
    (part) => {
      const meant = BUDGET_FIELDS[part];
      const budget = KEY_SCHEMA.attributes.budget as Extract<Attribute, { attributes: unknown }>;
      expect(budget.attributes[part]).toMatchObject({ description: meant, set: 'optional' });
      const forms = ($defs.Budget?.anyOf ?? []).flatMap(({ properties }) => properties?.[part] ?? []);
      expect(forms.length).toBeGreaterThan(0);
      for (const form of forms) expect(described(form)).toBe(meant);
      const documented = [...amounts.values()].flat().filter(({ name, docs }) => name === part && docs !== '');
      expect(documented.map(({ docs }) => docs)).toEqual([meant]);
    },
  );

  it.each(Object.keys(ASSERTIONS) as (keyof typeof ASSERTIONS)[])('agree on the assertion `%s` of a check', (name) => {
    const { doc, terraform } = ASSERTIONS[name];
    const assertions = interfacesIn('constructs/cdk/check/smoke-check-expect.ts').get('SmokeCheckExpect') ?? [];
    expect(assertions.filter((member) => member.name === name)).toMatchObject([{ isOptional: true, docs: doc }]);
    const { attributes } = CHECK_ARGUMENTS.expect as Extract<Attribute, { attributes: unknown }>;
    expect(attributes[terraform]?.description.startsWith(doc)).toBe(true);
    expect(described($defs.Expect?.properties?.[name] ?? {})).toBe(doc);
  });

  it('have no assertion of a check that the table does not have', () => {
    const names = Object.keys(ASSERTIONS).sort();
    const assertions = interfacesIn('constructs/cdk/check/smoke-check-expect.ts').get('SmokeCheckExpect') ?? [];
    expect(assertions.map(({ name }) => name).sort()).toEqual(names);
    const { attributes } = CHECK_ARGUMENTS.expect as Extract<Attribute, { attributes: unknown }>;
    expect(Object.keys(attributes)).toHaveLength(names.length);
    expect(Object.keys($defs.Expect?.properties ?? {}).sort()).toEqual(names);
  });

  it('have a docstring for each prop of each construct', () => {
    const files = ['key/api-key', 'keys/key-set', 'keys/team-keys', 'keys/rotating-key', 'check/smoke-check-props'].map(
      (file) => `constructs/cdk/${file}.ts`,
    );
    const aspects = ['guardrail', 'require-expiry', 'require-budget', 'require-allowlist'];
    const all = [...files, ...aspects.map((file) => `constructs/cdk/aspects/${file}.ts`)].map(interfacesIn);
    const silent = all.flatMap((each) =>
      [...each].flatMap(([owner, own]) => own.filter(({ docs }) => docs === '').map(({ name }) => `${owner}.${name}`)),
    );
    expect(all.reduce((sum, each) => sum + [...each.values()].flat().length, 0)).toBeGreaterThan(30);
    expect(silent).toEqual([]);
  });
});
