import type { Gateway } from '../../../src/gateway/index.ts';
import type { KeyStore } from '../../../src/reconcile/index.ts';
import { type Client, openRunMemory } from '../../../src/terraform/keyplane/client.ts';
import { sharedStore } from '../../../src/terraform/keyplane/store/shared-store.ts';
import type { OperationContext } from '../../../src/terraform/provider/definition.ts';
import type { ProtocolDiagnostic } from '../../../src/terraform/provider/diagnostics.ts';
import { NOW } from '../../checks/stage.ts';
import { NOW as NOW_OF_STORES } from '../../reconcile/account.ts';

export type ClientChange = Partial<Client>;
type Warning = Omit<ProtocolDiagnostic, 'severity'>;

/** The context of a call of the configured provider, with this gateway. */
export function contextFor(
  gateway: Gateway,
  change: ClientChange = {},
): OperationContext<Client> & { readonly warnings: readonly Warning[] } {
  const warnings: Warning[] = [];
  return {
    client: {
      gateway,
      store: sharedStore(gateway.store),
      claimedNames: new Set(),
      run: openRunMemory(),
      sleep: () => new Promise(() => {}),
      random: Math.random,
      now: () => NOW,
      limits: {},
      ...change,
    },
    signal: new AbortController().signal,
    warn: (output) => warnings.push(output),
    warnings,
  };
}

/** A client for keys alone, over a store in memory and without a gateway. */
export const clientOver = (store: KeyStore, change: ClientChange = {}): Client =>
  ({
    store: sharedStore(store),
    claimedNames: new Set(),
    run: openRunMemory(),
    now: () => NOW_OF_STORES,
    limits: {},
    ...change,
  }) as unknown as Client;

/** The context of a call with that client, which keeps the summaries of its warnings. */
export const contextOver = (store: KeyStore, warnings: string[], change?: ClientChange): OperationContext<Client> => ({
  client: clientOver(store, change),
  signal: new AbortController().signal,
  warn: ({ summary }) => warnings.push(summary),
});
