import type { FastifyRequest } from 'fastify';
import type { GatewayContext } from '../context.ts';
import { overlookRestriction } from '../failures/altered-request.ts';
import { type Admission, admit } from '../keys/admission.ts';
import type { StoredKey } from '../ledger/keys.ts';
import { queryReader } from '../server/query.ts';
import type { InferenceRequest } from './request.ts';

/** The `Authorization` of a request, or of what the gateway takes for it. */
export function authorizationOf({ profile }: GatewayContext, request: FastifyRequest): string {
  if (profile.keySources.length === 0) return request.headers.authorization ?? '';
  const query = queryReader(request);
  const path = request.url.replace(/\?.*$/, '');
  const others = profile.keySources
    .filter(({ paths }) => paths.test(path))
    .map(({ header, query: name }) => (header ? String(request.headers[header] ?? '') : query(name ?? '')))
    .filter((credential) => credential !== '');
  const last = others.at(-1);
  return last === undefined ? (request.headers.authorization ?? '') : `Bearer ${last}`;
}

/** Finds the key whose credential an `Authorization` header holds. */
export function tryFindKey(context: GatewayContext, authorization: string): StoredKey | undefined {
  const credential = context.profile.credentialOf(authorization);
  return credential && context.ledger.keys.tryFindBySecret(credential.stored);
}

/** Decides whether a request may use its key, which an injected failure may alter. Call it within a transaction. */
export function admitRequest(context: GatewayContext, request: InferenceRequest, model?: string): Admission {
  const { authorization, address, failure } = request;
  const choosesChannel = context.profile.credentialOf(authorization)?.choosesChannel === true;
  const key = overlookRestriction(tryFindKey(context, authorization), failure);
  return admit(context, key, { address, model, choosesChannel });
}
