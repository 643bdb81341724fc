import type { GatewayContext } from '../context.ts';
import { overlookRestriction } from '../failures/altered-request.ts';
import type { StoredKey } from '../ledger/keys.ts';
import type { InferenceRequest } from './request.ts';

const CREDENTIAL = /^sk-(\S+)$/i;

/** Finds the key whose credential an `Authorization` header holds. */
export function tryFindKey(context: GatewayContext, authorization: string): StoredKey | undefined {
  const stored = CREDENTIAL.exec(context.profile.credentialOf(authorization) ?? '')?.[1];
  return stored === undefined ? undefined : context.ledger.keys.tryFindBySecret(stored);
}

/** The key that a request is admitted by, which an injected failure may alter. */
export const findRequestKey = (context: GatewayContext, request: InferenceRequest): StoredKey | undefined =>
  overlookRestriction(tryFindKey(context, request.authorization), request.failure);
