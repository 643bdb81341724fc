import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Fault, type ProfileName, type Secret } from '../domain/index.ts';
import { openJsonModel } from '../synthetic/index.ts';
import type { GatewayProfile } from '../wire/index.ts';
import { releaseAbandonedHolds } from './billing/charge.ts';
import { gatewayClock } from './clock.ts';
import type { GatewayContext } from './context.ts';
import { type RequestGate, requestGate } from './failures/request-gate.ts';
import { failureScripts } from './failures/scripts.ts';
import { openLedger } from './ledger/ledger.ts';
import { type CallbackDispatcher, callbackDispatcher } from './media/video/callback-dispatcher.ts';
import { settleTasks } from './media/video/settle.ts';
import { TaskScheduler } from './media/video/task-scheduler.ts';
import { VideoCache } from './media/video/video-cache.ts';
import { CONTRACT } from './profiles/contract.ts';
import { DEPLOYED, DEPLOYED_1_0 } from './profiles/deployed.ts';
import { type Imitation, imitate } from './profiles/imitated.ts';
import type { Profile } from './profiles/profile.ts';
import { pooledRandom, type RandomBytes } from './random.ts';
import { DEFAULT_SEED } from './seed/default.ts';
import { parseSeed } from './seed/read.ts';
import type { Seed } from './seed/schema.ts';
import { seedLedger } from './seed/seed-ledger.ts';
import { addControl, CONTROL_PREFIX } from './server/control.ts';
import { controlsOf } from './server/controls.ts';
import type { GatewayControls } from './server/gateway-controls.ts';
import { isLoopbackName } from './server/loopback.ts';
import { routeCounters } from './server/request-counters.ts';
import { createServer, isPattern } from './server/server.ts';

/** The seed, the place of the ledger, and the address of a reference gateway. */
export interface ReferenceOptions {
  /** A name or address of this machine; the gateway listens on no other. Default `127.0.0.1`. */
  readonly host?: string;
  /** Default 0: a free one. */
  readonly port?: number;
  /** The ledger's SQLite file, created if it does not exist. Default: in memory, lost at the end. */
  readonly data?: string;
  /** A built-in profile, or that of a gateway to imitate as far as this one can. Default `contract`. */
  readonly profile?: ProfileName | GatewayProfile;
  /** The rule for the header with the user ID. Default: `required`. */
  readonly userHeader?: Profile['userHeader'];
  /** The contents of an empty ledger. Default: one account, two groups, a handful of models. */
  readonly seed?: Seed;
  /** Serves the control endpoints under `/_reference/`. Default false. */
  readonly control?: boolean;
  /** Unix seconds, with or without a fraction. Default: the machine's clock. */
  readonly now?: () => number;
  /** The source of secrets and ids. Default: the machine's randomness. */
  readonly random?: RandomBytes;
  /** Milliseconds that never decrease, for the durations in the log. Default: the machine's. */
  readonly ticks?: () => number;
  /** The most milliseconds that a request may take to arrive, its body included. Default: two minutes. */
  readonly receiveMs?: number;
  /** Returns the keys of upstreams by the names in the seed. Default: none is known. */
  readonly upstreamKey?: (name: string) => Secret | undefined;
}

export interface ReferenceGateway extends GatewayControls, AsyncDisposable {
  /** The address to call. */
  readonly url: string;
  /** The accounts at the start. Rotating an access token invalidates the one listed here. */
  readonly accounts: readonly { readonly userId: number; readonly accessToken: string }[];
  /** The observed values of an imitated profile that this gateway cannot play, by the ID of their question. */
  readonly unplayed: readonly string[];
  /** Answers the requests under way, then closes every connection and the ledger. May be called twice. */
  close(): Promise<void>;
}

const PROFILES: { readonly [P in ProfileName]: Profile } = {
  contract: CONTRACT,
  deployed: DEPLOYED,
  'deployed@1.0': DEPLOYED_1_0,
};

const profileOf = (chosen: ProfileName | GatewayProfile): Imitation =>
  typeof chosen === 'string' ? { profile: PROFILES[chosen], unplayed: [] } : imitate(chosen);

/** Connections that take longer to finish at the end are closed anyway. */
const GRACE_MS = 1000;

/** Enough for the largest form on one machine. Senders that stop in the middle do not keep their connections. */
const RECEIVE_MS = 120_000;

interface OpenedGateway {
  readonly context: GatewayContext;
  readonly dispatcher: CallbackDispatcher;
  readonly unplayed: readonly string[];
}

