import { Fault, type Secret } from '../../../../src/domain/index.ts';
import type { Client } from '../../../../src/terraform/keyplane/client.ts';
import type { MemoryStore } from '../../../contract/memory-store.ts';
import { openMachine } from '../core.ts';

/** A gateway that lists its models to the secrets of enabled keys. */
const gatewayOver = (store: MemoryStore): Client['gateway'] =>
  ({
    inference: (secret: Secret) => ({
      async models() {
        const found = [...store.records.values()].find(({ key }) => `sk-${key}` === secret.reveal());
        if (found?.status !== 1) throw new Fault('gateway.refused', 'It rejects the secret.');
      },
    }),
  }) as unknown as Client['gateway'];

/** A gateway in memory. @param reports whether records have the use and the times of keys, as those of deployed gateways do */
export const openDeployed = (reports = true) =>
  openMachine({ reportsUse: reports, reportsTimes: reports }, { assumeLogComplete: true, gateway: gatewayOver });
