import { type Clock, systemClock } from './clock.ts';
import type { Timeouts } from './deadlines.ts';
import { openDispatcher, type ProxySettings } from './dispatcher.ts';
import { exchange } from './exchange.ts';
import type { Answer, HttpRequest, OpenAnswer } from './request.ts';
import { openWithManners, type SendContext, sendWithManners } from './send.ts';
import type { TraceEvent } from './trace.ts';
import { openTraffic } from './traffic.ts';

export interface HttpOptions {
  /** PEM; trusted beside the certificates that Node trusts. */
  readonly ca?: string;
  readonly proxy?: ProxySettings;
  /** The own address that connections leave from. */
  readonly sourceAddress?: string;
  readonly timeouts?: Partial<Timeouts>;
  /** Requests under way together; 8 unless told. */
  readonly concurrency?: number;
  /** How long one request lets itself be held up by 429s; ten minutes unless told. */
  readonly patienceMs?: number;
  /** Answers beyond this many bytes are not read; 64 MB unless told. */
  readonly maxBytes?: number;
  /** Ends the waits of writes and lets no new one go. Reads go on, with little patience; what is under way ends. */
  readonly signal?: AbortSignal;
  readonly onTrace?: (event: TraceEvent) => void;
  readonly clock?: Clock;
  /** 0 to 1. */
  readonly random?: () => number;
}

export interface Http {
  /**
   * Sends a request, again where its manners allow, and answers with any status that is neither 3xx, 429 nor 5xx.
   *
   * @throws Fault `gateway.unreachable`, `gateway.timeout`, `gateway.connection-lost`, `gateway.unavailable`,
   * `gateway.rate-limited`, `gateway.redirected`, `gateway.interrupted`, `gateway.not-json` or
   * `gateway.unexpected-shape`, and `gateway.interrupted` when `request.signal` aborts. Its detail has method, path, status, and `sent`: `no`, `maybe` or `yes`.
   * A fault whose `retry` is not `look` was not taken up by any attempt.
   */
  send(request: HttpRequest): Promise<Answer>;
  /**
   * The same up to the head of the answer, whose body then comes as it is sent. Nothing is sent again once the head is
   * here. Whoever does not read the body to its end leaves the loop early, or closes the answer.
   *
   * @throws Fault as `send`, until the head; after that the body throws.
   */
  open(request: HttpRequest): Promise<OpenAnswer>;
  /** Ends every connection. */
  close(): Promise<void>;
}

const TIMEOUTS: Timeouts = { connectMs: 10_000, headersMs: 30_000, bodyMs: 30_000, totalMs: 60_000 };
const MAX_BYTES = 64 * 1024 * 1024;
const PATIENCE_MS = 600_000;

/** Opens a client with manners. Connects to nothing yet; reads no environment. */
export function openHttp(options: HttpOptions = {}): Http {
  const { clock = systemClock, random = Math.random, concurrency = 8, patienceMs = PATIENCE_MS } = options;
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const connection = pick(options, timeouts.connectMs);
  const dispatcher = openDispatcher(connection);
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  const traffic = openTraffic({ concurrency, patienceMs, clock, random, ...signal });
  const maxBytes = options.maxBytes ?? MAX_BYTES;
  const proxied = Boolean(options.proxy?.http || options.proxy?.https);
  const context: SendContext = {
    clock,
    random,
    traffic,
    proxied,
    maxBytes,
    exchange: (request) =>
      exchange(dispatcher, request, {
        timeouts: { ...timeouts, ...request.timeouts },
        maxBytes: request.maxBytes ?? maxBytes,
      }),
    trace: options.onTrace ?? (() => undefined),
    signal: options.signal,
    interrupted: () => options.signal?.aborted ?? false,
  };
  return {
    send: (request) => sendWithManners(context, request),
    open: (request) => openWithManners(context, request),
    async close() {
      traffic.close();
      await dispatcher.destroy();
    },
  };
}

const pick = ({ ca, proxy, sourceAddress }: HttpOptions, connectMs: number) => ({
  connectMs,
  ...(ca === undefined ? {} : { ca }),
  ...(proxy === undefined ? {} : { proxy }),
  ...(sourceAddress === undefined ? {} : { sourceAddress }),
});