function openContext(options: ReferenceOptions): OpenedGateway {
  const random = options.random ?? pooledRandom(randomBytes);
  const clock = gatewayClock(options.now ?? (() => Date.now() / 1000));
  const seed = parseSeed(options.seed ?? DEFAULT_SEED);
  const ledger = openLedger(options.data);
  try {
    const seeded = seedLedger(ledger, { seed, random, now: clock.now() });
    const { profile, unplayed } = profileOf(options.profile ?? 'contract');
    const catalog = { ...seeded, extraFields: { ...profile.extraFields, ...seeded.extraFields } };
    const { ticks = () => performance.now(), upstreamKey = () => undefined } = options;
    const context: GatewayContext = {
      ...{ ledger, catalog, clock, random, ticks, upstreamKey, startedAt: clock.now() },
      profile: {
        ...profile,
        limits: { ...profile.limits, ...catalog.limits },
        userHeader: options.userHeader ?? profile.userHeader,
      },
      videos: new VideoCache(),
      json: openJsonModel(),
      taskFlaws: new Map(),
      scheduler: new TaskScheduler({
        now: () => clock.now(),
        settle: () => settleTasks(context),
        dispatch: () => dispatcher.dispatch(),
      }),
    };
    const dispatcher = callbackDispatcher(context);
    requireUpstreamKeys(context);
    releaseAbandonedHolds(context);
    return { context, dispatcher, unplayed };
  } catch (thrown) {
    ledger.close();
    throw thrown;
  }
}

/** Reports a missing key at the start rather than at the first forwarded request. */
function requireUpstreamKeys({ catalog, upstreamKey }: GatewayContext): void {
  for (const { keyEnv, baseUrl } of catalog.upstreams) {
    if (keyEnv === undefined || upstreamKey(keyEnv) !== undefined) continue;
    throw new Fault('usage.invalid', `${keyEnv}, which holds the key of the upstream ${baseUrl}, is not set.`, {
      hint: 'Set it in the environment, or omit keyEnv from the seed if the upstream needs no key.',
    });
  }
}

async function closeServer(app: FastifyInstance, gate: RequestGate): Promise<void> {
  gate.close();
  const deadline = setTimeout(() => app.server.closeAllConnections(), GRACE_MS);
  await app.close();
  clearTimeout(deadline);
}

function listenFault(host: string, port: number | undefined, cause: unknown): Fault {
  if ((cause as NodeJS.ErrnoException).code === 'EADDRINUSE') {
    return new Fault('usage.invalid', `Port ${port} of ${host} is already in use.`, {
      cause,
      hint: 'Choose another port, or 0 for a free one.',
    });
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Fault('usage.invalid', `Cannot listen on ${host}: ${reason}.`, { cause });
}

function loopbackHost(given: string | undefined): string {
  const host = (given ?? '127.0.0.1').replace(/^\[(.*)\]$/, '$1');
  if (isLoopbackName(host)) return host;
  throw new Fault(
    'usage.invalid',
    `The reference gateway cannot listen on ${host}: only loopback addresses are allowed.`,
    {
      hint: 'Omit the host, or use 127.0.0.1, ::1 or localhost.',
    },
  );
}

/**
 * Starts a reference gateway: a complete server of the gateway API contract with a durable ledger, on this machine only.
 *
 * An acknowledged write is committed. A gateway that was killed continues from there when it starts again on the same
 * `data`. An existing ledger keeps its accounts, tokens and catalog, and ignores `seed`.
 *
 * @throws Fault `usage.invalid` for an invalid seed or a host that is not this machine, `file.unwritable` for the ledger.
 */
export async function startReferenceGateway(options: ReferenceOptions = {}): Promise<ReferenceGateway> {
  const host = loopbackHost(options.host);
  const { context, dispatcher, unplayed } = openContext(options);
  const { ledger, scheduler } = context;
  const closing = new AbortController();
  const [failures, counters, gate] = [failureScripts(isPattern), routeCounters(), requestGate()];
  const isControlPath = (path: string): boolean => options.control === true && path.startsWith(`${CONTROL_PREFIX}/`);
  const { receiveMs = RECEIVE_MS } = options;
  const app = createServer(context, { failures, counters, gate, closing: closing.signal, receiveMs, isControlPath });
  if (options.control) addControl(app, { context, failures, counters, gate });
  try {
    await app.listen({ host, port: options.port ?? 0 });
  } catch (cause) {
    ledger.close();
    throw listenFault(host, options.port, cause);
  }
  scheduler.start();
  const { port } = app.server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    closing.abort();
    try {
      await closeServer(app, gate);
      scheduler.stop();
      await dispatcher.close();
    } finally {
      ledger.close();
    }
  };
  let closed: Promise<void> | undefined;
  const closeOnce = (): Promise<void> => {
    closed ??= close();
    return closed;
  };
  return {
    ...controlsOf({ context, failures, counters }),
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    accounts: ledger.accounts
      .all()
      .map(({ user_id, access_token }) => ({ userId: user_id, accessToken: access_token })),
    unplayed,
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  };
}
