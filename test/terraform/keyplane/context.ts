import type { Gateway } from '../../../src/gateway/index.ts';
import { type Client, openRunMemory } from '../../../src/terraform/keyplane/client.ts';
import { sharedStore } from '../../../src/terraform/keyplane/store/shared-store.ts';
import type { OperationContext } from '../../../src/terraform/provider/definition.ts';
import type { ProtocolDiagnostic } from '../../../src/terraform/provider/diagnostics.ts';
import { NOW } from '../../checks/stage.ts';

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
