import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { ROOT } from '../architecture/repository.ts';
import { packedTarball } from './packed.ts';

const run = promisify(execFile);

/** Attacks the packed package as the issue did, without a gateway. Prints what went through. */
const PROGRAM = `
const globals = Reflect.ownKeys(globalThis).length;
const dispatchers = () => Reflect.ownKeys(globalThis).filter((name) => String(name).includes('undici')).map((name) => String(name)).join();
const before = { fetch: globalThis.fetch, dispatchers: dispatchers() };
const keyplane = await import('keyplane');
const touched = Reflect.ownKeys(globalThis).length - globals;
const { memoryStore } = await import('keyplane/store');
const internals = await import('keyplane/internals');
const { createKeyplane, defineManifest, fromJSON, isKeyplaneError, loadManifest, parseManifest } = keyplane;

const time = new Date('2026-11-20T12:00:00Z');
const open = ({ url = 'memory://account', ...more } = {}) => {
  const store = memoryStore({ now: () => time / 1000, account: { url, userId: 1 } });
  return { store, keyplane: createKeyplane({ store, stateFolder: process.argv[2], clock: { now: () => time }, ...more }) };
};
const codeOf = (work) => Promise.resolve(work).then(() => 'done', (error) => (isKeyplaneError(error) ? error.code : String(error)));
const keys = Object.fromEntries(Array.from({ length: 40 }, (_, i) => ['k' + i, { budget: 'unlimited' }]));
const one = open();
const two = open({ url: 'memory://other' });
for (const { keyplane } of [one, two]) await keyplane.apply(await defineManifest({ keys }));
const none = await defineManifest({ ownership: { scope: '*', prune: 'delete' }, keys: {} });
const allow = { deletes: 40, lastKey: true };
const { plan } = await one.keyplane.plan(none, { allow });
const throwing = { onEvent() { throw new Error('watcher'); } };
const loadedFrom = process.argv[2] + '.yaml';
// The same mistake by each of the three sources, in the same words.
const sources = async () => {
  await (await import('node:fs/promises')).writeFile(loadedFrom, 'version: 1\\nkeys: { a: { grup: x } }\\n');
  const ways = [loadManifest(loadedFrom), parseManifest('version: 1\\nkeys: { a: { grup: x } }\\n'), defineManifest({ keys: { a: { grup: 'x' } } })];
  const found = await Promise.all(ways.map((way) => way.catch(({ detail }) => detail.diagnostics)));
  return found.map((each) => each.map(({ code, severity, message }) => [code, severity, message].join(' ')).join());
};
const found = {
  touched,
  isSameFetch: globalThis.fetch === before.fetch && dispatchers() === before.dispatchers,
  writers: [...Object.keys(keyplane), ...Object.keys(internals)].filter((name) => ['apply', 'execute', 'createEngine'].includes(name)),
  foreign: await codeOf(two.keyplane.apply(plan, { allow })),
  unguarded: await codeOf(one.keyplane.apply(plan)),
  forged: await codeOf(one.keyplane.apply({ ...plan }, { allow })),
  twins: await codeOf(parseManifest('version: 1\\nkeys: { a: {}, A: {} }')),
  address: await codeOf(defineManifest({ keys: { a: { allowIps: ['10.0.0.0/33'] } } })),
  comma: await codeOf(defineManifest({ keys: { a: { models: ['a,b'] } } })),
  sources: await sources(),
  image: await codeOf(defineManifest({ checks: { i: { module: 'image', model: 'alpha-image-1', size: '7x7' } }, keys: { a: { checks: ['i'] } } })),
  clock: await codeOf(open({ clock: { now: () => Date.now() } }).keyplane.plan(none)),
  callback: await codeOf(one.keyplane.apply(await defineManifest({ keys: { ...keys, more: { budget: 'unlimited' } } }), throwing)),
  json: (await fromJSON(JSON.stringify(plan), 'saved-plan')).changes.length,
  stale: await codeOf(one.keyplane.apply(plan, { allow })),
  left: [(await one.store.walk()).length, (await two.store.walk()).length],
};
process.stdout.write(JSON.stringify(found));
`;

