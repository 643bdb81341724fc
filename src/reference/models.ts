import { admit, usableModels } from './admission.ts';
import type { Answer } from './answer.ts';
import { refusedUse } from './inference-refusal.ts';
import type { Site } from './site.ts';

const CREDENTIAL = /^(?:Bearer +)?sk-(\S+)$/i;

/** The stored value within an inference credential; undefined when the header holds none. */
const storedValueIn = (authorization: string): string | undefined => CREDENTIAL.exec(authorization)?.[1];

/** `GET /v1/models`: only what this key may use. Its path is one of the contract's gaps. */
export function listModels(site: Site, authorization: string | undefined, address: string): Answer {
  const stored = storedValueIn(authorization ?? '');
  return site.ledger.transact(() => {
    const found = stored === undefined ? undefined : site.ledger.keys.tryFindBySecret(stored);
    const admission = admit(site, found, { address });
    if ('refusal' in admission) return refusedUse(site, admission.refusal);
    return { status: 200, body: site.profile.models(usableModels(site, admission.account, admission.key)) };
  });
}
