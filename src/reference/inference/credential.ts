import type { Site } from '../context.ts';
import { keySeen } from '../failures/lenient-key.ts';
import type { StoredKey } from '../ledger/keys.ts';
import type { InferenceCall } from './request.ts';

const CREDENTIAL = /^(?:Bearer +)?sk-(\S+)$/i;

/** The key whose credential an `Authorization` header holds; undefined when there is none such. */
export function tryFindKey(site: Site, authorization: string): StoredKey | undefined {
  const stored = CREDENTIAL.exec(authorization)?.[1];
  return stored === undefined ? undefined : site.ledger.keys.tryFindBySecret(stored);
}

/** The key that a request is judged by. */
export const keyBehind = (site: Site, call: InferenceCall): StoredKey | undefined =>
  keySeen(tryFindKey(site, call.authorization), call.sabotage);
