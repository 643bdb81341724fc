import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckOrder, CheckRequest, RequestCounts } from './bare-orders.ts';
import { compileProgram } from './compiled.ts';
import { type BenchGateway, type Measurement, measure, measureFloor, startGateway } from './programs.ts';

const KEYS = 200;
const CONCURRENCY = 32;
const USER = 42;
const TOKEN = 'bench-only';

const CHECKS = {
  chat: { module: 'chat', model: 'alpha-chat-1', retries: 0 },
  stream: { module: 'chat-stream', model: 'alpha-chat-1', retries: 0 },
  response: { module: 'responses', model: 'alpha-chat-1', retries: 0 },
  vectors: { module: 'embeddings', model: 'text-embedding-3-small', retries: 0 },
  count: { module: 'count-tokens', model: 'alpha-chat-1', retries: 0 },
};

const PATHS: Readonly<Record<string, string>> = {
  chat: '/v1/chat/completions',
  'chat-stream': '/v1/chat/completions',
  responses: '/v1/responses',
  embeddings: '/v1/embeddings',
  'count-tokens': '/v1/messages/count_tokens',
};

const names = Array.from({ length: KEYS }, (_, index) => `bench-${String(index + 1).padStart(4, '0')}`);

const SEED = {
  accounts: [{ userId: USER, accessToken: TOKEN, quota: 1_000_000_000 }],
  models: { 'alpha-chat-1': {}, 'text-embedding-3-small': {} },
  keys: names.map((name) => ({ name, key: `bench-only-${name}`, unlimited_quota: true })),
};

const manifest = (url: string): object => ({
  version: 1,
  gateway: { url, userId: USER },
  keys: Object.fromEntries(names.map((name) => [name, { checks: Object.keys(CHECKS) }])),
  checks: CHECKS,
});

interface Report {
  readonly results: readonly {
    readonly key: string;
    readonly module: string;
    readonly verdict: string;
    readonly exchanges: readonly { readonly request: unknown }[];
  }[];
}

/** Returns the requests in a report, for the bare loop to repeat. */
const requestsIn = ({ results }: Report): readonly CheckRequest[] =>
  results.flatMap(({ key, module, verdict, exchanges }) => {
    if (verdict !== 'passed') throw new Error(`${module} of ${key} ${verdict}`);
    return exchanges.map(({ request }) => ({ key: `bench-only-${key}`, path: PATHS[module] ?? '', body: request }));
  });

/** Delays every answer of a model. */
async function slowDown({ url }: BenchGateway, ms: number): Promise<void> {
  for (const path of new Set(Object.values(PATHS))) {
    const body = JSON.stringify({ kind: 'delay', ms, path, times: 1_000_000 });
    const answer = await fetch(`${url}/_reference/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    if (!answer.ok) throw new Error(await answer.text());
  }
}

function assertSameRequests(ours: RequestCounts, floor: RequestCounts): void {
  const [mine, bare] = [ours, floor].map((counts) => JSON.stringify(Object.entries(counts).sort()));
  if (mine !== bare) throw new Error(`the bare loop did not send the same requests: ${mine}, but ${bare}`);
}

/** Measures a whole run of checks, many keys with five checks each, and a bare loop with the same requests. */
export async function measureChecks(
  folder: string,
  delayMs: number,
): Promise<{
  readonly ours: Measurement;
  readonly floor: Measurement;
  readonly requests: RequestCounts;
  readonly checks: number;
  readonly concurrency: number;
}> {
  const seedFile = join(folder, 'checks-seed.yaml');
  writeFileSync(seedFile, JSON.stringify(SEED));
  const [gateway, bare] = [await startGateway(seedFile), await startGateway(seedFile)];
  try {
    for (const each of delayMs > 0 ? [gateway, bare] : []) await slowDown(each, delayMs);
    const file = join(folder, 'checks.yaml');
    const report = join(folder, 'report.json');
    writeFileSync(file, JSON.stringify(manifest(gateway.url)));
    const env = { PATH: process.env.PATH, HOME: folder, KEYPLANE_ACCESS_TOKEN: TOKEN, CI: '1' };
    const words = ['check', '-f', file, '--concurrency', String(CONCURRENCY), '--report', report];
    await gateway.takeRequests();
    const ours = measure(words, { env, cwd: folder });
    const requests = await gateway.takeRequests();
    const asked = requestsIn((JSON.parse(readFileSync(report, 'utf8')) as { data: Report }).data);
    const order: CheckOrder = {
      url: bare.url,
      userId: USER,
      accessToken: TOKEN,
      concurrency: CONCURRENCY,
      requests,
      asked,
    };
    const orderFile = join(folder, 'order.json');
    writeFileSync(orderFile, JSON.stringify(order));
    await bare.takeRequests();
    const floor = measureFloor(compileProgram('bare-checks.ts'), orderFile, folder);
    assertSameRequests(requests, await bare.takeRequests());
    return { ours, floor, requests, checks: KEYS * Object.keys(CHECKS).length, concurrency: CONCURRENCY };
  } finally {
    gateway.stop();
    bare.stop();
  }
}
