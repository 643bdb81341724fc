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
const keyplane = await import('keyplane');
const touched = Reflect.ownKeys(globalThis).length - globals;
const { memoryStore } = await import('keyplane/store');
const internals = await import('keyplane/internals');
const { createKeyplane, defineManifest, fromJSON, isKeyplaneError, parseManifest } = keyplane;

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
const found = {
  touched,
  writers: [...Object.keys(keyplane), ...Object.keys(internals)].filter((name) => ['apply', 'execute', 'createEngine'].includes(name)),
  foreign: await codeOf(two.keyplane.apply(plan, { allow })),
  unguarded: await codeOf(one.keyplane.apply(plan)),
  forged: await codeOf(one.keyplane.apply({ ...plan }, { allow })),
  twins: await codeOf(parseManifest('version: 1\\nkeys: { a: {}, A: {} }')),
  address: await codeOf(defineManifest({ keys: { a: { allowIps: ['10.0.0.0/33'] } } })),
  image: await codeOf(defineManifest({ checks: { i: { module: 'image', model: 'alpha-image-1', size: '7x7' } }, keys: { a: { checks: ['i'] } } })),
  clock: await codeOf(open({ clock: { now: () => Date.now() } }).keyplane.plan(none)),
  callback: await codeOf(one.keyplane.apply(await defineManifest({ keys: { ...keys, more: { budget: 'unlimited' } } }), throwing)),
  json: (await fromJSON(JSON.stringify(plan), 'saved-plan')).changes.length,
  stale: await codeOf(one.keyplane.apply(plan, { allow })),
  left: [(await one.store.walk()).length, (await two.store.walk()).length],
};
process.stdout.write(JSON.stringify(found));
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

it('keeps its promises as it is packed: for a program, and for one that requires it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keyplane-embedded-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const modules = join(folder, 'node_modules');
  await mkdir(modules);
  await run('tar', ['-xzf', await packedTarball(), '-C', modules]);
  await run('mv', [join(modules, 'package'), join(modules, 'keyplane')]);
  await symlink(join(ROOT, 'node_modules/ipaddr.js'), join(modules, 'ipaddr.js'));
  await writeFile(join(folder, 'main.mjs'), PROGRAM);
  const { stdout } = await run(process.execPath, ['main.mjs', join(folder, 'state')], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual({
    touched: 0,
    writers: [],
    foreign: 'plan.foreign',
    unguarded: 'guard.mass-change',
    forged: 'plan.unreadable',
    twins: 'manifest.invalid',
    address: 'manifest.invalid',
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
