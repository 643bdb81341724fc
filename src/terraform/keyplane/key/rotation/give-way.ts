import type { ObservedKey } from '../../../../domain/index.ts';
import type { WriteResult } from '../../../provider/definition.ts';
import { diagnosticsOf } from '../../../provider/diagnostics.ts';
import type { Client } from '../../client.ts';
import { nameTakenBy } from '../names/name-taken.ts';
import { generationsOf } from './generations.ts';

interface Rivalry {
  /** The name that both resources have. */
  readonly declared: string;
  readonly client: Client;
  /** Deletes the key that this process has just created. @throws DiagnosticError, Fault when it stays */
  readonly withdraw: (own: ObservedKey) => Promise<void>;
}

/**
 * Gives way to another run that has created a first generation of the same key. Their names state different minutes, so the
 * gateway accepts both, and each state would take the later one for a successor of its own. The key with the lower ID stays: both
 * runs see it, whichever looks first. A run that holds the lock is alone.
 */
export async function giveWay(result: WriteResult, { declared, client, withdraw }: Rivalry): Promise<WriteResult> {
  const { instance } = result;
  if (instance === undefined || (await client.claim?.isHeld())) return result;
  const { id, name } = instance.state;
  try {
    const keys = generationsOf(declared, await client.store.walk());
    const earlier = keys.filter((key) => key.id < Number(id));
    const own = keys.find((key) => key.id === id && key.name === name);
    if (earlier.length === 0 || own === undefined) return result;
    await withdraw(own);
    await client.creates?.forget(own.name);
    client.claimedNames.delete(own.name);
    return { diagnostics: [nameTakenBy(declared, earlier)] };
  } catch (thrown) {
    return { ...result, diagnostics: [...result.diagnostics, ...diagnosticsOf(thrown)] };
  }
}
