import { describe, expect, it } from 'vitest';
import type {
  Action,
  DataSource,
  ListResource,
  Provider,
  Resource,
} from '../../../src/terraform/provider/definition.ts';
import type { AttributeTable, Schema } from '../../../src/terraform/provider/schema.ts';
import { providerSchemaJson } from '../../../src/terraform/provider/schema-json.ts';

const schema = (attributes: AttributeTable, more: Partial<Schema> = {}): Schema => ({
  version: 2,
  description: '*Reported.*',
  attributes,
  ...more,
});

const SKY: AttributeTable = {
  wind: { type: ['map', 'number'], set: 'optional or computed', description: 'Wind.' },
  clouds: {
    nesting: 'list',
    attributes: { height: { type: 'number', set: 'required', description: 'Metres.', isSensitive: true } },
    set: 'optional',
    description: 'Clouds.',
    isDeprecated: true,
  },
  code: { type: 'string', set: 'optional', description: 'Code.', isWriteOnly: true },
};

const only = <T>(members: Partial<T>): T => members as T;

const WEATHER: Provider<unknown> = {
  schema: schema({}, { version: 0 }),
  configure: async () => undefined,
  resources: {
    weather_sky: only<Resource<unknown>>({
      schema: schema(SKY),
      identity: {
        version: 1,
        attributes: {
          place: { type: 'string', description: 'Where.', isRequiredForImport: true },
          planet: { type: 'string', description: 'Earth by default.', isRequiredForImport: false },
        },
      },
    }),
  },
  dataSources: { weather_now: only<DataSource<unknown>>({ schema: schema({}, { isDeprecated: true }) }) },
  ephemerals: {},
  listResources: { weather_sky: only<ListResource<unknown>>({ schema: schema({}) }) },
  actions: { weather_dance: only<Action<unknown>>({ schema: schema({}) }) },
  functions: {
    warm: {
      summary: 'Warm?',
      description: 'Is it?',
      parameters: [],
      variadic: { name: 'degrees', type: 'number', description: 'Celsius.' },
      returns: ['list', 'bool'],
      call: () => [],
    },
  },
};

const reported = { description: '*Reported.*', description_kind: 'markdown' };
const attribute = (description: string) => ({ description, description_kind: 'markdown' });

describe('the schema of a provider as JSON', () => {
  const json = JSON.parse(JSON.stringify(providerSchemaJson('example.com/sky/weather', WEATHER)));
  const shown = json.provider_schemas['example.com/sky/weather'];

  it('matches the output of core, which omits what is absent', () => {
    expect(json.format_version).toBe('1.0');
    expect(shown.provider).toEqual({ version: 0, block: reported });
    expect(shown.data_source_schemas).toEqual({
      weather_now: { version: 2, block: { ...reported, deprecated: true } },
    });
    expect(shown).not.toHaveProperty('ephemeral_resource_schemas');
    expect(shown.functions).toEqual({
      warm: {
        summary: 'Warm?',
        description: 'Is it?',
        return_type: ['list', 'bool'],
        variadic_parameter: { name: 'degrees', type: 'number', description: 'Celsius.' },
      },
    });
  });

  it('nests attributes, sorted by name', () => {
    const { attributes } = shown.resource_schemas.weather_sky.block;
    expect(Object.keys(attributes)).toEqual(['clouds', 'code', 'wind']);
    const height = { type: 'number', ...attribute('Metres.'), required: true, sensitive: true };
    expect(attributes).toEqual({
      clouds: {
        nested_type: { attributes: { height }, nesting_mode: 'list' },
        ...attribute('Clouds.'),
        deprecated: true,
        optional: true,
      },
      code: { type: 'string', ...attribute('Code.'), optional: true, write_only: true },
      wind: { type: ['map', 'number'], ...attribute('Wind.'), optional: true, computed: true },
    });
  });

  it('includes what newer cores add: identities, lists and actions', () => {
    expect(shown.resource_identity_schemas.weather_sky).toEqual({
      version: 1,
      attributes: {
        place: { type: 'string', description: 'Where.', required_for_import: true },
        planet: { type: 'string', description: 'Earth by default.', optional_for_import: true },
      },
    });
    expect(shown.list_resource_schemas).toEqual({ weather_sky: { version: 2, block: reported } });
    expect(shown.action_schemas).toEqual({ weather_dance: { block: reported } });
  });
});
