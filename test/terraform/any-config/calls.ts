import { isSameValue } from '../../../src/terraform/codec/same-value.ts';
import { isWhollyKnown, type TerraformObject } from '../../../src/terraform/codec/value.ts';
import { PROVIDER } from '../../../src/terraform/protocol/services.ts';
import { attributeType, type Schema } from '../../../src/terraform/provider/schema.ts';
import { bytesOf, DEFECT, type OpenedProvider, objectIn } from './open-provider.ts';

interface Diagnosed {
  readonly diagnostics: readonly { readonly severity: number; readonly summary: string; readonly detail: string }[];
}
type Diagnostics = Diagnosed['diagnostics'];

/** The calls that core makes with one kind of block: it validates the configuration, and then uses it. */
export interface BlockCalls {
  readonly schema: Schema;
  /** A configuration that is valid. */
  readonly valid: TerraformObject;
  validate(config: TerraformObject): Promise<Diagnostics>;
  /** The diagnostics of every call that core makes with it, whether it is valid or not. */
  use(config: TerraformObject): Promise<Diagnostics>;
}

export const ERROR = 1;
const hasError = (diagnostics: Diagnostics): boolean => diagnostics.some(({ severity }) => severity === ERROR);
const clientCapabilities = { writeOnlyAttributesAllowed: true };

/** A resource as core keeps it: null before it is created. */
interface Kept {
  readonly state: TerraformObject | null;
  readonly private: Uint8Array;
}

const NOTHING: Kept = { state: null, private: new Uint8Array() };

const defect = (detail: string) => ({ severity: ERROR, summary: DEFECT, detail });

/** The attributes that differ between two objects, of which the first has them. */
function different(schema: Schema, one: TerraformObject | null, other: TerraformObject | null): readonly string[] {
  return Object.entries(schema.attributes).flatMap(([name, attribute]) => {
    const [first, second] = [one?.[name] ?? null, other?.[name] ?? null];
    return isSameValue(first, second, attributeType(attribute)) ? [] : [name];
  });
}

/** Core accepts a plan only if it has the configured or the prior value of each configured attribute. */
function unplanned(
  schema: Schema,
  { config, prior, planned }: Readonly<Record<'config' | 'prior' | 'planned', TerraformObject | null>>,
): Diagnostics {
  const configured = different(schema, config, planned).filter((name) => (config?.[name] ?? null) !== null);
  const wrong =
    prior === null ? configured : configured.filter((name) => different(schema, prior, planned).includes(name));
  return wrong.map((name) => defect(`invalid plan: ${name} is ${JSON.stringify(planned?.[name])}`));
}

/** Core accepts a result only if it has every planned value that was known. */
const unapplied = (schema: Schema, planned: TerraformObject | null, state: TerraformObject | null): Diagnostics =>
  different(schema, planned, state)
    .filter((name) => isWhollyKnown(planned?.[name] ?? null))
    .map((name) => defect(`inconsistent result: ${name} is ${JSON.stringify(state?.[name])}`));

/** Plans a configuration, and applies the plan of one that is known: for a new key, and for one that exists. */
function resourceCalls({ ask, provider }: OpenedProvider, valid: TerraformObject): BlockCalls {
  const typeName = 'keyplane_api_key';
  const { schema } = provider.resources[typeName] as { readonly schema: Schema };
  const change = async (prior: Kept, config: TerraformObject | null): Promise<Diagnosed & { readonly kept: Kept }> => {
    const request = { typeName, priorState: bytesOf(schema, prior.state), config: bytesOf(schema, config) };
    const proposedNewState = bytesOf(schema, config && { ...prior.state, ...config });
    const plan = await ask(PROVIDER.planResourceChange, { ...request, priorPrivate: prior.private, proposedNewState });
    const { diagnostics, plannedState, plannedPrivate } = plan;
    if (hasError(diagnostics)) return { diagnostics, kept: prior };
    const planned = objectIn(schema, plannedState);
    const found = [...diagnostics, ...unplanned(schema, { config, prior: prior.state, planned })];
    if (config && !isWhollyKnown(config)) return { diagnostics: found, kept: prior };
    const applied = await ask(PROVIDER.applyResourceChange, { ...request, plannedState, plannedPrivate });
    const state = objectIn(schema, applied.newState);
    const broken = hasError(applied.diagnostics) ? [] : unapplied(schema, planned, state);
    return { diagnostics: [...found, ...applied.diagnostics, ...broken], kept: { state, private: applied.private } };
  };
  let existing = NOTHING;
  let count = 0;
  return {
    schema,
    valid,
    validate: async (config) =>
      (await ask(PROVIDER.validateResourceConfig, { typeName, config: bytesOf(schema, config), clientCapabilities }))
        .diagnostics,
    async use(config) {
      if (existing.state === null) ({ kept: existing } = await change(NOTHING, { ...valid, name: 'existing' }));
      count += 1;
      // A process creates no second key of one name.
      const made = await change(NOTHING, config.name === valid.name ? { ...config, name: `app-${count}` } : config);
      const deleted = await change(made.kept, null);
      const changed = await change(existing, config);
      existing = changed.kept;
      return [made, deleted, changed].flatMap(({ diagnostics }) => diagnostics);
    },
  };
}