/** Uses the packed package against its own reference gateway, as the issue did. Prints what happened. */
const WITH_GATEWAY = `
const { createKeyplane, defineManifest, isKeyplaneError, openGateway, Secret } = await import('keyplane');
const { checkKeys, defineCheck, renderChecks } = await import('keyplane/checks');
const { startReferenceGateway } = await import('keyplane/reference');
const { memoryStore } = await import('keyplane/store');
const stateFolder = process.argv[2];
const reference = await startReferenceGateway({ profile: 'deployed' });
const [{ userId, accessToken }] = reference.accounts;
const onTrace = () => { throw new Error('watcher'); };
const open = (more) => openGateway({ url: reference.url, userId, accessToken: new Secret(accessToken), ...more });
const gateway = await open({ onTrace });
const caught = (work) => Promise.resolve(work).then(() => undefined, (error) => error);
const keys = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, { budget: 'unlimited' }]));
const manifest = await defineManifest({ keys });
const runs = [createKeyplane({ gateway, stateFolder }), createKeyplane({ gateway: await open(), stateFolder })];
const reports = await Promise.all(runs.map((keyplane) => keyplane.apply(manifest)));
const states = reports.flatMap(({ outcomes }) => outcomes.map(({ state }) => state));
const names = (await gateway.keys.list().toArray()).map(({ name }) => name).sort();
const first = await gateway.keys.find('a');
await (await open()).keys.update(first.id, { models: ['alpha-chat-1'] });
const updated = await gateway.keys.update(first.id, { group: 'vip' });
const reason = new Error('enough');
const aborted = await caught(runs[0].plan(manifest, { signal: AbortSignal.abort(reason) }));
const ended = await caught(gateway.keys.list({}, { signal: AbortSignal.abort(reason) }).toArray());
const missing = await caught(gateway.keys.get(999));
const secret = await gateway.keys.reveal(first.id);
const forbidden = await caught(gateway.inference(secret).chat({ model: 'alpha-chat-2', messages: [{ role: 'user', content: 'Hello' }] }));
const store = { ...memoryStore(), walk: async () => { throw new Error('the database is down'); } };
const own = await caught(createKeyplane({ store, stateFolder }).plan(manifest));
const refused = await caught(runs[0].apply(await defineManifest({ ownership: { scope: '*', prune: 'delete' }, keys: {} })));
const words = [aborted, missing, forbidden, own, refused].flatMap(({ message, hint }) => [message, hint ?? '']).join(' ');
const mine = defineCheck({ name: 'mine', schedule: 'free', run: ({ claim }) => claim('it works', true) });
const ledger = stateFolder + '.tasks.jsonl';
const proven = await checkKeys({ gateway, ledger, keys: { b: ['mine', 'model-list'] }, checks: [mine] });
const extra = await runs[0].check(manifest, { ledger, extra: [mine], only: ['c'] });
await Promise.all([gateway, ...runs, reference].map((each) => each[Symbol.asyncDispose]?.() ?? each.close()));
process.stdout.write(JSON.stringify({
  states: [...new Set(states)],
  created: states.length,
  names,
  kept: [updated.models, updated.group],
  aborted: [isKeyplaneError(aborted, 'gateway.interrupted'), aborted.cause === reason, isKeyplaneError(ended, 'gateway.interrupted')],
  missing: missing.code,
  forbidden: [forbidden.code, forbidden.status, typeof forbidden.requestId, forbidden.retry],
  own: [own.code, own.cause?.message],
  refused: refused.code,
  words: /--|KEYPLANE_|exit code/.test(words),
  proven: proven.results.map(({ check, verdict }) => check + ' ' + verdict).sort(),
  extra: extra.results.map(({ key, check, verdict }) => [key, check, verdict].join(' ')),
  rendered: (await renderChecks(proven, 'junit')).startsWith('<?xml'),
  plan: 'plan' in (await import('keyplane')),
}));
`;

