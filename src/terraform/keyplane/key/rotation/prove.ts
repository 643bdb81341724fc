import type { DesiredKey, ObservedKey } from '../../../../domain/index.ts';
import { type ProveSecrets, proveSecretsWith } from '../../../../reconcile/index.ts';
import type { ProtocolDiagnostic } from '../../../provider/diagnostics.ts';
import type { Client } from '../../client.ts';

/** Sends requests with the secrets that the ephemeral resource delivers. */
export const proofsWith = ({ store, gateway }: Client): ProveSecrets =>
  proveSecretsWith({ store, inference: (secret) => gateway.inference(secret) });

/** Can a request show that the secret of a key works? The gateway rejects that of a key that is declared disabled. */
export const isProvable = ({ enabled }: Pick<DesiredKey, 'enabled'>): boolean => enabled !== false;

/** Proves that the secret of a successor works. Returns the error if it does not: dependants then keep the former secret. */
export async function unprovenBecause(
  { id, status }: ObservedKey,
  client: Client,
): Promise<ProtocolDiagnostic | undefined> {
  const fault = (await proofsWith(client)([id])).get(id);
  if (fault === undefined) return undefined;
  const former = 'The former key still works, and nothing that depends on the resource changes in this run.';
  if (status === 'disabled') {
    return {
      severity: 'error',
      summary: `The successor (key ${id}) is disabled at the gateway, so that its secret could not be proven`,
      detail: `${former} Enable the successor at the gateway, and apply again.`,
    };
  }
  return {
    severity: 'error',
    summary: `The secret of the successor (key ${id}) could not be proven`,
    detail: `${fault.message} ${former} Apply again: the secret is proven before anything else.`,
  };
}
