import type { RecentUses } from '../../disk/index.ts';
import { type AccountRef, accountName, blankSecrets, Fault, type UnixSeconds } from '../../domain/index.ts';
import type { ClaimTerms, SharedClaim } from '../../engine/index.ts';
import type { Clock, TraceEvent } from '../../gateway/index.ts';
import type { ClaimStore, KeptJournal, KeyStore, Waiting } from '../../reconcile/index.ts';
import type { Provider } from '../provider/definition.ts';
import { DiagnosticError } from '../provider/diagnostics.ts';
import type { PluginEnvironment } from '../serve/handshake.ts';
import { CHECK_ACTION } from './check/check.ts';
import { type Client, openRunMemory } from './client.ts';
import { DATA_SOURCES } from './data/data-sources.ts';
import { EPHEMERAL_SECRET } from './data/secret.ts';
import { FUNCTIONS } from './functions.ts';
import { type OwnCreates, openOwnCreates } from './key/creates/own-creates.ts';
import { KEY_LIST_RESOURCE } from './key/list-resource.ts';
import { KEY_RESOURCE } from './key/resource.ts';
import { readPolicyFiles } from './policies.ts';
import { settingErrors, unusableSettings } from './setting-errors.ts';
import {
  atSetting,
  hasUnknown,
  missing,
  PROVIDER_SCHEMA,
  parseLimits,
  parseLockTimeout,
  parseLogPages,
  parseSettings,
  parseSettle,
  trustsLog,
} from './settings.ts';
import { sharedStore } from './store/shared-store.ts';
import { timedAction, timedEphemeral, timedList, timedSources } from './timed-operations.ts';

/**
 * Time for further requests to join a batch. A thousand keys need more requests than many gateways serve in three
 * minutes, and core takes longer for a change than the gateway.
 */
const BATCH_DELAY_MS = 50;

/** Core sends the changes of a run one after the other: a name may still be released while none has come for this long. */
const RELEASE_MS = 10_000;

/** Time to finish a change that has started, such as disabling a new key, after core stops the provider. */
const GRACE_MS = 10_000;

/** Aborts a grace period after another signal, to which it adds no listener: a process that is debugged is configured once a run. */
function afterGrace(signal: AbortSignal): AbortSignal {
  const end = new AbortController();
  const wait = () => setTimeout(() => end.abort(signal.reason), GRACE_MS).unref();
  if (signal.aborted) end.abort(signal.reason);
  else AbortSignal.any([signal]).addEventListener('abort', wait, { once: true });
  return end.signal;
}

function withoutUserId(thrown: unknown): never {
  const isMissing = thrown instanceof Fault && thrown.code === 'credentials.refused';
  throw isMissing ? new DiagnosticError(missing('user_id')) : thrown;
}

/** The parts of the world that a served provider uses. */
export interface ProviderWorld {
  /** Called before the first connection. */
  readonly beforeConnecting?: () => Promise<void>;
  /** Called for each request. */
  readonly trace?: (event: TraceEvent) => void;
  /** Opens the journal of creates of an account. Omitted: the keys of a killed provider are not recognized. */
  readonly openJournal?: (account: AccountRef) => Promise<KeptJournal>;
  readonly onWait?: (waiting: Waiting) => void;
  /** Opens the claim on an account. Omitted: other runs are not kept out. */
  readonly openClaim?: (claims: ClaimStore, terms: ClaimTerms) => SharedClaim;
  /** Opens the record of the reveals of an account by all processes of this machine. Omitted: only those of this process count. */
  readonly openReveals?: (account: AccountRef) => Promise<RecentUses>;
  /** The time for all waits. Default: that of this machine. */
  readonly clock?: Clock;
  /** Determines whether an earlier process of the same run has shown a warning. Omitted: none is known. */
  readonly isShown?: (text: string) => Promise<boolean>;
  /** For generated names. Default: that of JavaScript. */
  readonly random?: () => number;
}

/** A provider of keys. */
export interface ServedProvider extends Provider<Client> {
  /** Call it when core has ended: until then its keys count as not stored. */
  close(): Promise<void>;
}

/** The parts of a client that do not depend on its configuration. */
interface ClientParts {
  readonly env: PluginEnvironment;
  readonly now: () => UnixSeconds;
  readonly world: ProviderWorld;
  readonly openCreates: (account: AccountRef, settle: number, clock: Clock) => Promise<OwnCreates | undefined>;
  readonly openClaim: (claims: ClaimStore, terms: ClaimTerms) => SharedClaim | undefined;
}

type Configure = Provider<Client>['configure'];

/** Records each request that reveals keys. */
const noting = (store: KeyStore, reveals: RecentUses | undefined): KeyStore => ({
  ...store,
  async reveal(ids) {
    await reveals?.note();
    return await store.reveal(ids);
  },
});

type Opening = [...Parameters<Configure>, ClientParts];

/** Opens a client, or reports all settings that are missing or invalid together. @throws DiagnosticError */
async function openClient(...opening: Opening): Promise<Client> {
  try {
    return await tryOpenClient(...opening);
  } catch (thrown) {
    const [config, , { env }] = opening;
    const errors = await unusableSettings(config, env);
    throw errors.length > 0 ? new DiagnosticError(...errors) : atSetting(thrown);
  }
}

