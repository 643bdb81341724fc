import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openFileJournal } from '../../../src/disk/index.ts';
import { statePlace } from '../../../src/terraform/serve/state-place.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keyplane-place-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const placeOf = (env: Parameters<typeof statePlace>[0], folder: string, ...words: readonly string[]) =>
  statePlace(env, { folder, words: ['terraform', ...words] });

/** A folder that core has initialized. */
async function initialized(name: string, { workspace = '', backend = {}, serial = 1 }): Promise<string> {
  const at = join(folder, name);
  await mkdir(join(at, '.terraform'), { recursive: true });
  if (workspace) await writeFile(join(at, '.terraform/environment'), workspace);
  await writeFile(join(at, '.terraform/terraform.tfstate'), JSON.stringify({ serial, backend }));
  return at;
}

const s3 = (key: string) => ({ type: 's3', config: { key, secret_key: 'canary' }, hash: 1 });

it('names the state by folder, workspace and backend, and shows no credential of the backend', async () => {
  const at = await initialized('a', { backend: s3('one') });
  const first = await placeOf({}, at);
  expect(first).toMatch(/^sha256:[0-9a-f]{64}$/);
  await initialized('a', { backend: s3('one'), serial: 2 });
  expect(await placeOf({ TF_WORKSPACE: 'default' }, at)).toBe(first);
  const others = [
    await placeOf({ TF_WORKSPACE: 'staging' }, at),
    await placeOf({ TF_DATA_DIR: 'elsewhere' }, at),
    await placeOf({}, join(folder, 'b')),
    await placeOf({}, await initialized('a', { backend: s3('two') })),
    await placeOf({}, await initialized('a', { backend: s3('one'), workspace: 'live' })),
  ];
  expect(new Set([first, ...others]).size).toBe(6);
  expect(await placeOf({ TF_WORKSPACE: 'live' }, at)).toBe(others[4]);
});

it('keeps the creates of one workspace from another with the same account and state folder', async () => {
  const at = await initialized('c', {});
  const run = async (workspace: string) =>
    openFileJournal({
      env: { XDG_STATE_HOME: folder },
      account: { url: 'http://gateway.test', userId: 42 },
      now: () => 1_800_000_000,
      pid: process.pid,
      random: Math.random,
      keeper: await placeOf({ TF_WORKSPACE: workspace }, at),
      hasEnded: async () => true,
    });
  const killed = await run('staging');
  await killed.record([{ name: 'one', digest: 'sha256:0', enabled: true }], 7);
  expect(await (await run('live')).left()).toEqual([]);
  expect(await (await run('staging')).left()).toMatchObject([{ name: 'one', newestBefore: 7 }]);
});

it.each([
  [['test'], true],
  [['-chdir=stacks', 'test', '-filter=a.tftest.hcl'], true],
  [['apply', '-auto-approve'], false],
  [['plan', '-target', 'test'], false],
  [['apply', 'test'], false],
  [[], false],
])('keeps the states of a test from that of the folder: %j', async (words, isOther) => {
  expect((await placeOf({}, folder, ...words)) !== (await placeOf({}, folder))).toBe(isOther);
});
