import * as z from 'zod';
import { isolated, type ObservedKey, Secret } from '../domain/index.ts';
import {
  type AnyDispatcher,
  type CallLimits,
  type ClientCertificate,
  type Clock,
  type Fetch,
  type Http,
  type HttpHooks,
  openHttp,
  type ProxySettings,
  systemClock,
  type TraceEvent,
  withLimits,
} from '../http/index.ts';
import type { ClaimStore, KeyStore } from '../reconcile/index.ts';
import {
  type GatewayKind,
  type GatewayProfile,
  INFERENCE_API,
  type LogRecord,
  PACE_LIMITS,
  recognizeKind,
  SYSTEM_API,
} from '../wire/index.ts';
import { checkCredentials, parseGatewayUrl, renderAddress } from './address.ts';
import { type AnyRequest, type AnyResponse, ask } from './ask.ts';
import { watchGatewayClock } from './clock.ts';
import { deferInference } from './inference/deferred.ts';
import type { Inference } from './inference/inference.ts';
import { createClaimStore } from './system/claims/claim-store.ts';
import { createGatewayStore, readLog, searchKeys } from './system/gateway-store.ts';
import { recognizing } from './system/recognition.ts';
import { beginSession, type Session } from './system/session.ts';
import { createSystemApi, type SystemApi } from './system/system-api.ts';
import { limitsOf, refusingUnsupported } from './system/unsupported-settings.ts';

