import type { OutcomeState } from '../../src/domain/index.ts';
import type { SharedClaim } from '../../src/engine/index.ts';
import { decodeValue, encodeValue } from '../../src/terraform/codec/msgpack.ts';
import { type TerraformObject, UNKNOWN } from '../../src/terraform/codec/value.ts';
import { KEY_SCHEMA } from '../../src/terraform/keyplane/key/schema.ts';
import { keyplaneProvider } from '../../src/terraform/keyplane/provider.ts';
import { PROVIDER_SCHEMA } from '../../src/terraform/keyplane/settings.ts';
import type { PROVIDER } from '../../src/terraform/protocol/services.ts';
import { handlersOf } from '../../src/terraform/provider/handlers.ts';
import { typeOf } from '../../src/terraform/provider/schema.ts';
import type { Handlers } from '../../src/terraform/serve/grpc.ts';
import { endRuns, journalMemory, openMemoryJournal } from '../contract/memory-journal.ts';
import { ACCESS_TOKEN, type Ended, USER_ID, type World } from './world.ts';

type Given = Readonly<Record<string, unknown>>;
type Provider = Handlers<typeof PROVIDER>;
type Diagnostics = readonly { readonly severity?: unknown; readonly summary?: unknown }[] | undefined;

/** One key as core knows it: null, or its state with what the provider stores next to it. */
interface Instance {
  readonly state: TerraformObject | null;
  readonly private: Uint8Array;
}

/** A change that core makes, as `verb name`: the configuration of the key, null to delete it. */
export interface Declared {
  readonly change: string;
  readonly config: Given | null;
  /** The id of a key that Terraform manages already. */
  readonly id?: number;
}

const TYPE = typeOf(KEY_SCHEMA);
const typeName = 'keyplane_api_key';
const NO_BYTES = new Uint8Array();
const NOTHING: Instance = { state: null, private: NO_BYTES };
const NAMES = Object.keys(KEY_SCHEMA.attributes);

const whole = (names: readonly string[], given: Given): TerraformObject =>
  Object.fromEntries(names.map((name) => [name, given[name] ?? null])) as TerraformObject;
const bytes = (value: TerraformObject | null) => ({ msgpack: encodeValue(value, TYPE), json: NO_BYTES });
const read = (value: { readonly msgpack?: Uint8Array | undefined } | undefined): TerraformObject | null =>
  value?.msgpack === undefined || value.msgpack.length === 0
    ? null
    : (decodeValue(value.msgpack, TYPE) as TerraformObject | null);

/** An omitted attribute that the provider may compute keeps its value. */
function proposed(config: TerraformObject, prior: TerraformObject | null): TerraformObject {
  const value = (name: string) => {
    const isComputed = KEY_SCHEMA.attributes[name]?.set !== 'required';
    return config[name] ?? (isComputed ? (prior === null ? UNKNOWN : (prior[name] ?? null)) : null);
  };
  return Object.fromEntries(NAMES.map((name) => [name, value(name)])) as TerraformObject;
}

class Stopped extends Error {}

const ERROR = 1;
const isError = (diagnostics: Diagnostics): boolean => (diagnostics ?? []).some(({ severity }) => severity === ERROR);

function refuse(diagnostics: Diagnostics): void {
  if (isError(diagnostics)) throw new Stopped(JSON.stringify(diagnostics));
}

const isSame = (a: TerraformObject | null, b: TerraformObject | null): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

const holds = (state: TerraformObject, config: Given): boolean =>
  state.name === config.name &&
  ['group', 'enabled'].every((name) => config[name] === undefined || state[name] === config[name]);

const isUnknown = (diagnostics: Diagnostics): boolean =>
  (diagnostics ?? []).some(({ summary }) =>
    /^It is unknown whether the key was (created|changed)$/.test(String(summary)),
  );

/** The outcome of a change, by its diagnostics and the state that the provider returned, which it promises to be true. */
function outcomeOf(diagnostics: Diagnostics, { change, config }: Declared, { state }: Instance): OutcomeState {
  if (!isError(diagnostics)) return 'applied';
  if (config === null) return state === null ? 'applied' : 'indeterminate';
  if (isUnknown(diagnostics)) return 'indeterminate';
  if (state === null) return 'failed';
  if (holds(state, config)) return 'applied';
  return change.startsWith('create') && config.enabled === false ? 'left-enabled' : 'failed';
}

const CONTEXT = { signal: new AbortController().signal };

