// The demo: a reference gateway, a plan, an apply, changes behind its back, drift, healing, and a proof that every key
// works; the commands are those that a person would type. Ends with 1 when anything is not as it should be.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const root = resolve(import.meta.dirname, '..');
const program = join(root, 'dist/src/cli/main.js');
const state = mkdtempSync(join(tmpdir(), 'keyplane-demo-'));
const environment = { ...process.env, XDG_STATE_HOME: state };
for (const name of Object.keys(environment)) if (/^(https?_proxy|KEYPLANE_.*)$/i.test(name)) delete environment[name];

let gateway;

const say = (text = '') => process.stdout.write(`${text}\n`);
const shown = (words) => words.map((word) => (/^[\w./=:@-]+$/.test(word) ? word : `'${word}'`)).join(' ');

function start(words, options = {}) {
  say(`\n$ keyplane ${shown(words)}`);
  return spawn(process.execPath, [program, ...words], { cwd: root, env: environment, ...options });
}

async function keyplane(words, expected) {
  const [code] = await once(start(words, { stdio: ['ignore', 'inherit', 'inherit'] }), 'close');
  if (code !== expected) throw new Error(`keyplane ${words[0]} ended with ${code}, not with ${expected}`);
}

async function keyplaneJson(words) {
  const child = spawn(process.execPath, [program, ...words, '--format', 'json'], { cwd: root, env: environment });
  child.stderr.resume();
  let text = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) text += chunk;
  return JSON.parse(text).data;
}

async function startGateway() {
  gateway = start(['gateway', '--seed', 'examples/demo.seed.yaml', '--format', 'json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: gateway.stdout }), 'line');
  const { url, accounts } = JSON.parse(line).data;
  Object.assign(environment, { KEYPLANE_URL: url, KEYPLANE_ACCESS_TOKEN: accounts[0].accessToken });
  say(`  a gateway is at ${url}, with the account of user ${accounts[0].userId}`);
  say(`\n$ export KEYPLANE_URL=${url} KEYPLANE_ACCESS_TOKEN=…`);
}

async function stop() {
  if (gateway.exitCode !== null || gateway.signalCode !== null) return;
  const ended = once(gateway, 'exit');
  gateway.kill('SIGTERM');
  const [code] = await ended;
  if (code !== 0) throw new Error(`the gateway ended with ${code}`);
}

/** Somebody with the account's token and no patience. */
async function curl(method, path, body) {
  say(`$ curl -X ${method} "$KEYPLANE_URL${path}"${body ? ` -d '${JSON.stringify(body)}'` : ''}`);
  const answer = await fetch(environment.KEYPLANE_URL + path, {
    method,
    headers: {
      Authorization: `Bearer ${environment.KEYPLANE_ACCESS_TOKEN}`,
      'New-Api-User': '42',
      'Content-Type': 'application/json',
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const { success, message } = await answer.json();
  if (!success) throw new Error(`${method} ${path}: ${message}`);
}

async function meddle() {
  const { keys } = await keyplaneJson(['keys', 'list', '-f', 'examples/keyplane.yaml']);
  const idOf = (name) => keys.find((key) => key.name === name).id;
  say('\n# In the night, somebody with the console open switches a key off, deletes one, and opens one to the world:');
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

const MANIFEST = ['-f', 'examples/keyplane.yaml'];
const REPORT = 'demo-report.html';
/** Every kind of check, for a dollar at most; the second address stands for somebody who has stolen a key. */
const PROOF = ['--costly', '--max-cost', '1', '--source-address', '127.0.0.2', '--ledger', join(state, 'tasks.jsonl')];
const began = Date.now();

// However the demo ends, neither its gateway nor its folder outlives it: at Ctrl-C, or when the reader goes away (`npm run demo | head`).
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
  await meddle();
  await keyplane(['drift', ...MANIFEST], 2);
  await keyplane(['apply', ...MANIFEST, '--yes'], 0);
  await keyplane(['drift', ...MANIFEST], 0);
  await keyplane(['check', ...MANIFEST, ...PROOF, '--report', REPORT], 0);
  say(`\nNothing is pending, and every key is proven: see ${REPORT}. (${((Date.now() - began) / 1000).toFixed(1)} s)`);
} catch (error) {
  say(`\nThe demo failed: ${error.message}`);
  process.exitCode = 1;
} finally {
  if (gateway)
    await stop().catch((error) => {
      say(error.message);
      process.exitCode = 1;
    });
}