export interface GatewayOptions {
  /** The base URL, without `/api`. */
  readonly url: string;
  readonly userId: number;
  readonly accessToken: Secret;
  /** PEM; trusted in addition to the certificates that Node trusts. */
  readonly ca?: string | undefined;
  readonly proxy?: ProxySettings | undefined;
  /** The local address of outgoing connections: the one that the gateway sees when nothing is in between. */
  readonly sourceAddress?: string | undefined;
  /** The certificate of this client, for a gateway that requires one (mTLS). It is shown to no other server. */
  readonly clientCertificate?: ClientCertificate | undefined;
  /**
   * Sends the requests, instead of connections of its own: a `fetch` like that of Node.js. Certificates, proxy and source address
   * are then its concern. It does not show when a request leaves this machine, so each failed write is looked up.
   */
  readonly fetch?: Fetch | undefined;
  /** The same with a dispatcher of undici 7 or newer. It stays open. */
  readonly dispatcher?: AnyDispatcher | undefined;
  /** Headers of every request to the gateway, and to no other server. They replace no credentials. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The header `user-agent`. Defaults to `keyplane`. */
  readonly userAgent?: string | undefined;
  /** Functions that are called for each attempt of a request. */
  readonly hooks?: readonly HttpHooks[] | undefined;
  /**
   * The longest wait for a response to start, and for each pause in it. Defaults to 30 seconds. Paid inference and file
   * transfers have longer timeouts of their own, and each call may set its own.
   */
  readonly timeoutMs?: number | undefined;
  /** The number of concurrent requests. Defaults to 8. */
  readonly concurrency?: number | undefined;
  /** The longest time that one request waits for rate limits. Defaults to ten minutes. */
  readonly patienceMs?: number | undefined;
  /** An API key for listing the models. */
  readonly modelsKey?: Secret | undefined;
  /** The profile of the gateway; omitted: recognized by what it answers. */
  readonly profile?: GatewayProfile | undefined;
  /** Ends waits and sends no further writes; reads continue. */
  readonly signal?: AbortSignal | undefined;
  readonly onTrace?: ((event: TraceEvent) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

export interface Gateway {
  readonly system: SystemApi;
  /** The time of the gateway: that of this machine, corrected by its answers. */
  readonly time: { now(): Date };
  readonly store: KeyStore;
  /** The claims by which runs lock the account; they are not among the keys of the store. */
  readonly claims: ClaimStore;
  /**
   * Lists the keys that the gateway finds for a text, each once. Gateways differ: some look for a part of the name or the
   * whole stored value, others for the whole name unless the text contains `%`. Limited to a few requests a minute.
   */
  search(text: string): Promise<readonly ObservedKey[]>;
  /** The usage log, newest first, a page of entries at a time; stop iterating to stop reading. */
  log(): AsyncIterable<readonly LogRecord[]>;
  /** Sends one request as it is, to learn how this gateway answers it. */
  ask(question: AnyRequest): Promise<AnyResponse>;
  /** Opens the inference and media API with this API key. @throws Fault `usage.invalid` for a malformed key. */
  inference(key: Secret): Inference;
  /** The same gateway for one call, whose requests have these limits together. */
  within(limits: CallLimits): Gateway;
  /** Closes every connection. Call it when no request is under way. */
  close(): Promise<void>;
}

const CONNECT_MS = 10_000;

/**
 * Opens a client of a live gateway for one account. Does not connect yet, and reads neither files nor the environment.
 *
 * @throws Fault `usage.invalid` for an invalid URL, CA or proxy; `credentials.missing`.
 */
export function openGateway(options: GatewayOptions): Gateway {
  checkCredentials(options.userId, options.accessToken);
  const { clock = systemClock } = options;
  const time = watchGatewayClock(() => clock.now() / 1000);
  const watchers = [time.watch, isolated(options.onTrace)];
  const onTrace = (event: TraceEvent): void => {
    for (const watch of watchers) watch(event);
  };
  const http = openHttp(httpOptions({ ...options, onTrace }));
  const now = () => new Date(time.now() * 1000);
  return connect(http, {
    ...options,
    base: parseGatewayUrl(options.url),
    session: beginSession(options.profile),
    time: { now },
  });
}

interface ConnectedOptions extends Omit<GatewayOptions, 'url'>, Pick<Gateway, 'time'> {
  readonly base: URL;
  readonly session: Session;
}

/** The gateway over one HTTP client; what is learned of it is shared by all that have the same session. */
function connect(http: Http, options: ConnectedOptions): Gateway {
  const { base, session, userId, accessToken, modelsKey, clock = systemClock, signal } = options;
  // Extra headers are often credentials of what is in front of the gateway, which may repeat them.
  const headers = Object.values(options.headers ?? {}).map((value) => new Secret(value));
  const otherSecrets = [...headers, ...(modelsKey ? [modelsKey] : [])];
  const findKind = (): Promise<GatewayKind | undefined> => askKind({ http, base, userId, accessToken });
  const system = createSystemApi({ http, base, userId, accessToken, otherSecrets }, { session, findKind });
  // Whoever chose a profile has examined this gateway.
  const isChosen = options.profile !== undefined;
  const careful = isChosen ? system : refusingUnsupported(system, session);
  const { api, ...recognized } = recognizing(careful, options.profile, session);
  const store = createGatewayStore(api, {
    url: renderAddress(base),
    userId,
    session,
    ...recognized,
    ...(isChosen ? {} : { limits: () => limitsOf(session) }),
    ...omitUndefined({ modelsKey }),
  });
  const connection = { http, base, clock, signal, otherSecrets: [accessToken, ...otherSecrets] };
  return {
    system,
    time: options.time,
    store,
    claims: createClaimStore(api, store),
    search: (text) => searchKeys(system, store, text),
    log: () => readLog(system, store),
    ask: (question) => ask({ http, base, userId, accessToken }, question),
    inference: (key) => deferInference({ ...connection, key, ownTask: (taskId) => system.ownTask(taskId) }),
    within: (limits) => connect(withLimits(http, limits), options),
    close: () => http.close(),
  };
}

/**
 * Asks the gateway whose access token this is, without a user ID. Some gateways of the family answer.
 *
 * @throws Fault `credentials.refused` where the gateway requires the user ID, or rejects the token.
 */
export async function findOwner(options: Omit<GatewayOptions, 'userId'>): Promise<number> {
  const { accessToken } = options;
  const base = parseGatewayUrl(options.url);
  checkCredentials(ANY_USER, accessToken);
  const http = openHttp(httpOptions(options));
  try {
    return await createSystemApi({ http, base, userId: undefined, accessToken, otherSecrets: [] }).owner();
  } finally {
    await http.close();
  }
}

/** A key that no gateway has. */
const UNKNOWN_KEY = new Secret(`sk-${'0'.repeat(48)}`);

const Refusal = z.lazy(() => z.looseObject({ error: z.looseObject({ type: z.string() }) }));
const Status = z.lazy(() => z.looseObject({ data: z.looseObject({}) }));

/**
 * Recognizes the kind of a gateway by its status and by how it refuses an unknown API key: two requests, without credentials.
 *
 * @throws Fault when no answer came, and `usage.invalid` for an invalid URL, CA or proxy.
 */
export async function findKind(
  options: Omit<GatewayOptions, 'userId' | 'accessToken'>,
): Promise<GatewayKind | undefined> {
  const http = openHttp(httpOptions(options));
  const connection = { http, base: parseGatewayUrl(options.url), userId: ANY_USER, accessToken: UNKNOWN_KEY };
  try {
    return await askKind(connection);
  } finally {
    await http.close();
  }
}

async function askKind(connection: Parameters<typeof ask>[0]): Promise<GatewayKind | undefined> {
  const status = await ask(connection, { method: 'GET', path: SYSTEM_API.status.path, as: 'nobody' });
  const refusal = await ask(connection, { method: 'GET', path: INFERENCE_API.models.path, as: { key: UNKNOWN_KEY } });
  return recognizeKind(Status.safeParse(status.json).data?.data, typeOfRefusal(refusal));
}

/** The type only of a refused key: a missing path has the same type on every gateway. */
const typeOfRefusal = ({ status, json }: AnyResponse): string | undefined =>
  status === 401 ? Refusal.safeParse(json).data?.error.type : undefined;

/** The user ID where only the access token is checked. */
const ANY_USER = 1;

const httpOptions = (options: Omit<GatewayOptions, 'userId' | 'accessToken'>) => ({
  timeouts: timeouts(options.timeoutMs),
  limits: PACE_LIMITS,
  origin: parseGatewayUrl(options.url).origin,
  ...omitUndefined({
    ca: options.ca,
    proxy: options.proxy,
    sourceAddress: options.sourceAddress,
    clientCertificate: options.clientCertificate,
    fetch: options.fetch,
    dispatcher: options.dispatcher,
    headers: options.headers,
    userAgent: options.userAgent,
    hooks: options.hooks,
    concurrency: options.concurrency,
    patienceMs: options.patienceMs,
    signal: options.signal,
    onTrace: options.onTrace,
    clock: options.clock,
    random: options.random,
  }),
});

function timeouts(ms: number | undefined) {
  if (ms === undefined) return {};
  return { connectMs: Math.min(CONNECT_MS, ms), headersMs: ms, bodyMs: ms, totalMs: 2 * ms };
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Omits the members that are undefined. */
const omitUndefined = <T extends object>(members: T): Defined<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>;
