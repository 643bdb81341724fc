// Measures Keyplane as ratios to a floor that is measured in the same run, because ratios are comparable between machines.
// `npm run bench`, `npm run bench -- 500` for fewer keys, or `npm run bench -- 1000 constructs terraform` for some parts.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeyOrder, RequestCounts } from './bench/bare-orders.ts';
import { measureChecks } from './bench/checks.ts';
import { compileProgram } from './bench/compiled.ts';
import { measureConstructs } from './bench/constructs.ts';
import { type Measurement, measure, measureFloor, startGateway } from './bench/programs.ts';
import { measureStarts } from './bench/start.ts';
import { measureTerraform } from './bench/terraform.ts';
import { throughput } from './bench/throughput.ts';

const KEYS = Number(process.argv[2] ?? 5000);
const CONCURRENCY = 4;
const ROUNDS = 15;
const USER = 42;
const TOKEN = 'bench-only';

const print = (line: string): unknown => process.stdout.write(`${line}\n`);
const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
const ratio = (ms: number, floor: number): string => `${(ms / floor).toFixed(2)} x`;
const names = Array.from({ length: KEYS }, (_, index) => `bench-${String(index + 1).padStart(6, '0')}`);

const SEED = {
  accounts: [{ userId: USER, accessToken: TOKEN, quota: 1_000_000_000 }],
  groups: { default: {}, vip: {} },
  models: { 'alpha-chat-1': {}, 'text-embedding-3-small': {} },
};

const manifest = (url: string, group: string): object => ({
  version: 1,
  gateway: { url, userId: USER },
  defaults: {
    group,
    budget: { usd: 10 },
    models: ['alpha-chat-1', 'text-embedding-3-small'],
    allowIps: ['10.0.0.0/8'],
    expires: 'never',
  },
  keys: Object.fromEntries(names.map((name) => [name, {}])),
});

/** The measured commands, in order; each continues from the state that the previous one left. */
const STEPS = [
  { title: `plan ${KEYS} creates`, args: ['plan'], group: 'default' },
  { title: `apply ${KEYS} creates`, args: ['apply', '--yes'], group: 'default' },
  { title: `plan ${KEYS} keys, nothing to do`, args: ['plan'], group: 'default' },
  { title: `apply ${KEYS} updates`, args: ['apply', '--yes'], group: 'vip' },
];

function writeManifest(folder: string, url: string, group: string): string {
  const file = join(folder, `${group}.yaml`);
  writeFileSync(file, JSON.stringify(manifest(url, group)));
  return file;
}

const total = (requests: RequestCounts): number => Object.values(requests).reduce((sum, count) => sum + count, 0);

function report(
  title: string,
  { ms, peakMiB }: Measurement,
  { floor, requests }: { readonly floor: number; readonly requests: RequestCounts },
): void {
  print(title);
  print(
    `  ${seconds(ms)}, ${ratio(ms, floor)} the bare loop (${seconds(floor)}), peak memory ${peakMiB.toFixed(0)} MiB`,
  );
  const routes = Object.entries(requests).map(([route, count]) => `${count} ${route}`);
  print(`  ${total(requests)} requests: ${routes.join(', ')}`);
}

async function benchKeys(folder: string): Promise<void> {
  const seedFile = join(folder, 'seed.yaml');
  writeFileSync(seedFile, JSON.stringify(SEED));
  const gateway = await startGateway(seedFile);
  const bare = await startGateway(seedFile);
  const loop = compileProgram('bare-loop.ts');
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    KEYPLANE_ACCESS_TOKEN: TOKEN,
    KEYPLANE_CONCURRENCY: String(CONCURRENCY),
    CI: '1',
  };
  try {
    for (const { title, args, group } of STEPS) {
      const file = writeManifest(folder, gateway.url, group);
      await gateway.takeRequests();
      const result = measure([...args, '-f', file], { env, cwd: folder });
      const requests = await gateway.takeRequests();
      const order: KeyOrder = {
        url: bare.url,
        userId: USER,
        accessToken: TOKEN,
        concurrency: CONCURRENCY,
        requests,
        names,
      };
      report(title, result, { floor: measureFloor(loop, JSON.stringify(order)), requests });
    }
  } finally {
    gateway.stop();
    bare.stop();
  }
}

/** Milliseconds that a model takes: none, for the cost of Keyplane itself, and those of a fast model. */
const MODEL_TIMES = [0, 250];

async function benchChecks(folder: string): Promise<void> {
  for (const delayMs of MODEL_TIMES) {
    const { ours, floor, requests, checks, concurrency } = await measureChecks(folder, delayMs);
    const models = delayMs === 0 ? 'models that answer immediately' : `models that take ${delayMs} ms`;
    report(`check ${checks} times, ${concurrency} concurrently, ${models}`, ours, { floor, requests });
  }
}

