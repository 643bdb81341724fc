import type { StoredKey } from '../ledger/keys.ts';
import type { Site } from '../site.ts';

const CREDENTIAL = /^(?:Bearer +)?sk-(\S+)$/i;

/** The key whose credential an `Authorization` header holds; undefined when there is none such. */
export function tryFindKey(site: Site, authorization: string): StoredKey | undefined {
  const stored = CREDENTIAL.exec(authorization)?.[1];
  return stored === undefined ? undefined : site.ledger.keys.tryFindBySecret(stored);
}