async function tryOpenClient(...[config, signal, around]: Opening): Promise<Client> {
  const { env, world } = around;
  const settings = await parseSettings(config, env);
  const settle = parseSettle(config, env);
  const lockTimeout = parseLockTimeout(config, env);
  const policies = await readPolicyFiles(env, around.now());
  // Loaded late: a process that only serves the schema opens no connection.
  const { findOwner, openGateway, watchGatewayClock } = await import('../../gateway/index.ts');
  const { systemClock } = await import('../../http/index.ts');
  await world.beforeConnecting?.();
  const waiting = world.clock ?? systemClock;
  const clock = watchGatewayClock(around.now);
  const onTrace = (event: TraceEvent) => {
    clock.watch(event);
    world.trace?.(event);
  };
  const options = { ...settings, signal: afterGrace(signal), onTrace, clock: waiting };
  const userId = settings.userId ?? (await findOwner(options).catch(withoutUserId));
  const gateway = openGateway({ ...options, userId });
  // Reports wrong credentials, or those of another user, once, and not for every resource.
  await gateway.store.verifyAccount();
  const claim =
    lockTimeout === undefined
      ? undefined
      : around.openClaim(gateway.claims, { timeoutSeconds: lockTimeout, settleSeconds: settle });
  const reveals = await world.openReveals?.(gateway.store.account);
  return {
    gateway,
    store: sharedStore(noting(gateway.store, reveals), () => waiting.sleep(BATCH_DELAY_MS, signal)),
    reveals,
    claimedNames: new Set(),
    creates: await around.openCreates(gateway.store.account, settle, waiting),
    claim,
    run: openRunMemory(() => waiting.sleep(RELEASE_MS, signal)),
    sleep: waiting.sleep,
    random: world.random ?? Math.random,
    now: clock.now,
    limits: parseLimits(config),
    policies,
    maxLogPages: parseLogPages(config),
    assumeLogComplete: trustsLog(config),
    modelsKey: settings.modelsKey,
    secrets: [settings.accessToken, ...(settings.modelsKey ? [settings.modelsKey] : [])],
  };
}

/** Opens the journals of the accounts that core configures, and closes all of them. */
function createsOf({ openJournal, onWait }: ProviderWorld, now: () => UnixSeconds) {
  const opened: OwnCreates[] = [];
  return {
    async open(account: AccountRef, settle: number, clock: Clock): Promise<OwnCreates | undefined> {
      const journal = await openJournal?.(account);
      if (journal === undefined) return undefined;
      const wait = async (waiting: Waiting, signal: AbortSignal): Promise<void> => {
        onWait?.(waiting);
        await clock.sleep(waiting.seconds * 1000, signal);
      };
      const creates = openOwnCreates({ journal, settle, now, wait });
      opened.push(creates);
      return creates;
    },
    async close(): Promise<void> {
      // What cannot be removed costs the next run a look.
      await Promise.all(opened.map((creates) => creates.close().catch(() => undefined)));
    },
  };
}

/** The claims of the accounts that core configures, which are released when core has ended. */
function claimsOf(openClaim: ProviderWorld['openClaim']) {
  const opened = new Map<string, SharedClaim>();
  return {
    /** Aliases of one account share a claim, on the terms of the first: each would wait for the others until core has ended. */
    open(claims: ClaimStore, terms: ClaimTerms): SharedClaim | undefined {
      if (openClaim === undefined) return undefined;
      const name = accountName(claims.account);
      const claim = opened.get(name) ?? openClaim(claims, terms);
      opened.set(name, claim);
      return claim;
    },
    async close(): Promise<void> {
      await Promise.all([...opened.values()].map((claim) => claim.release()));
    },
  };
}

/**
 * Keyplane for Terraform and OpenTofu.
 *
 * @param env settings that the configuration omits
 * @param now Unix seconds of this machine; keys are judged by the gateway’s clock
 */
export function keyplaneProvider(
  env: PluginEnvironment,
  now: () => UnixSeconds,
  world: ProviderWorld = {},
): ServedProvider {
  const creates = createsOf(world, now);
  const claims = claimsOf(world.openClaim);
  const around: ClientParts = { env, now, world, openCreates: creates.open, openClaim: claims.open };
  return {
    schema: PROVIDER_SCHEMA,
    dataSources: timedSources(DATA_SOURCES),
    functions: FUNCTIONS,
    resources: { keyplane_api_key: KEY_RESOURCE },
    ephemerals: { keyplane_api_key_secret: timedEphemeral(EPHEMERAL_SECRET) },
    listResources: { keyplane_api_key: timedList(KEY_LIST_RESOURCE) },
    actions: { keyplane_check: timedAction(CHECK_ACTION) },
    validate: settingErrors,
    ...(world.isShown && { isShown: world.isShown }),
    configure: async (config, signal) => (hasUnknown(config) ? undefined : await openClient(config, signal, around)),
    mask: (text, { secrets = [] }) => blankSecrets(text, secrets),
    async close() {
      await Promise.all([creates.close(), claims.close()]);
    },
  };
}
