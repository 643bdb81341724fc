// The demo: a reference gateway, a plan, an apply, changes by somebody else, drift, their correction, a proof that every key
// works, and the delivery and rotation of one secret, with the commands that a person would type. Ends with 1 when a result is
// unexpected.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const root = resolve(import.meta.dirname, '..');
const program = join(root, 'dist/cli/main.js');
const state = mkdtempSync(join(tmpdir(), 'keyplane-demo-'));
const environment: NodeJS.ProcessEnv = { ...process.env, XDG_STATE_HOME: state };
for (const name of Object.keys(environment)) if (/^(https?_proxy|KEYPLANE_.*)$/i.test(name)) delete environment[name];

let gateway: ChildProcess | undefined;

const print = (text: string): unknown => process.stdout.write(`${text}\n`);
const quoted = (words: readonly string[]): string =>
  words.map((word) => (/^[\w./=:@-]+$/.test(word) ? word : `'${word}'`)).join(' ');

function start(words: readonly string[], options: SpawnOptions): ChildProcess {
  print(`\n$ keyplane ${quoted(words)}`);
  return spawn(process.execPath, [program, ...words], { cwd: root, env: environment, ...options });
}

async function keyplane(words: readonly string[], expected: number): Promise<void> {
  const [code] = await once(start(words, { stdio: ['ignore', 'inherit', 'inherit'] }), 'close');
  if (code !== expected) throw new Error(`keyplane ${words[0]} ended with ${code}, not with ${expected}`);
}

async function keyplaneJson<Data>(words: readonly string[]): Promise<Data> {
  const child = spawn(process.execPath, [program, ...words, '--format', 'json'], { cwd: root, env: environment });
  child.stderr.resume();
  let text = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) text += chunk;
  return (JSON.parse(text) as { data: Data }).data;
}

interface GatewayAddress {
  readonly url: string;
  readonly accounts: readonly { readonly userId: number; readonly accessToken: string }[];
}

