import {
  isUnknown,
  type TerraformObject,
  type TerraformValue,
  UNKNOWN,
  type ValueType,
} from '../../../src/terraform/codec/value.ts';
import {
  ArgumentError,
  type Provider,
  type Resource,
  type ResourceInstance,
} from '../../../src/terraform/provider/definition.ts';
import { type DiagnosticContent, DiagnosticError } from '../../../src/terraform/provider/diagnostics.ts';
import type { Attribute, Schema } from '../../../src/terraform/provider/schema.ts';

/** A provider of weather, which has nothing to do with keys: the layer must not know. */

export const attribute = (type: ValueType, set: Attribute['set'], more = {}): Attribute => ({
  type,
  set,
  description: '*Reported.*',
  ...more,
});

const nested = (nesting: 'single' | 'list' | 'set' | 'map', attributes: Schema['attributes']): Attribute => ({
  nesting,
  attributes,
  set: 'optional',
  description: 'Nested.',
});

const dry = (value: TerraformValue): readonly DiagnosticContent[] =>
  value === 'wet' ? [{ summary: 'It is wet' }] : [];
const second = (value: TerraformValue): readonly DiagnosticContent[] =>
  (value as readonly TerraformValue[])[1] === 'wet' ? [{ summary: 'It is wet', path: [1] }] : [];

const STATION: Schema = {
  version: 2,
  description: 'A station.',
  attributes: {
    name: attribute('string', 'required', { check: dry }),
    place: attribute('string', 'required', { requiresReplace: true }),
    unit: attribute('string', 'optional or computed', { default: 'celsius' }),
    tags: attribute(['list', 'string'], 'optional', { check: second }),
    password: attribute('string', 'optional', { isSensitive: true, isWriteOnly: true }),
    id: attribute('number', 'computed'),
    sensors: nested('list', {
      kind: attribute('string', 'required', { check: dry }),
      offset: attribute('number', 'optional or computed', { default: 0 }),
      serial: attribute('string', 'computed'),
      pin: attribute('string', 'optional', { isWriteOnly: true }),
    }),
    roof: nested('single', { colour: attribute('string', 'required', { check: dry }) }),
    limits: nested('map', { level: attribute('string', 'required', { check: dry, requiresReplace: true }) }),
    alarms: nested('set', {
      text: attribute('string', 'required', { check: dry }),
      code: attribute('number', 'computed'),
      pin: attribute('string', 'optional', { isWriteOnly: true }),
    }),
  },
};

/** The behaviour of the world, and a record of its requests. */
export interface World {
  readonly stations: Map<number, ResourceInstance>;
  trouble?: 'create' | 'half' | 'update' | 'half-update' | 'delete' | 'nameless' | undefined;
  /** The password of the last write. */
  password?: TerraformValue | undefined;
  /** The number of stations that a listing has read. */
  looked: number;
}

/** Replaces unknown values with numbers. */
const settled = (value: TerraformValue, id: number): TerraformValue => {
  if (isUnknown(value)) return id;
  if (Array.isArray(value)) return value.map((member) => settled(member, id));
  if (value instanceof Map) return new Map([...value].map(([key, member]) => [key, settled(member, id)]));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as TerraformObject);
  return Object.fromEntries(
    entries.map(([name, member]) => [name, name === 'serial' ? `s${id}` : settled(member, id)]),
  );
};

const refused = (what: string) => ({ severity: 'error', summary: `${what} failed` }) as const;

