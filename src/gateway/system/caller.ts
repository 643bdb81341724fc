import type * as z from 'zod';
import { Fault, type KeyId, type Secret } from '../../domain/index.ts';
import type { Http, HttpRequest } from '../../http/index.ts';
import { type Endpoint, type EndpointName, renderJson, SYSTEM_API, userIdHeaders } from '../../wire/index.ts';
import { endpointUrl, withAddressHint } from '../address.ts';
import {
  bannedFault,
  credentialsFault,
  type Exchanged,
  isMissing,
  notFoundFault,
  parseBody,
} from '../response-fault.ts';
import { type ClassifiedResponse, classify } from './classify.ts';

/** The address of the System API, and the account that calls it. */
export interface SystemConnection {
  readonly http: Http;
  readonly base: URL;
  /** Undefined only to ask whose token this is. */
  readonly userId: number | undefined;
  readonly accessToken: Secret;
  /** Also blanked in messages of the gateway. */
  readonly otherSecrets: readonly Secret[];
}

/**
 * `once`: the request leaves immediately, and once, or not at all. `although-interrupted`: also after an interruption, which
 * ends all other writes. Default: the rules of its endpoint.
 */
export type Sending = 'once' | 'although-interrupted' | undefined;

export interface EndpointInput {
  readonly id?: KeyId;
  /** The path, where a gateway has another one than the contract. */
  readonly path?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly sending?: Sending;
  /** Called with `data` before the schema parses it, which waits until it is done. */
  readonly onData?: (data: unknown) => Promise<void>;
}

/** Calls one endpoint and returns its `data` as parsed by the schema. */
export type CallEndpoint = <T>(name: EndpointName, schema: z.ZodType<T>, input?: EndpointInput) => Promise<T>;

/**
 * Opens a caller of the System API.
 *
 * A rejection within the envelope can mean anything, including an unknown access token, and its message is not
 * reliable. So the caller probes with the self-read, which can be rejected for one reason only: when that is rejected
 * too, the credentials are the cause. Contract: “Authentication”, rule 2.
 */
export function openCaller(connection: SystemConnection): CallEndpoint {
  let probe: Promise<Fault | undefined> | undefined;
  const probeCredentials = () => {
    probe ??= probeSelf(connection).finally(() => {
      probe = undefined;
    });
    return probe;
  };
  const call: CallEndpoint = async (name, schema, input = {}) => {
    const exchanged = await callOnce(connection, name, input);
    const { classified, response } = exchanged;
    if (classified.kind === 'data') {
      await input.onData?.(classified.data);
      return parseBody(schema, classified.data, exchanged);
    }
    if (response.afterLoss) throw response.afterLoss;
    if (classified.kind !== 'refused' || !SYSTEM_API[name].credentials) throw classified.fault;
    if (name === 'self') throw await selfFault(connection, exchanged, classified.fault);
    const problem = await probeCredentials();
    if (problem) throw problem;
    if (name === 'readKey' && (await isGone(connection, input))) throw notFoundFault(exchanged.request, response);
    throw classified.fault;
  };
  return (name, schema, input) =>
    call(name, schema, input).catch((thrown: unknown) => {
      throw thrown instanceof Fault ? withAddressHint(thrown, connection.base) : thrown;
    });
}

async function callOnce(
  connection: SystemConnection,
  name: EndpointName,
  input: EndpointInput,
): Promise<Exchanged & { classified: ClassifiedResponse }> {
  const request = requestFor(connection, SYSTEM_API[name], input);
  const response = await connection.http.send(request);
  const secrets = [connection.accessToken, ...connection.otherSecrets];
  return { request, response, classified: classify({ request, response }, secrets) };
}

function requestFor(
  connection: SystemConnection,
  endpoint: Endpoint,
  { id, path = endpoint.path, query, body, sending }: EndpointInput,
): HttpRequest {
  const { method, retry, effect, pace } = endpoint;
  const credentials = {
    authorization: `Bearer ${connection.accessToken.reveal()}`,
    ...(connection.userId === undefined ? {} : userIdHeaders(connection.userId)),
  };
  return {
    method,
    url: endpointUrl(connection.base, path.replace('{id}', String(id)), query),
    headers: {
      accept: 'application/json',
      'user-agent': 'keyplane',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(endpoint.credentials ? credentials : {}),
    },
    ...(body === undefined ? {} : { body: renderJson(body) }),
    retry: sending === 'once' ? 'never' : retry,
    // After an interruption the client sends what only reads.
    effect: sending === 'although-interrupted' ? 'reads' : effect,
    pace,
    ...(sending === 'once' ? { patienceMs: 0 } : {}),
  };
}

/** The fault when the gateway rejects the credentials; undefined when it accepts them, or cannot be reached. */
async function probeSelf(connection: SystemConnection): Promise<Fault | undefined> {
  try {
    const exchanged = await callOnce(connection, 'self', {});
    const { classified } = exchanged;
    if (classified.kind === 'credentials') return classified.fault;
    return classified.kind === 'refused' ? await selfFault(connection, exchanged, classified.fault) : undefined;
  } catch {
    // The rejection that led here is the better one to report.
    return undefined;
  }
}

/** A rejection of the self-read means the credentials, or a disabled user, unless the endpoint is missing. */
async function selfFault(
  connection: SystemConnection,
  { request, response }: Exchanged,
  refusal: Fault,
): Promise<Fault> {
  if (isMissing(response)) return refusal;
  const isBanned = response.status < 300 && (await isTokenKnown(connection));
  return isBanned
    ? bannedFault(request, response)
    : credentialsFault(request, response, String(refusal.detail.message ?? ''));
}

/**
 * Returns whether the gateway knows the access token: without a user ID it rejects an unknown token within the envelope, and
 * a known one with 401.
 */
async function isTokenKnown(connection: SystemConnection): Promise<boolean> {
  if (connection.userId === undefined) return false;
  const without = { ...connection, userId: undefined };
  const asked = await callOnce(without, 'self', {}).catch(() => undefined);
  return asked?.classified.kind === 'credentials' && asked.response.status === 401;
}

/**
 * Finds out whether a key whose read was rejected is really gone. The contract does not show that response. So the read is
 * repeated: a gateway in trouble rejects the same way, a proxy that lost its route answers with 404, and a key that counts
 * as gone may be created again.
 */
async function isGone(connection: SystemConnection, input: EndpointInput): Promise<boolean> {
  const again = await callOnce(connection, 'readKey', input);
  return again.classified.kind === 'refused';
}
