import type { Secret } from '../domain/index.ts';
import { type Clock, openHttp, type ProxySettings, systemClock, type TraceEvent } from '../http/index.ts';
import type { KeyStore } from '../reconcile/index.ts';
import { checkCredentials, parseGatewayUrl, renderAddress } from './address.ts';
import { createInference } from './inference/create-inference.ts';
import type { Inference } from './inference/inference.ts';
import { createGatewayStore } from './system/gateway-store.ts';
import { createSystemApi, type SystemApi } from './system/system-api.ts';

export interface GatewayOptions {
  /** The base address, without `/api`. */
  readonly url: string;
  readonly userId: number;
  readonly accessToken: Secret;
  /** PEM; trusted beside the certificates that Node trusts. */
  readonly ca?: string | undefined;
  readonly proxy?: ProxySettings | undefined;
  /** The own address that connections leave from: what the gateway sees where nothing stands between. */
  readonly sourceAddress?: string | undefined;
  /**
   * For an answer to begin, and for each pause in it; 30 seconds unless told. Inference that costs money and transfers of
   * files have longer times of their own, and each call may give its own.
   */
  readonly timeoutMs?: number | undefined;
  /** Requests under way together; 8 unless told. */
  readonly concurrency?: number | undefined;
  /** How long one request lets itself be held up by 429s; ten minutes unless told. */
  readonly patienceMs?: number | undefined;
  /** An API key with which the models may be asked. */
  readonly modelsKey?: Secret | undefined;
  /** Ends waits; no new write is sent after it; reads go on. */
  readonly signal?: AbortSignal | undefined;
  readonly onTrace?: ((event: TraceEvent) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

export interface Gateway {
  readonly system: SystemApi;
  readonly store: KeyStore;
  /** The inference and media API with this API key. @throws Fault `usage.invalid` for a key that can be none. */
  inference(key: Secret): Inference;
  /** Ends every connection. To be called when nothing is under way. */
  close(): Promise<void>;
}

const CONNECT_MS = 10_000;

/**
 * A live gateway, as one account of it. Connects to nothing yet, and reads neither files nor environment.
 *
 * @throws Fault `usage.invalid` for a URL, CA or proxy that is none; `credentials.missing`.
 */
export function openGateway(options: GatewayOptions): Gateway {
  const { userId, accessToken, modelsKey } = options;
  const base = parseGatewayUrl(options.url);
  checkCredentials(userId, accessToken);
  const http = openHttp({
    timeouts: timeouts(options.timeoutMs),
    ...defined({
      ca: options.ca,
      proxy: options.proxy,
      sourceAddress: options.sourceAddress,
      concurrency: options.concurrency,
      patienceMs: options.patienceMs,
      signal: options.signal,
      onTrace: options.onTrace,
      clock: options.clock,
      random: options.random,
    }),
  });
  const otherSecrets = modelsKey ? [modelsKey] : [];
  const system = createSystemApi({ http, base, userId, accessToken, otherSecrets });
  const store = createGatewayStore(system, { url: renderAddress(base), userId, ...defined({ modelsKey }) });
  const { clock = systemClock, signal } = options;
  const line = { http, base, clock, signal, otherSecrets: [accessToken, ...otherSecrets] };
  return { system, store, inference: (key) => createInference({ ...line, key }), close: () => http.close() };
}

function timeouts(ms: number | undefined) {
  if (ms === undefined) return {};
  return { connectMs: Math.min(CONNECT_MS, ms), headersMs: ms, bodyMs: ms, totalMs: 2 * ms };
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without the members that are undefined. */
const defined = <T extends object>(members: T): Defined<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>;