function benchConstructs(folder: string): void {
  const count = Math.min(KEYS, 1000);
  for (const { title, ms, floor, of } of measureConstructs(folder, count)) {
    print(`constructs, ${count} keys, ${title}`);
    print(`  ${seconds(ms)}, ${ratio(ms, floor)} ${of} (${seconds(floor)})`);
  }
}

async function benchTerraform(folder: string, count: number): Promise<void> {
  const results = await measureTerraform(folder, count);
  if (results === undefined) {
    print('terraform: not measured, because it is not installed');
    return;
  }
  for (const { title, ms, floor, goal, requests, empty } of results) {
    const wanted = goal === undefined ? '' : `, goal ${goal.toFixed(1)} x`;
    print(`terraform, ${count} keys: ${title}`);
    print(`  ${seconds(ms)}, ${ratio(ms, floor)} as many terraform_data (${seconds(floor)})${wanted}`);
    if (empty) {
      print(
        `  ${seconds(empty.ours)}, ${ratio(empty.ours, empty.ms)} a provider that does nothing (${seconds(empty.ms)}), CPU time`,
      );
    }
    print(
      `  ${total(requests)} requests: ${Object.entries(requests)
        .map(([route, n]) => `${n} ${route}`)
        .join(', ')}`,
    );
  }
}

const KEY = 'bench-only-secret';

/** Counts of keys: with the first, starting the provider costs most; with the second, each key does. The gateway accepts a thousand, with the lock’s own. */
const TERRAFORM_KEYS = [200, 999];

/** The kinds of requests whose throughput is measured, at the gateway and at a bare server with the same answer. */
const REQUESTS = [
  {
    title: 'chat',
    path: '/v1/chat/completions',
    body: { model: 'alpha-chat-1', messages: [{ role: 'user', content: 'Describe rivers' }] },
  },
  {
    title: 'streamed chat',
    path: '/v1/chat/completions',
    body: { model: 'alpha-chat-1', stream: true, messages: [{ role: 'user', content: 'Describe rivers' }] },
  },
  {
    title: 'embedding of 1,536 dimensions',
    path: '/v1/embeddings',
    body: { model: 'text-embedding-3-small', input: 'rivers', encoding_format: 'base64' },
  },
  {
    title: 'token count',
    path: '/v1/messages/count_tokens',
    body: { model: 'alpha-chat-1', messages: [{ role: 'user', content: 'Describe rivers' }] },
  },
];

async function benchThroughput(folder: string): Promise<void> {
  const seedFile = join(folder, 'requests.yaml');
  writeFileSync(seedFile, JSON.stringify({ ...SEED, keys: [{ name: 'bench', key: KEY, unlimited_quota: true }] }));
  const gateway = await startGateway(seedFile);
  print('throughput of the reference gateway, in memory, 32 concurrent requests');
  try {
    for (const { title, path, body } of REQUESTS) {
      const request = { path, key: `sk-${KEY}`, body: JSON.stringify(body) };
      const { ours, floor } = await throughput(gateway.url, request, Math.max(500, KEYS));
      print(
        `${title}: ${ours.toFixed(0)} requests a second, ${(floor / ours).toFixed(2)} x the time of a bare node:http server`,
      );
      print(`  (${floor.toFixed(0)} a second with the same answer)`);
    }
  } finally {
    gateway.stop();
  }
}

async function benchStarts(folder: string): Promise<void> {
  const seedFile = join(folder, 'start-seed.yaml');
  writeFileSync(seedFile, JSON.stringify(SEED));
  const gateway = await startGateway(seedFile);
  try {
    print(`CPU time of a start, medians of ${ROUNDS} in turns`);
    for (const { title, ms, floor, goal } of measureStarts(folder, {
      gateway,
      userId: USER,
      token: TOKEN,
      rounds: ROUNDS,
    })) {
      print(
        `  keyplane ${title}: ${ms.toFixed(0)} ms, ${ratio(ms, floor)} \`node -e 0\` (${floor.toFixed(0)} ms), goal ${goal} x`,
      );
    }
  } finally {
    gateway.stop();
  }
}

print(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}`);
print(
  'Times are those of whole processes, from start to end. The bare loop sends the same requests over undici, with the',
);
print(
  'same concurrency, to a gateway in the same state, and does nothing else. Both gateways are reference gateways in',
);
print('separate processes, in memory. Peak memory is the maximum resident set size of the command.');
print('');

const folder = mkdtempSync(join(tmpdir(), 'keyplane-bench-'));

/** The parts, in order. */
const PARTS: Readonly<Record<string, () => unknown>> = {
  keys: () => benchKeys(folder),
  checks: () => benchChecks(folder),
  throughput: () => benchThroughput(folder),
  constructs: () => benchConstructs(folder),
  terraform: async () => {
    for (const count of TERRAFORM_KEYS) await benchTerraform(join(folder, String(count)), Math.min(KEYS, count));
  },
  starts: () => benchStarts(folder),
};

const wanted = process.argv.slice(3);
try {
  for (const [name, run] of Object.entries(PARTS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    await run();
    print('');
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