const stationResource = (world: World): Resource<string> => ({
  schema: STATION,
  identity: {
    version: 1,
    attributes: {
      id: { type: 'number', isRequiredForImport: true, description: 'Which.' },
      observer: { type: 'string', isRequiredForImport: false, description: 'Whose.' },
    },
  },
  identityOf({ id = null }, client) {
    if (world.trouble === 'nameless') throw new TypeError('nobody knows its name');
    return id === null ? undefined : { id, observer: client };
  },
  read: async ({ state }) => world.stations.get(Number(state.id)),
  async plan({ planned, config, prior }, { client, warn }) {
    if (client === undefined) warn({ summary: 'Nobody can be asked', path: ['name'] });
    if (config.name === 'nowhere') throw new DiagnosticError({ summary: 'There is no such place', path: ['name'] });
    // A careless provider: what is write-only is not taken out.
    return {
      ...planned,
      password: config.password ?? null,
      ...(prior && config.unit === null ? { unit: UNKNOWN } : {}),
    };
  },
  async create({ planned, config }, { warn }) {
    world.password = config.password;
    warn({ summary: 'It is made' });
    if (world.trouble === 'create') throw new DiagnosticError(refused('create'));
    const id = world.stations.size + 1;
    const state = { ...(settled(planned, id) as TerraformObject), password: config.password ?? null };
    const instance: ResourceInstance = { state, private: { etag: `e${id}` } };
    world.stations.set(id, instance);
    return { instance, diagnostics: world.trouble === 'half' ? [refused('create')] : [] };
  },
  async update({ planned, prior }) {
    if (world.trouble === 'update') return { diagnostics: [refused('update')] };
    const id = Number(prior.state.id);
    const etag = `${prior.private?.etag}+`;
    const instance = { state: settled(planned, id) as TerraformObject, private: { etag } };
    if (world.trouble === 'half-update') return { instance, diagnostics: [refused('update')] };
    world.stations.set(id, instance);
    return { instance, diagnostics: [{ severity: 'warning', summary: 'It was moved' }] };
  },
  async delete({ state }) {
    if (world.trouble === 'delete') throw new DiagnosticError(refused('delete'));
    world.stations.delete(Number(state.id));
  },
  async import(by) {
    const instance = world.stations.get(typeof by === 'string' ? Number(by) : Number(by.id));
    if (instance === undefined) throw new DiagnosticError({ summary: `There is no station ${JSON.stringify(by)}` });
    return instance;
  },
  upgrade({ version, text }) {
    if (version === 0) throw new DiagnosticError({ summary: 'Too old' });
    const { title, ...rest } = JSON.parse(text) as { title: string };
    return JSON.stringify({ ...rest, name: title });
  },
  move: ({ providerAddress, typeName, text }) =>
    typeName === 'sky_station' && providerAddress.endsWith('/sky')
      ? { state: { id: (JSON.parse(text) as { number: number }).number, password: 'old' }, private: { etag: 'moved' } }
      : undefined,
});

const ONE_HOUR: Schema = {
  version: 3,
  description: 'Now.',
  attributes: {
    hour: attribute('number', 'required', { isSensitive: true }),
    sky: attribute('string', 'computed'),
  },
};

const LEVELS: Schema = {
  version: 0,
  description: 'Which.',
  attributes: { place: attribute('string', 'optional', { check: dry }) },
};

type Doings = Pick<Provider<string>, 'listResources' | 'actions' | 'ephemerals'>;

const doings = (world: World): Doings => ({
  ephemerals: {
    weather_ticket: {
      schema: ONE_HOUR,
      async open({ hour = null }, { client, warn }) {
        if (hour === 24) throw new DiagnosticError({ summary: 'It is closed', path: ['hour'] });
        warn({ summary: 'It is used up soon' });
        return { hour, sky: `ticket of ${client}` };
      },
    },
  },
  listResources: {
    weather_station: {
      schema: LEVELS,
      async *find({ place = null }, { warn }) {
        for (const [id, { state }] of world.stations) {
          world.looked += 1;
          if (place !== null && state.place !== place) continue;
          warn({ summary: `Seen ${id}` });
          yield { name: String(state.name), identity: { id, observer: null }, state: async () => state };
        }
        if (place === 'cliff') throw new TypeError('it fell');
      },
    },
  },
  actions: {
    weather_rain: {
      schema: LEVELS,
      async *invoke({ place = null }, { warn, client }) {
        yield `clouds over ${place ?? client}`;
        warn({ summary: 'Take an umbrella' });
        if (place === 'desert') throw new DiagnosticError({ summary: 'No water', path: ['place'] });
        yield 'drops';
      },
    },
  },
});

export const weatherProvider = (world: World, more: Partial<Provider<string>> = {}): Provider<string> => ({
  schema: { version: 0, description: 'Weather.', attributes: { observer: attribute('string', 'optional') } },
  async configure({ observer }) {
    if (observer === UNKNOWN || isUnknown(observer ?? null)) return undefined;
    if (observer === null) throw new DiagnosticError({ summary: 'No observer', path: ['observer'] });
    return observer as string;
  },
  resources: { weather_station: stationResource(world) },
  dataSources: {},
  ...doings(world),
  functions: {
    warm: {
      summary: 'Warm?',
      description: 'Is it?',
      parameters: [{ name: 'degrees', type: 'number', description: 'Celsius.' }],
      returns: 'bool',
      call(degrees = null) {
        if (typeof degrees !== 'number') throw new ArgumentError('not a number of degrees', 0);
        return degrees > 20;
      },
    },
  },
  ...more,
});
