import { setTimeout } from 'node:timers/promises';
import { Fault, type UnixSeconds } from '../../domain/index.ts';
import type { Clock, TraceEvent } from '../../gateway/index.ts';
import type { Provider } from '../provider/definition.ts';
import { CHECK_ACTION } from './check/check.ts';
import { type Client, openRunMemory } from './client.ts';
import { DATA_SOURCES } from './data/data-sources.ts';
import { EPHEMERAL_SECRET } from './data/secret.ts';
import { FUNCTIONS } from './functions.ts';
import { KEY_LIST_RESOURCE } from './key/list-resource.ts';
import { KEY_RESOURCE } from './key/resource.ts';
import {
  atSetting,
  hasUnknown,
  missingUserId,
  PROVIDER_SCHEMA,
  parseLimits,
  parseLogPages,
  parseSettings,
  trustsLog,
} from './settings.ts';
import { sharedStore } from './store/shared-store.ts';

/**
 * Time for further requests to join a batch. A thousand keys need more requests than many gateways serve in three
 * minutes, and core takes longer for a change than the gateway.
 */
const BATCH_DELAY_MS = 50;

/** Time to finish a change that has started, such as disabling a new key, after core stops the provider. */
const GRACE_MS = 10_000;

/** Aborts a grace period after another signal. */
function afterGrace(signal: AbortSignal): AbortSignal {
  const end = new AbortController();
  const wait = () => setTimeout(GRACE_MS, undefined, { ref: false }).then(() => end.abort(signal.reason));
  if (signal.aborted) end.abort(signal.reason);
  else signal.addEventListener('abort', wait, { once: true });
  return end.signal;
}

function withoutUserId(thrown: unknown): never {
  throw thrown instanceof Fault && thrown.code === 'credentials.refused' ? missingUserId() : thrown;
}

interface ProviderOptions {
  /** Called for each request. */
  readonly trace?: (event: TraceEvent) => void;
  /** The time for all waits. Default: that of this machine. */
  readonly clock?: Clock;
}

/**
 * Keyplane for Terraform and OpenTofu.
 *
 * @param env settings that the configuration omits
 * @param now Unix seconds of this machine; keys are judged by the gateway’s clock
 */
export const keyplaneProvider = (
  env: Readonly<Record<string, string | undefined>>,
  now: () => UnixSeconds,
  { trace, clock: waiting }: ProviderOptions = {},
): Provider<Client> => ({
  schema: PROVIDER_SCHEMA,
  dataSources: DATA_SOURCES,
  functions: FUNCTIONS,
  resources: { keyplane_api_key: KEY_RESOURCE },
  ephemerals: { keyplane_api_key_secret: EPHEMERAL_SECRET },
  listResources: { keyplane_api_key: KEY_LIST_RESOURCE },
  actions: { keyplane_check: CHECK_ACTION },
  async configure(config, signal) {
    if (hasUnknown(config)) return undefined;
    const settings = await parseSettings(config, env);
    // Loaded late: a process that only serves the schema opens no connection.
    const { findOwner, openGateway, watchGatewayClock } = await import('../../gateway/index.ts');
    try {
      const clock = watchGatewayClock(now);
      const onTrace = (event: TraceEvent) => {
        clock.watch(event);
        trace?.(event);
      };
      const options = { ...settings, signal: afterGrace(signal), onTrace, clock: waiting };
      const userId = settings.userId ?? (await findOwner(options).catch(withoutUserId));
      const gateway = openGateway({ ...options, userId });
      // Reports wrong credentials, or those of another user, once, and not for every resource.
      await gateway.store.verifyAccount();
      const { modelsKey } = settings;
      return {
        gateway,
        store: sharedStore(gateway.store, () => waiting?.sleep(BATCH_DELAY_MS) ?? setTimeout(BATCH_DELAY_MS)),
        claimedNames: new Set(),
        run: openRunMemory(),
        now: clock.now,
        limits: parseLimits(config),
        maxLogPages: parseLogPages(config),
        assumeLogComplete: trustsLog(config),
        modelsKey,
      };
    } catch (thrown) {
      throw atSetting(thrown);
    }
  },
});