/** Judges an error that another copy of the package has thrown. */
const TWO_COPIES = `
import { isKeyplaneError, KeyplaneError } from 'keyplane';
import { KeyplaneError as Other, parseManifest } from './other/copy.mjs';
const thrown = await parseManifest('version: 1\\nkeys: { a: { grup: x } }').catch((error) => error);
process.stdout.write(JSON.stringify({
  copies: new Set([KeyplaneError, Other]).size,
  any: isKeyplaneError(thrown),
  code: isKeyplaneError(thrown, 'manifest.invalid'),
  otherCode: isKeyplaneError(thrown, 'plan.stale'),
  imitated: isKeyplaneError(Object.assign(new Error(''), { code: 'manifest.invalid' })),
  detail: thrown.detail.diagnostics.map(({ severity }) => severity),
}));
`;

/** A folder with the packed package, and with these packages of the repository. */
async function installed(...packages: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'keyplane-embedded-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const modules = join(folder, 'node_modules');
  await mkdir(modules);
  await run('tar', ['-xzf', await packedTarball(), '-C', modules]);
  await run('mv', [join(modules, 'package'), join(modules, 'keyplane')]);
  for (const name of ['ipaddr.js', ...packages]) await symlink(join(ROOT, 'node_modules', name), join(modules, name));
  return { folder, modules };
}

it('keeps its promises against a gateway as it is packed: one apply of two creates, errors of programs, checks of one’s own', async () => {
  const { folder } = await installed('libsql');
  await writeFile(join(folder, 'gateway.mjs'), WITH_GATEWAY);
  const { stdout } = await run(process.execPath, ['gateway.mjs', join(folder, 'state')], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual({
    states: ['applied'],
    created: 5,
    names: ['a', 'b', 'c', 'd', 'e'],
    kept: [['alpha-chat-1'], 'vip'],
    aborted: [true, true, true],
    missing: 'gateway.not-found',
    forbidden: ['key.model-not-allowed', 403, 'string', 'no'],
    own: ['store.failed', 'the database is down'],
    refused: 'guard.mass-change',
    words: false,
    proven: ['mine passed', 'model-list passed'],
    extra: ['c mine passed'],
    rendered: true,
    plan: false,
  });
});

it('keeps its promises as it is packed: for a program, and for one that requires it', async () => {
  const { folder, modules } = await installed();
  await writeFile(join(folder, 'main.mjs'), PROGRAM);
  const { stdout } = await run(process.execPath, ['main.mjs', join(folder, 'state')], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual({
    touched: 0,
    isSameFetch: true,
    writers: [],
    foreign: 'plan.foreign',
    unguarded: 'guard.mass-change',
    forged: 'plan.unreadable',
    twins: 'manifest.invalid',
    address: 'manifest.invalid',
    comma: 'manifest.invalid',
    sources: Array(3).fill(expect.stringMatching(/^manifest\.unknown-field error .*grup/)),
    image: 'manifest.invalid',
    clock: 'usage.invalid',
    callback: 'done',
    json: 40,
    stale: 'plan.stale',
    left: [41, 40],
  });
  const required = "const { createKeyplane } = require('keyplane'); process.stdout.write(typeof createKeyplane);";
  expect((await run(process.execPath, ['-e', required], { cwd: folder })).stdout).toBe('function');

  await mkdir(join(folder, 'other/node_modules'), { recursive: true });
  await cp(join(modules, 'keyplane'), join(folder, 'other/node_modules/keyplane'), { recursive: true });
  await writeFile(join(folder, 'other/copy.mjs'), "export * from 'keyplane';\n");
  await writeFile(join(folder, 'two.mjs'), TWO_COPIES);
  expect(JSON.parse((await run(process.execPath, ['two.mjs'], { cwd: folder })).stdout)).toEqual({
    copies: 2,
    any: true,
    code: true,
    otherCode: false,
    imitated: false,
    detail: ['error'],
  });
});
