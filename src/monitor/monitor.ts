import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CheckReport, Fault, fileTrouble } from '../domain/index.ts';
import { openMetrics } from './metrics.ts';

export interface MonitorOptions {
  /** A loopback address. */
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Milliseconds that no change of the clock moves. */
  readonly steady: () => number;
  /** The longest time in milliseconds without a finished run; after it, the monitor reports unhealthy. */
  readonly patienceMs: number;
  /** Masks the secrets in a text that leaves the program: names of live keys and models are texts of others. */
  readonly mask: (text: string) => string;
}

/** A small server on loopback: `/metrics` and `/healthz`. */
export interface Monitor {
  readonly url: string;
  record(report: CheckReport): void;
  close(): Promise<void>;
}

interface MonitorReply {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

function listen(server: Server, { host, port }: MonitorOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (thrown) => {
      reject(new Fault('usage.invalid', `Metrics cannot be served on ${host}:${port}: ${fileTrouble(thrown)}.`));
    });
    server.listen(port, host, resolve);
  });
}

/** Healthy means that runs finish in time, whatever their results: results are metrics. */
function healthOf(
  { steady, patienceMs }: MonitorOptions,
  { since, last }: { since: number; last: CheckReport | undefined },
) {
  const idleMs = steady() - since;
  const healthy = idleMs <= patienceMs && last?.fatal === undefined;
  return { healthy, lastRunEndedSecondsAgo: last ? Math.round(idleMs / 1000) : null, fault: last?.fatal?.code ?? null };
}

/** Serves the metrics of a long-running check run. @throws Fault `usage.invalid` when it cannot listen there */
export async function openMonitor(options: MonitorOptions): Promise<Monitor> {
  const { host } = options;
  if (!LOOPBACK.test(host)) {
    throw new Fault('usage.invalid', `Metrics are served on loopback addresses only, not on ${host}.`, {
      hint: 'Use 127.0.0.1, ::1 or localhost; a reverse proxy or an agent can forward them.',
    });
  }
  const metrics = openMetrics();
  let since = options.steady();
  let last: CheckReport | undefined;
  const answer = async (path: string): Promise<MonitorReply> => {
    if (path === '/metrics') return { status: 200, type: metrics.mediaType, text: options.mask(await metrics.text()) };
    if (path !== '/healthz') return { status: 404, type: 'text/plain', text: 'The paths are /metrics and /healthz.\n' };
    const { healthy, ...rest } = healthOf(options, { since, last });
    return { status: healthy ? 200 : 503, type: 'application/json', text: `${JSON.stringify({ healthy, ...rest })}\n` };
  };
  const server = createServer(async (request, response) => {
    const { status, type, text } = await answer((request.url ?? '').replace(/\?.*$/, ''));
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
  });
  await listen(server, options);
  const { port, address, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    record(report) {
      last = report;
      since = options.steady();
      metrics.record(report);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