function dataCalls({ ask, provider }: OpenedProvider, typeName: string, valid: TerraformObject): BlockCalls {
  const { schema } = provider.dataSources[typeName] as { readonly schema: Schema };
  const request = (config: TerraformObject) => ({ typeName, config: bytesOf(schema, config) });
  return {
    schema,
    valid,
    validate: async (config) => (await ask(PROVIDER.validateDataResourceConfig, request(config))).diagnostics,
    use: async (config) =>
      isWhollyKnown(config) ? (await ask(PROVIDER.readDataSource, request(config))).diagnostics : [],
  };
}

function ephemeralCalls({ ask, provider }: OpenedProvider, typeName: string, valid: TerraformObject): BlockCalls {
  const { schema } = provider.ephemerals[typeName] as { readonly schema: Schema };
  const request = (config: TerraformObject) => ({ typeName, config: bytesOf(schema, config) });
  return {
    schema,
    valid,
    validate: async (config) => (await ask(PROVIDER.validateEphemeralResourceConfig, request(config))).diagnostics,
    use: async (config) =>
      isWhollyKnown(config) ? (await ask(PROVIDER.openEphemeralResource, request(config))).diagnostics : [],
  };
}

function listCalls({ ask, stream, provider }: OpenedProvider, typeName: string, valid: TerraformObject): BlockCalls {
  const { schema } = provider.listResources[typeName] as { readonly schema: Schema };
  const request = (config: TerraformObject) => ({ typeName, config: bytesOf(schema, config) });
  return {
    schema,
    valid,
    validate: async (config) => (await ask(PROVIDER.validateListResourceConfig, request(config))).diagnostics,
    use: async (config) =>
      isWhollyKnown(config)
        ? (await stream(PROVIDER.listResource, request(config))).flatMap(({ diagnostics }) => diagnostics)
        : [],
  };
}

function actionCalls({ ask, stream, provider }: OpenedProvider, typeName: string, valid: TerraformObject): BlockCalls {
  const { schema } = provider.actions[typeName] as { readonly schema: Schema };
  const request = (config: TerraformObject) => ({ typeName, config: bytesOf(schema, config) });
  return {
    schema,
    valid,
    validate: async (config) => (await ask(PROVIDER.validateActionConfig, request(config))).diagnostics,
    use: async (config) =>
      isWhollyKnown(config)
        ? (await stream(PROVIDER.invokeAction, request(config))).flatMap((event) => event.completed?.diagnostics ?? [])
        : [],
  };
}

/** Configures the provider again with each configuration. */
function settingsCalls({ ask, provider: { schema } }: OpenedProvider, valid: TerraformObject): BlockCalls {
  const request = (config: TerraformObject) => ({ config: bytesOf(schema, config) });
  return {
    schema,
    valid,
    validate: async (config) => (await ask(PROVIDER.validateProviderConfig, request(config))).diagnostics,
    use: async (config) => (await ask(PROVIDER.configureProvider, request(config))).diagnostics,
  };
}

const CHECK = { key_id: 1, module: 'model-list' };

const DATA: Readonly<Record<string, TerraformObject>> = {
  keyplane_account: {},
  keyplane_groups: {},
  keyplane_api_key: { id: 1 },
  keyplane_api_keys: {},
  keyplane_api_key_secret: { id: 1 },
  keyplane_models: { key_id: 1 },
  keyplane_usage: { since: '2027-01-01T00:00:00Z' },
  keyplane_check: CHECK,
};

const BUDGET = { unlimited: null, usd: 1, quota: null, per: 'lifetime', below: null, initial: null };

/** Every kind of block that the provider has, by its title. */
export function blocksOf(opened: OpenedProvider): Readonly<Record<string, BlockCalls>> {
  const { provider, settings } = opened;
  const data = Object.keys(provider.dataSources).map((name): [string, BlockCalls] => {
    const valid = DATA[name];
    if (valid === undefined) throw new Error(`no valid configuration of data.${name}`);
    return [`data ${name}`, dataCalls(opened, name, valid)];
  });
  return {
    'resource keyplane_api_key': resourceCalls(opened, { name: 'app', budget: BUDGET }),
    ...Object.fromEntries(data),
    'ephemeral keyplane_api_key_secret': ephemeralCalls(opened, 'keyplane_api_key_secret', { id: 1 }),
    'list keyplane_api_key': listCalls(opened, 'keyplane_api_key', {}),
    'action keyplane_check': actionCalls(opened, 'keyplane_check', CHECK),
    provider: settingsCalls(opened, settings),
  };
}

export const BLOCKS: readonly string[] = [
  'resource keyplane_api_key',
  ...Object.keys(DATA).map((name) => `data ${name}`),
  'ephemeral keyplane_api_key_secret',
  'list keyplane_api_key',
  'action keyplane_check',
  'provider',
];
