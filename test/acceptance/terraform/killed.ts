import { copyFile, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type TestContext } from 'vitest';
import { ACCESS_TOKEN, MODELS, openPlace, type Place } from '../place.ts';
import { expectSettled, key } from './changes.ts';
import { type InstalledStack, openInstalledStack, skipWithoutTerraform } from './stack.ts';

/** The process that is killed. Without core, the provider sees the end of its connection; without the provider, core stores the rest. */
export type Victim = 'core' | 'provider' | 'both';

/** A request of the apply, by its number, and whether the gateway serves it before the kill or after it. */
export interface Kill {
  readonly victim: Victim;
  readonly at: number;
  readonly kind: 'hold' | 'hold-after';
  /** Counts only the requests with this method. */
  readonly method?: string;
}

export interface Recovery {
  /** Keys at the gateway that the state lacked after the kill, and that the next apply adopted. */
  readonly orphans: number;
  /** The number of keys that the state had. */
  readonly stored: number;
}

export const NO_LIMITS = { limits: { api: null, search: null, reveal: null } };
const BODIES = [
  'budget = { usd = 1, per = "lifetime" }',
  'budget = { usd = 5, per = "month" }',
  'enabled = false\n  budget = { usd = 2, per = "lifetime" }',
];

export interface KilledStack {
  readonly place: Place;
  readonly stack: InstalledStack;
  readonly count: number;
}

/** The providers of core are found among the processes of the machine. */
export function skipWhereNobodyKills(context: TestContext): void {
  skipWithoutTerraform(context);
  if (process.platform !== 'linux') context.skip('it finds processes in /proc');
}

export async function openKilledStack(count: number): Promise<KilledStack> {
  const place = await openPlace([], 'deployed', MODELS, NO_LIMITS);
  const configuration = Array.from({ length: count }, (_, n) => key(`key-${n}`, BODIES[n % BODIES.length])).join('');
  return { place, count, stack: await openInstalledStack(place, configuration) };
}

/** An account and a folder as before the first apply. */
async function clear({ place }: KilledStack): Promise<void> {
  await place.control('DELETE', '/faults');
  const ids = (await place.keys()).map(({ id }) => id);
  const headers = { Authorization: ACCESS_TOKEN, 'New-Api-User': '42', 'content-type': 'application/json' };
  await fetch(`${place.url}/api/token/batch`, { method: 'POST', headers, body: JSON.stringify({ ids }) });
  expect(await place.keys()).toEqual([]);
  const files = ['terraform.tfstate', 'terraform.tfstate.backup', '.local/state/keyplane/creates'];
  for (const file of files) await rm(join(place.folder, file), { recursive: true, force: true });
}

/** The methods of requests that may change something. */
const WRITES = ['POST', 'PUT', 'DELETE'] as const;

/** A moment of an apply. Numbers of requests count from 1. */
type Moment = Omit<Kill, 'victim'>;

/**
 * Runs an apply that nobody kills. Returns its moments: before each request, and after each that may change something. To serve a
 * read before a kill is to kill before the next request.
 */
export async function momentsOf({ place }: KilledStack, apply: () => Promise<unknown>): Promise<readonly Moment[]> {
  await place.control('DELETE', '/requests');
  await apply();
  const { requests } = await place.control<{ requests: Readonly<Record<string, number>> }>('GET', '/requests');
  const count = (prefix: string): number =>
    Object.entries(requests).reduce((sum, [route, n]) => sum + (route.includes(`${prefix} /api/`) ? n : 0), 0);
  const upTo = (length: number): readonly number[] => Array.from({ length }, (_, n) => n + 1);
  return [
    ...upTo(count('')).map((at) => ({ at, kind: 'hold' }) as const),
    ...WRITES.flatMap((method) => upTo(count(method)).map((at) => ({ at, method, kind: 'hold-after' }) as const)),
  ];
}

/** The moments of an apply that creates all keys. */
export async function momentsOfCreate(killed: KilledStack): Promise<readonly Moment[]> {
  const moments = await momentsOf(killed, async () => {
    const { code, stderr } = await killed.stack.run('apply', '-auto-approve');
    expect(code, stderr).toBe(0);
  });
  await clear(killed);
  return moments;
}