async function startGateway(): Promise<void> {
  gateway = start(['gateway', '--seed', 'examples/demo.seed.yaml', '--format', 'json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (!gateway.stdout) throw new Error('the gateway has no standard output');
  const [line] = (await once(createInterface({ input: gateway.stdout }), 'line')) as [string];
  const { url, accounts } = (JSON.parse(line) as { data: GatewayAddress }).data;
  const [account] = accounts;
  Object.assign(environment, { KEYPLANE_URL: url, KEYPLANE_ACCESS_TOKEN: account?.accessToken });
  print(`  a gateway runs at ${url}, with the account of user ${account?.userId}`);
  print(`\n$ export KEYPLANE_URL=${url} KEYPLANE_ACCESS_TOKEN=…`);
}

async function stop(): Promise<void> {
  if (gateway === undefined || gateway.exitCode !== null || gateway.signalCode !== null) return;
  const ended = once(gateway, 'exit');
  gateway.kill('SIGTERM');
  const [code] = await ended;
  if (code !== 0) throw new Error(`the gateway ended with ${code}`);
}

/** A request by a person who has the account's token. */
async function curl(method: string, path: string, body?: object): Promise<void> {
  print(`$ curl -X ${method} "$KEYPLANE_URL${path}"${body ? ` -d '${JSON.stringify(body)}'` : ''}`);
  const answer = await fetch(environment.KEYPLANE_URL + path, {
    method,
    headers: {
      Authorization: `Bearer ${environment.KEYPLANE_ACCESS_TOKEN}`,
      'New-Api-User': '42',
      'Content-Type': 'application/json',
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const { success, message } = (await answer.json()) as { success: boolean; message: string };
  if (!success) throw new Error(`${method} ${path}: ${message}`);
}

/** Changes keys without Keyplane, so that there is drift. */
async function causeDrift(): Promise<void> {
  const { keys } = await keyplaneJson<{ keys: readonly { id: string; name: string }[] }>([
    'keys',
    'list',
    '-f',
    'examples/keyplane.yaml',
  ]);
  const idOf = (name: string): number => Number(keys.find((key) => key.name === name)?.id);
  print(
    '\n# At night, somebody at the console disables a key, deletes one, and removes the address restriction of another:',
  );
  await curl('PUT', '/api/token/?status_only=true', { id: idOf('prod-support-bot'), status: 2 });
  await curl('DELETE', `/api/token/${idOf('staging-checkout')}`);
  await curl('PUT', '/api/token/', {
    id: idOf('prod-search'),
    name: 'prod-search',
    group: 'default',
    expired_time: -1,
    remain_quota: 200_000_000,
    unlimited_quota: false,
    model_limits_enabled: true,
    model_limits: 'text-embedding-3-small,text-embedding-3-large',
    allow_ips: '',
    cross_group_retry: false,
  });
}

/** The secret of a key goes into two files, then it is replaced, and both files have the new one. */
async function deliverAndRotate(): Promise<void> {
  const file = join(state, 'delivered.yaml');
  const only = ['-f', file, '--key', 'prod-nightly-batch'];
  const manifest = readFileSync(join(root, EXAMPLE), 'utf8');
  writeFileSync(file, manifest.replace('    budget: unlimited\n', `    budget: unlimited\n${DELIVERED}`));
  print(
    '\n# One key gets sinks: an .env file, and a manifest of a Kubernetes Secret. Keyplane writes its secret there:',
  );
  await keyplane(['plan', ...only], 0);
  await keyplane(['apply', ...only, '--yes', '--no-check'], 0);
  const before = deliveredSecrets();
  print('\n# The secret was found in a log. A successor is created, delivered and proven; then the old secret ends:');
  await keyplane(
    ['keys', 'rotate', 'prod-nightly-batch', '-f', file, '--leaked', '--reason', 'found in a log', '--yes'],
    0,
  );
  const after = deliveredSecrets();
  if (before[0] !== before[1] || after[0] !== after[1] || before[0] === after[0]) {
    throw new Error('the sinks do not have the new secret');
  }
  await keyplane(['drift', ...only], 0);
  print('  both sinks have the new secret, and the old one is rejected');
}

const DELIVERED = `    deliver:
      - { file: app.env, format: dotenv, as: LLM_API_KEY, propagate: 1s }
      - { kubernetesSecret: { name: nightly-batch, namespace: prod, file: k8s/nightly-batch.yaml }, propagate: 1s }
`;

/** The secrets that both sinks hold. They are compared, and never shown. */
function deliveredSecrets(): readonly [string | undefined, string] {
  const [, inEnv] = /^LLM_API_KEY=(\S+)$/m.exec(readFileSync(join(state, 'app.env'), 'utf8')) ?? [];
  const [, encoded = ''] = /api-key: (\S+)/.exec(readFileSync(join(state, 'k8s/nightly-batch.yaml'), 'utf8')) ?? [];
  return [inEnv, Buffer.from(encoded, 'base64').toString()];
}

const EXAMPLE = 'examples/keyplane.yaml';
const MANIFEST = ['-f', EXAMPLE];
const PROPOSAL = join(state, 'proposal.yaml');
const REPORT = 'demo-report.html';
/** Every kind of check; the second address is that of somebody who has stolen a key. */
const PROOF = ['--costly', '--source-address', '127.0.0.2', '--ledger', join(state, 'tasks.jsonl')];
const began = Date.now();

// The demo always stops its gateway and removes its folder, also at Ctrl-C or when the reader ends (`npm run demo | head`).
process.on('exit', () => {
  gateway?.kill('SIGTERM');
  rmSync(state, { recursive: true, force: true });
});
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(130));
process.stdout.on('error', () => process.exit(1));
try {
  await startGateway();
  await keyplane(['validate', ...MANIFEST], 0);
  await keyplane(['plan', ...MANIFEST, '--detailed-exitcode'], 2);
  await keyplane(['apply', ...MANIFEST, '--yes'], 0);
  await keyplane(['keys', 'list', ...MANIFEST], 0);
  await causeDrift();
  await keyplane(['drift', ...MANIFEST], 2);
  await keyplane(['apply', ...MANIFEST, '--yes'], 0);
  print('\n# The disabled key stays disabled: it may have leaked. Somebody finds out why, and permits the enable:');
  await keyplane(['drift', ...MANIFEST], 2);
  await keyplane(['apply', ...MANIFEST, '--yes', '--allow-enable', 'prod-support-bot'], 0);
  await keyplane(['drift', ...MANIFEST], 0);
  print('\n# Nobody has paid for an image or a video here, so no price limits a first run of all checks:');
  await keyplane(['check', ...MANIFEST, ...PROOF, '--report', REPORT], 0);
  print('\n# Now the usage log shows the prices. A run under a limit spends only what they allow:');
  await keyplane(['check', 'poster', ...MANIFEST, '--max-cost', '0.05'], 0);
  print('\n# A colleague proposes $300 a day instead of $300 a month for one key.');
  print('# The first line of the plan shows how much could be spent in a month, before and after:');
  writeFileSync(
    PROPOSAL,
    readFileSync(join(root, EXAMPLE), 'utf8').replace('usd: 300, per: month', 'usd: 300, per: day'),
  );
  await keyplane(['plan', '-f', PROPOSAL, '--base', EXAMPLE, '--key', 'prod-studio'], 0);
  await deliverAndRotate();
  print(
    `\nThe proposal was not applied, and every key works: see ${REPORT}. (${((Date.now() - began) / 1000).toFixed(1)} s)`,
  );
} catch (error) {
  print(`\nThe demo failed: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  if (gateway)
    await stop().catch((error: Error) => {
      print(error.message);
      process.exitCode = 1;
    });
}