async function configure(served: Provider, { url }: World): Promise<void> {
  const given = { url, user_id: USER_ID, access_token: ACCESS_TOKEN, max_concurrency: 1, assume_log_complete: true };
  const config = whole(Object.keys(PROVIDER_SCHEMA.attributes), given);
  const message = { msgpack: encodeValue(config, typeOf(PROVIDER_SCHEMA)), json: NO_BYTES };
  const { diagnostics } = await served.configureProvider(
    { config: message } as Parameters<Provider['configureProvider']>[0],
    CONTEXT,
  );
  refuse(diagnostics as Diagnostics);
}

async function refresh(served: Provider, { state, private: data }: Instance): Promise<Instance> {
  if (state === null) return NOTHING;
  const answer = await served.readResource(
    { typeName, state: bytes(state), private: data } as Parameters<Provider['readResource']>[0],
    CONTEXT,
  );
  refuse(answer.diagnostics as Diagnostics);
  return { state: read(answer.newState), private: answer.private ?? NO_BYTES };
}

/** Plans and applies one change. Undefined: there is nothing to do. */
async function change(served: Provider, prior: Instance, given: Given | null) {
  const config = given && whole(NAMES, given);
  const base = { typeName, priorState: bytes(prior.state), config: bytes(config) };
  const plan = await served.planResourceChange(
    {
      ...base,
      priorPrivate: prior.private,
      proposedNewState: bytes(config && proposed(config, prior.state)),
    } as Parameters<Provider['planResourceChange']>[0],
    CONTEXT,
  );
  refuse(plan.diagnostics as Diagnostics);
  if (isSame(prior.state, read(plan.plannedState))) return undefined;
  const answer = await served.applyResourceChange(
    { ...base, plannedState: plan.plannedState, plannedPrivate: plan.plannedPrivate ?? NO_BYTES } as Parameters<
      Provider['applyResourceChange']
    >[0],
    CONTEXT,
  );
  const instance: Instance = { state: read(answer.newState), private: answer.private ?? NO_BYTES };
  return { instance, diagnostics: answer.diagnostics as Diagnostics };
}

/** Imports the keys that Terraform manages already. */
async function adopt(served: Provider, declared: readonly Declared[], known: Map<string, Instance>): Promise<void> {
  for (const { change: title, id } of declared) {
    if (id === undefined) continue;
    const answer = await served.importResourceState(
      { typeName, id: String(id) } as Parameters<Provider['importResourceState']>[0],
      CONTEXT,
    );
    const [found] = answer.importedResources ?? [];
    known.set(title, { state: read(found?.state), private: found?.private ?? NO_BYTES });
  }
}

/** Everything that core does in one run: configure, refresh, plan, apply; one key after the other. */
async function runOnce(served: Provider, world: World, declared: readonly Declared[], known: Map<string, Instance>) {
  const outcomes: object[] = [];
  let errors = '';
  try {
    await configure(served, world);
    for (const { change: title } of declared) {
      known.set(title, await refresh(served, known.get(title) ?? NOTHING));
    }
    for (const each of declared) {
      const { change: title, config } = each;
      const done = await change(served, known.get(title) ?? NOTHING, config);
      if (done === undefined) continue;
      known.set(title, done.instance);
      if (isError(done.diagnostics)) errors += JSON.stringify(done.diagnostics);
      const [verb = '', name = ''] = title.split(' ');
      outcomes.push({ state: outcomeOf(done.diagnostics, each, done.instance), change: { verb, name } });
    }
  } catch (thrown) {
    if (!(thrown instanceof Stopped)) throw thrown;
    errors += thrown.message;
  }
  const code = errors === '' ? 0 : 1;
  return {
    code,
    stdout: JSON.stringify({ data: { outcomes, unverified: [], converged: code === 0 } }),
    stderr: errors,
  };
}

/** The claim of a run that nobody else disturbs. Its requests have their faults in the scenarios of the command line. */
const HELD: SharedClaim = {
  take: async () => {},
  forgo: async () => {},
  leaveAtEnd: () => {},
  isHeld: async () => true,
  ensureHeld: async () => {},
  release: async () => {},
};

/** Terraform with these keys in its configuration and state: each call is one run, in a provider of its own. */
export async function openTerraform(world: World, declared: readonly Declared[]): Promise<() => Promise<Ended>> {
  const known = new Map<string, Instance>();
  const memory = journalMemory();
  const now = (): number => Math.floor(world.clock.now() / 1000);
  const serve = async <A>(run: (served: Provider) => Promise<A>): Promise<A> => {
    const openJournal = async () => openMemoryJournal(memory, now);
    const provider = keyplaneProvider({}, now, { clock: world.clock, openJournal, openClaim: () => HELD });
    const result = await run(handlersOf(provider, new AbortController()));
    await provider.close();
    endRuns(memory);
    return result;
  };
  await serve(async (served) => {
    await configure(served, world);
    await adopt(served, declared, known);
  });
  return () => serve((served) => runOnce(served, world, declared, known));
}
