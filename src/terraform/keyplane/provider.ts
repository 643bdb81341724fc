import { setTimeout } from 'node:timers/promises';
import type { UnixSeconds } from '../../domain/index.ts';
import type { TraceEvent } from '../../gateway/index.ts';
import type { Provider } from '../provider/definition.ts';
import { CHECK_ACTION } from './check/check.ts';
import { type Client, openRunMemory } from './client.ts';
import { DATA_SOURCES } from './data/data-sources.ts';
import { EPHEMERAL_SECRET } from './data/secret.ts';
import { FUNCTIONS } from './functions.ts';
import { KEY_LIST_RESOURCE } from './key/list-resource.ts';
import { KEY_RESOURCE } from './key/resource.ts';
import { atField, isOpen, limitsFrom, logPagesFrom, PROVIDER_SCHEMA, settingsFrom } from './settings.ts';
import { sharedStore } from './store/shared-store.ts';

/**
 * A thousand keys are more requests than many gateways serve in three minutes. In this time core, which needs longer for
 * a change than the gateway, brings those that can share one.
 */
const LINGER_MS = 50;

/** The second half of what is begun, such as disabling a new key, is done before all ends; waits are not endless. */
const GRACE_MS = 10_000;

/** Aborts a while after another. */
function later(signal: AbortSignal): AbortSignal {
  const end = new AbortController();
  const wait = () => setTimeout(GRACE_MS, undefined, { ref: false }).then(() => end.abort(signal.reason));
  if (signal.aborted) end.abort(signal.reason);
  else signal.addEventListener('abort', wait, { once: true });
  return end.signal;
}

/**
 * Keyplane for Terraform and OpenTofu.
 *
 * @param env what the configuration does not say
 * @param now Unix seconds
 * @param trace told of each request
 */
export const keyplaneProvider = (
  env: Readonly<Record<string, string | undefined>>,
  now: () => UnixSeconds,
  trace?: (event: TraceEvent) => void,
): Provider<Client> => ({
  schema: PROVIDER_SCHEMA,
  dataSources: DATA_SOURCES,
  functions: FUNCTIONS,
  resources: { keyplane_api_key: KEY_RESOURCE },
  ephemerals: { keyplane_api_key_secret: EPHEMERAL_SECRET },
  listResources: { keyplane_api_key: KEY_LIST_RESOURCE },
  actions: { keyplane_check: CHECK_ACTION },
  async configure(config, signal) {
    if (isOpen(config)) return undefined;
    const settings = await settingsFrom(config, env);
    // Loaded late: what only tells its schema opens no connection.
    const { openGateway } = await import('../../gateway/index.ts');
    try {
      const gateway = openGateway({ ...settings, signal: later(signal), ...(trace && { onTrace: trace }) });
      // Wrong credentials are one trouble, and would otherwise be told for every resource.
      await gateway.system.self();
      const { modelsKey } = settings;
      return {
        gateway,
        store: sharedStore(gateway.store, () => setTimeout(LINGER_MS)),
        names: new Set(),
        run: openRunMemory(),
        now,
        limits: limitsFrom(config),
        maxLogPages: logPagesFrom(config),
        modelsKey,
      };
    } catch (thrown) {
      throw atField(thrown);
    }
  },
});