/** Core starts its providers from any of its threads. */
async function childrenOf(pid: number): Promise<readonly number[]> {
  const threads = await readdir(`/proc/${pid}/task`);
  const lists = await Promise.all(threads.map((id) => readFile(`/proc/${pid}/task/${id}/children`, 'utf8')));
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
}

export async function storedIds({ place }: { readonly place: Pick<Place, 'folder'> }): Promise<readonly number[]> {
  const text = await readFile(join(place.folder, 'terraform.tfstate'), 'utf8').catch(() => '');
  if (text === '') return [];
  const { resources } = JSON.parse(text) as {
    resources: readonly { instances: readonly { attributes: { id: number } }[] }[];
  };
  return resources.flatMap(({ instances }) => instances.map(({ attributes }) => attributes.id));
}

const isWhole = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/**
 * Terraform writes its local state in place: killed in that moment, it leaves a file that is empty or cut off. Its backup has the
 * state from before the apply, if there was one, as docs/terraform-recovery.md advises. Returns whether that was so.
 */
export async function restoreState({ place }: { readonly place: Pick<Place, 'folder'> }): Promise<boolean> {
  const file = join(place.folder, 'terraform.tfstate');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined || isWhole(text)) return false;
  await copyFile(`${file}.backup`, file).catch(() => rm(file));
  return true;
}

interface Killable {
  readonly place: Pick<Place, 'control'>;
  readonly stack: Pick<InstalledStack, 'start'>;
}

/** Returns whether the apply had as many requests: how many share a list depends on the time. */
export async function killAt({ place, stack }: Killable, { victim, at, kind, method }: Kill): Promise<boolean> {
  await place.control('POST', '/faults', [{ ...(method && { method }), path: '/api/*', kind, skip: at - 1 }]);
  const { child, ended } = stack.start(['apply', '-auto-approve']);
  const isHeld = await Promise.race([place.control('GET', '/held?wait=1').then(() => true), ended.then(() => false)]);
  if (!isHeld) {
    await place.control('DELETE', '/faults');
    return false;
  }
  const core = child.pid as number;
  const providers = await childrenOf(core);
  if (victim !== 'provider') process.kill(core, 'SIGKILL');
  if (victim !== 'core') for (const pid of providers) process.kill(pid, 'SIGKILL');
  await place.control('POST', '/release', {});
  await ended;
  return true;
}

/**
 * Kills an apply. The next one adopts exactly the keys that the state lacks, and ends with what is declared. Undefined: the apply
 * ended before.
 */
export async function recover(killed: KilledStack, kill: Kill): Promise<Recovery | undefined> {
  const { place, stack, count } = killed;
  const isKilled = await killAt(killed, kill);
  await restoreState(killed);
  const stored = await storedIds(killed);
  const left = (await place.keys()).map(({ id }) => id);
  const orphans = left.filter((id) => !stored.includes(id));
  const { code, stdout, stderr } = await stack.run('apply', '-auto-approve');
  expect([code, stderr], JSON.stringify(kill)).toEqual([0, '']);
  const warned = [...stdout.matchAll(/Adopts the key (\d+), which/g)].map(([, id]) => Number(id));
  const adopted = new Set(warned);
  expect(warned, JSON.stringify(kill)).toHaveLength(adopted.size);
  // A create that was held may take effect after the keys were read.
  expect([...adopted], JSON.stringify(kill)).toEqual(expect.arrayContaining(orphans));
  expect(stored.filter((id) => adopted.has(id))).toEqual([]);
  const keys = await place.keys();
  const names = Array.from({ length: count }, (_, n) => `key-${n}`);
  expect(keys.map(({ name }) => name).sort(), JSON.stringify(kill)).toEqual(names.sort());
  // Adopted, and not replaced.
  expect(keys.map(({ id }) => id)).toEqual(expect.arrayContaining(left));
  await expectSettled(stack);
  await clear(killed);
  return isKilled ? { orphans: adopted.size, stored: stored.length } : undefined;
}
