import type { Gateway } from '../../../src/gateway/index.ts';
import { type Client, openRunMemory } from '../../../src/terraform/keyplane/client.ts';
import { sharedStore } from '../../../src/terraform/keyplane/store/shared-store.ts';
import type { Remark, Surroundings } from '../../../src/terraform/provider/definition.ts';
import { NOW } from '../../checks/stage.ts';

export type ClientChange = Partial<Client>;
type Warning = Omit<Remark, 'severity'>;

/** What a call of the configured provider has, with this gateway behind it. */
export function surroundings(
  gateway: Gateway,
  change: ClientChange = {},
): Surroundings<Client> & { readonly warnings: readonly Warning[] } {
  const warnings: Warning[] = [];
  return {
    client: {
      gateway,
      store: sharedStore(gateway.store),
      names: new Set(),
      run: openRunMemory(),
      now: () => NOW,
      limits: {},
      ...change,
    },
    signal: new AbortController().signal,
    warn: (said) => warnings.push(said),
    warnings,
  };
}
