// Measures what Keyplane costs, as ratios to a floor that is measured in the same run: figures of one machine mean little
// on another, ratios mean the same. `npm run bench`, or `npm run bench -- 500` for fewer keys.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureChecks } from './bench/checks.mjs';
import { measureConstructs } from './bench/constructs.mjs';
import { measure, measureFloor, PROGRAM, race, startGateway } from './bench/programs.mjs';
import { measureTerraform } from './bench/terraform.mjs';
import { throughput } from './bench/throughput.mjs';

const KEYS = Number(process.argv[2] ?? 5000);
const CONCURRENCY = 4;
const ROUNDS = 15;
const USER = 42;
const TOKEN = 'bench-only';

const say = (line) => process.stdout.write(`${line}\n`);
const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
const ratio = (ms, floor) => `${(ms / floor).toFixed(2)} x`;
const names = Array.from({ length: KEYS }, (_, index) => `bench-${String(index + 1).padStart(6, '0')}`);

const SEED = {
  accounts: [{ userId: USER, accessToken: TOKEN, quota: 1_000_000_000 }],
  groups: { default: {}, vip: {} },
  models: { 'alpha-chat-1': {}, 'text-embedding-3-small': {} },
};

const manifest = (url, group) => ({
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

/** What is measured, in order; each step goes on from the state that the one before left. */
const STEPS = [
  { title: `plan ${KEYS} creates`, args: ['plan'], group: 'default' },
  { title: `apply ${KEYS} creates`, args: ['apply', '--yes'], group: 'default' },
  { title: `plan ${KEYS} keys, nothing to do`, args: ['plan'], group: 'default' },
  { title: `apply ${KEYS} updates`, args: ['apply', '--yes'], group: 'vip' },
];

function prepare(folder, url, group) {
  const file = join(folder, `${group}.yaml`);
  writeFileSync(file, JSON.stringify(manifest(url, group)));
  return file;
}

const total = (requests) => Object.values(requests).reduce((sum, count) => sum + count, 0);

function report(title, { ms, peakMiB }, { floor, requests }) {
  say(`${title}`);
  say(`  ${seconds(ms)}, ${ratio(ms, floor)} the bare loop (${seconds(floor)}), peak memory ${peakMiB.toFixed(0)} MiB`);
  const routes = Object.entries(requests).map(([route, count]) => `${count} ${route}`);
  say(`  ${total(requests)} requests: ${routes.join(', ')}`);
}

async function benchKeys(folder) {
  const seedFile = join(folder, 'seed.yaml');
  writeFileSync(seedFile, JSON.stringify(SEED));
  const gateway = await startGateway(seedFile);
  const bare = await startGateway(seedFile);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    KEYPLANE_ACCESS_TOKEN: TOKEN,
    KEYPLANE_CONCURRENCY: String(CONCURRENCY),
    CI: '1',
  };
  try {
    for (const { title, args, group } of STEPS) {
      const file = prepare(folder, gateway.url, group);
      await gateway.takeRequests();
      const result = measure([...args, '-f', file], { env, cwd: folder });
      const requests = await gateway.takeRequests();
      const order = { url: bare.url, userId: USER, accessToken: TOKEN, concurrency: CONCURRENCY, requests, names };
      report(title, result, { floor: measureFloor('bare-loop.mjs', JSON.stringify(order)), requests });
    }
  } finally {
    gateway.stop();
    bare.stop();
  }
}

/** Milliseconds that a model takes: none, to see what Keyplane itself costs; and what a fast one really takes. */
const MODEL_TIMES = [0, 250];

async function benchChecks(folder) {
  for (const delayMs of MODEL_TIMES) {
    const { ours, floor, requests, checks, concurrency } = await measureChecks(folder, delayMs);
    const models = delayMs === 0 ? 'models that answer at once' : `models that take ${delayMs} ms`;
    report(`check ${checks} times, ${concurrency} at once, ${models}`, ours, { floor, requests });
  }
}

function benchConstructs(folder) {
  const count = Math.min(KEYS, 1000);
  for (const { title, ms, floor, of } of measureConstructs(folder, count)) {
    say(`constructs, ${count} keys, ${title}`);
    say(`  ${seconds(ms)}, ${ratio(ms, floor)} ${of} (${seconds(floor)})`);
  }
}

async function benchTerraform(folder) {
  const count = Math.min(KEYS, 1000);
  const results = await measureTerraform(folder, count);
  if (results === undefined) {
    say('terraform: not measured, because it is not installed');
    return;
  }
  for (const { title, ms, floor, goal, requests } of results) {
    const wanted = goal === undefined ? '' : `, goal ${goal.toFixed(1)} x`;
    say(`terraform, ${count} keys: ${title}`);
    say(`  ${seconds(ms)}, ${ratio(ms, floor)} as many terraform_data (${seconds(floor)})${wanted}`);
    say(
      `  ${total(requests)} requests: ${Object.entries(requests)
        .map(([route, n]) => `${n} ${route}`)
        .join(', ')}`,
    );
  }
}

const KEY = 'bench-only-secret';

/** Kinds of requests whose throughput is measured, at the gateway and at a bare server that gives the same answer. */
const REQUESTS = [
  {
    title: 'chat',
    path: '/v1/chat/completions',
    body: { model: 'alpha-chat-1', messages: [{ role: 'user', content: 'Tell me of rivers' }] },
  },
  {
    title: 'streamed chat',
    path: '/v1/chat/completions',
    body: { model: 'alpha-chat-1', stream: true, messages: [{ role: 'user', content: 'Tell me of rivers' }] },
  },
  {
    title: 'embedding of 1,536 dimensions',
    path: '/v1/embeddings',
    body: { model: 'text-embedding-3-small', input: 'rivers', encoding_format: 'base64' },
  },
  {
    title: 'token count',
    path: '/v1/messages/count_tokens',
    body: { model: 'alpha-chat-1', messages: [{ role: 'user', content: 'Tell me of rivers' }] },
  },
];

async function benchThroughput(folder) {
  const seedFile = join(folder, 'requests.yaml');
  writeFileSync(seedFile, JSON.stringify({ ...SEED, keys: [{ name: 'bench', key: KEY, unlimited_quota: true }] }));
  const gateway = await startGateway(seedFile);
  try {
    for (const { title, path, body } of REQUESTS) {
      const order = { path, key: `sk-${KEY}`, body: JSON.stringify(body) };
      const { ours, floor } = await throughput(gateway.url, order, Math.max(500, KEYS));
      say(
        `${title}: ${ours.toFixed(0)} requests a second, ${(floor / ours).toFixed(2)} x the time of a bare node:http server`,
      );
      say(`  (${floor.toFixed(0)} a second with the same answer)`);
    }
  } finally {
    gateway.stop();
  }
}

say(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}`);
say(
  'Times are of whole processes, from start to end. The bare loop sends the same number of requests of each kind over',
);
say(
  `undici, as many at once as the command, to a gateway in the same state, and does nothing else. Both gateways are reference`,
);
say('gateways in processes of their own, in memory. Peak memory is the maximum resident set of the command, as the');
say('operating system counted it.');
say('');

const folder = mkdtempSync(join(tmpdir(), 'keyplane-bench-'));
try {
  await benchKeys(folder);
  say('');
  await benchChecks(folder);
  say('');
  say('throughput of the reference gateway, in memory, 32 requests at once');
  await benchThroughput(folder);
  say('');
  benchConstructs(folder);
  await benchTerraform(folder);
  say('');
  const [ours, floor] = race([PROGRAM, '--version'], ['-e', '0'], ROUNDS);
  say('start');
  say(
    `  keyplane --version ${ours.toFixed(0)} ms, ${ratio(ours, floor)} \`node -e 0\` (${floor.toFixed(0)} ms), medians of ${ROUNDS} in turns`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
