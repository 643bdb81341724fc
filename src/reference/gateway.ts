import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Fault, type Secret } from '../domain/index.ts';
import { releaseAbandonedHolds } from './billing/charge.ts';
import { gatewayClock } from './clock.ts';
import type { GatewayContext } from './context.ts';
import { type RequestGate, requestGate } from './failures/request-gate.ts';
import { failureScripts } from './failures/scripts.ts';
import { openLedger } from './ledger/ledger.ts';
import { startTasks } from './media/video/task-scheduler.ts';
import { CONTRACT } from './profiles/contract.ts';
import { DEPLOYED } from './profiles/deployed.ts';
import type { Profile } from './profiles/profile.ts';
import type { RandomBytes } from './random.ts';
import { DEFAULT_SEED } from './seed/default.ts';
import { parseSeed } from './seed/read.ts';
import type { Seed } from './seed/schema.ts';
import { seedLedger } from './seed/seed-ledger.ts';
import { addControl, CONTROL_PREFIX } from './server/control.ts';
import { isLoopbackName } from './server/loopback.ts';
import { routeCounters } from './server/request-counters.ts';
import { createServer, isPattern } from './server/server.ts';

export type ProfileName = Profile['name'];

export interface ReferenceOptions {
  /** A name or address of this machine; the gateway serves no other. Default `127.0.0.1`. */
  readonly host?: string;
  /** Default 0: a free one. */
  readonly port?: number;
  /** The ledger's SQLite file, made when it is not there. Absent: in memory, gone at the end. */
  readonly data?: string;
  /** Default `contract`. */
  readonly profile?: ProfileName;
  /** What an empty ledger begins with. Default: one account, two groups, a handful of models. */
  readonly seed?: Seed;
  /** Opens the control endpoints under `/_reference/`. Default false. */
  readonly control?: boolean;
  /** Unix seconds, a fraction is welcome. Default: the machine's clock. */
  readonly now?: () => number;
  /** Where secrets and ids come from. Default: the machine's randomness. */
  readonly random?: RandomBytes;
  /** Milliseconds that only ever grow, for the durations in the log. Default: the machine's. */
  readonly ticks?: () => number;
  /** The keys of upstreams by the names that the seed gives them. Default: none is known. */
  readonly upstreamKey?: (name: string) => Secret | undefined;
}

export interface ReferenceGateway {
  readonly url: string;
  /** As they are when the gateway starts: a rotation makes a token of these void. */
  readonly accounts: readonly { readonly userId: number; readonly accessToken: string }[];
  /** Answers what is under way, closes every connection and the ledger. May be called twice. */
  close(): Promise<void>;
}

const PROFILES: { readonly [P in ProfileName]: Profile } = { contract: CONTRACT, deployed: DEPLOYED };

/** How long connections may take to finish at the end, before they are closed anyway. */
const GRACE_MS = 1000;

function openSite(options: ReferenceOptions): GatewayContext {
  const random = options.random ?? randomBytes;
  const clock = gatewayClock(options.now ?? (() => Date.now() / 1000));
  const seed = parseSeed(options.seed ?? DEFAULT_SEED);
  const ledger = openLedger(options.data);
  try {
    const catalog = seedLedger(ledger, { seed, random, now: clock.now() });
    const profile = PROFILES[options.profile ?? 'contract'];
    const limits = { ...profile.limits, ...catalog.limits };
    const { ticks = () => performance.now(), upstreamKey = () => undefined } = options;
    const context: GatewayContext = {
      ledger,
      catalog,
      clock,
      random,
      ticks,
      upstreamKey,
      profile: { ...profile, limits },
    };
    requireUpstreamKeys(context);
    releaseAbandonedHolds(context);
    return context;
  } catch (thrown) {
    ledger.close();
    throw thrown;
  }
}

/** Found out now, not by the first request that is forwarded. */
function requireUpstreamKeys({ catalog, upstreamKey }: GatewayContext): void {
  for (const { keyEnv, baseUrl } of catalog.upstreams) {
    if (keyEnv === undefined || upstreamKey(keyEnv) !== undefined) continue;
    throw new Fault('usage.invalid', `${keyEnv}, which holds the key of the upstream ${baseUrl}, is not set.`, {
      hint: 'Set it in the environment, or leave keyEnv out of the seed when the upstream asks for no key.',
    });
  }
}

async function closeServer(app: FastifyInstance, gate: RequestGate): Promise<void> {
  gate.close();
  const impatience = setTimeout(() => app.server.closeAllConnections(), GRACE_MS);
  await app.close();
  clearTimeout(impatience);
}

/** Why it can not be listened there. */
function deafFault(host: string, port: number | undefined, cause: unknown): Fault {
  if ((cause as NodeJS.ErrnoException).code === 'EADDRINUSE') {
    return new Fault('usage.invalid', `Port ${port} of ${host} is taken by another program.`, {
      cause,
      hint: 'Give another port; 0 takes a free one.',
    });
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Fault('usage.invalid', `No port of ${host} can be listened at: ${reason}.`, { cause });
}

/**
 * Starts a reference gateway: a complete server of the gateway API contract with a durable ledger, on this machine only.
 *
 * What it acknowledges is committed. Killed at any moment, a gateway on the same `data` goes on from there; a ledger
 * that was begun before keeps its accounts, tokens and catalog, and `seed` is not looked at.
 *
 * @throws Fault `usage.invalid` for a bad seed or a host that is not this machine, `file.unwritable` for the ledger.
 */
export async function startReferenceGateway(options: ReferenceOptions = {}): Promise<ReferenceGateway> {
  const host = (options.host ?? '127.0.0.1').replace(/^\[(.*)\]$/, '$1');
  if (!isLoopbackName(host)) {
    throw new Fault('usage.invalid', `The reference gateway serves this machine only, not ${host}.`, {
      hint: 'Leave the host out, or give 127.0.0.1, ::1 or localhost.',
    });
  }
  const context = openSite(options);
  const closing = new AbortController();
  const [failures, counters, gate] = [failureScripts(isPattern), routeCounters(), requestGate()];
  const isAside = (path: string): boolean => options.control === true && path.startsWith(`${CONTROL_PREFIX}/`);
  const app = createServer(context, {
    failures,
    counters,
    gate: gate,
    closing: closing.signal,
    isControlPath: isAside,
  });
  if (options.control) addControl(app, { context, failures, counters, gate: gate });
  try {
    await app.listen({ host, port: options.port ?? 0 });
  } catch (cause) {
    context.ledger.close();
    throw deafFault(host, options.port, cause);
  }
  const tasks = startTasks(context);
  const { port } = app.server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    accounts: context.ledger.accounts.all().map((account) => ({
      userId: account.user_id,
      accessToken: account.access_token,
    })),
    close() {
      closing.abort();
      closed ??= closeServer(app, gate)
        .then(() => tasks.close())
        .finally(() => context.ledger.close());
      return closed;
    },
  };
}
