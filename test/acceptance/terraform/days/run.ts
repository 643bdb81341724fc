import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { killAt, restoreState } from '../killed.ts';
import { openInstalledStack, openStack, type Stack } from '../stack.ts';
import { type Bench, SECOND, type StoredKey, settingsOf } from './bench.ts';
import { randomResource } from './configuration-steps.ts';
import type { Days, Step } from './days.ts';
import { idsInState } from './state.ts';
import { killed, STEPS } from './steps.ts';
import { diceOf, hasName, type Instance, instancesOf, render } from './world.ts';

/** A stack whose applies can be killed, if the gateway can hold requests. */
async function openKillable(bench: Bench): Promise<Pick<Days, 'kill'> & { readonly stack: Stack }> {
  const { control } = bench;
  if (control === undefined) return { stack: await openStack(bench, '') };
  const stack = await openInstalledStack(bench, '');
  return {
    stack,
    async kill(kill) {
      const isKilled = await killAt({ place: { control }, stack }, kill);
      await restoreState({ place: bench });
      return isKilled;
    },
  };
}

async function open(seed: number, bench: Bench): Promise<Days> {
  const { stack, ...killable } = await openKillable(bench);
  const run: Stack['run'] = (...words) => stack.runWith(bench.environment, ...words);
  let count = 0;
  const days: Days = {
    bench,
    dice: diceOf(seed),
    run,
    ...killable,
    world: { resources: new Map(), blocks: [] },
    ids: new Map(),
    used: new Map(),
    ends: new Map(),
    latest: new Map(),
    foreign: byId(await bench.keys()),
    states: [],
    story: [],
    fresh() {
      count += 1;
      return `k${count}`;
    },
    configure: () => stack.configure(HEAD + (bench.control ? SECOND_HEAD : '') + render(days.world)),
    async command(...words) {
      const ran = await run(...words);
      expect([ran.code, ran.stderr], `${words.join(' ')}\n${ran.stdout}`).toEqual([0, '']);
    },
    settled: () => days.command('plan', '-detailed-exitcode'),
  };
  return days;
}

const HEAD = 'provider "keyplane" {\n  assume_log_complete = true\n}\n';

const SECOND_HEAD = `provider "keyplane" {
  alias               = "second"
  user_id             = ${SECOND.userId}
  access_token        = "${SECOND.accessToken}"
  assume_log_complete = true
}
`;

const byId = (keys: readonly StoredKey[]) => new Map(keys.map((key) => [key.id, key]));

/** Checks a key of an instance: it has its declared settings, and all others as they were. */
function expectInstance(instance: Instance, days: Days, before: ReadonlyMap<number, StoredKey>) {
  const { address, resource } = instance;
  return (key: StoredKey): void => {
    const former = before.get(key.id);
    const declared = Object.assign({}, ...Object.values(resource.settings).map(({ stored }) => stored));
    const unmanaged = former ? settingsOf(former) : {};
    const { unlimited: _, ...rest } = unmanaged;
    const kept = resource.budget ? rest : unmanaged;
    expect(settingsOf(key), address).toMatchObject({ ...kept, ...declared, ...resource.budget?.stored });
    const { units } = resource.budget ?? {};
    if (units !== undefined) expect(key.remain_quota, address).toBe(Math.max(0, units - (days.used.get(key.id) ?? 0)));
    if (!resource.budget && former) expect(key.remain_quota, address).toBe(former.remain_quota);
    if (days.bench.control) expect(key.user_id === SECOND.userId, address).toBe(resource.isSecond ?? false);
    expect(key.name, instance.name).toSatisfy((name: string) => hasName(instance, name));
    expect(days.foreign.keys(), address).not.toContain(key.id);
    days.ids.set(address, key.id);
    days.ends.set(key.id, resource.generated?.end ?? 'delete');
  };
}

/** Checks what became of the keys that no instance has any more, and keeps those that stay. */
function expectEnded(days: Days, { deleted }: Step, ended: readonly number[], keys: ReadonlyMap<number, StoredKey>) {
  for (const id of ended) {
    const [end = 'delete', last, key] = [days.ends.get(id), days.latest.get(id), keys.get(id)];
    if (id === deleted || end === 'delete') {
      expect(key, `the former key ${id}`).toBeUndefined();
      continue;
    }
    if (key === undefined || last === undefined) throw new Error(`the key ${id} did not stay`);
    const disabled = end === 'disable' ? { disabled: true } : {};
    expect([key.name, settingsOf(key)], end).toEqual([last.name, { ...settingsOf(last), ...disabled }]);
    days.foreign.set(id, key);
    // An older state would end the key once more, by what was declared then.
    days.states.splice(0);
  }
}

async function expectDeclared(days: Days, step: Step, before: ReadonlyMap<number, StoredKey>): Promise<void> {
  const keys = byId(await days.bench.keys());
  const former = new Map(days.ids);
  const state = await idsInState(days.bench);
  const instances = instancesOf(days.world);
  expect([...state.keys()].sort()).toEqual(instances.map(({ address }) => address).sort());
  days.ids.clear();
  for (const instance of instances) {
    const key = keys.get(state.get(instance.address) ?? 0);
    if (key === undefined) throw new Error(`no key for ${instance.address}`);
    expectInstance(instance, days, before)(key);
    const id = former.get(instance.address);
    const mayBeOther = id === undefined || step.replaced?.includes(instance.address) === true;
    if (!mayBeOther) expect(key.id, instance.address).toBe(id);
  }
  const ids = new Set(days.ids.values());
  const ended = [...former.values()].filter((id) => !ids.has(id) && !days.foreign.has(id));
  expectEnded(days, step, ended, keys);
  for (const key of days.foreign.values()) expect([...keys.values()]).toContainEqual(key);
  expect([...keys.keys()].sort()).toEqual([...ids, ...days.foreign.keys()].sort());
  const text = await readFile(join(days.bench.folder, 'terraform.tfstate'), 'utf8');
  for (const secret of await days.bench.secretsOf([...keys.keys()])) expect(text).not.toContain(secret);
  days.latest = keys;
  days.states.push(text);
  if (days.states.length > 4) days.states.shift();
}

async function applyAll(days: Days, { first, mayFail }: Step): Promise<void> {
  if (first) {
    const { code, stderr } = await days.run('apply', ...first);
    if (code !== 0 && !mayFail) expect([code, stderr]).toEqual([0, '']);
    if (code !== 0)
      days.story.push(
        `   failed: ${stderr
          .split('\n')
          .filter((line) => line.includes('Error'))
          .join('; ')}`,
      );
    await days.bench.fail?.(undefined);
  }
  await days.command('apply', '-auto-approve');
}

/** Plays a step for which there is something that it can be done to. */
async function playStep(days: Days): Promise<void> {
  let step: Step | undefined;
  const isKilled = days.kill !== undefined && days.dice.below(3) === 0;
  while (step === undefined) step = await (isKilled ? killed : days.dice.of(STEPS))(days);
  await playOut(days, step);
}

async function playOut(days: Days, step: Step): Promise<void> {
  days.story.push(step.title);
  await days.configure();
  const before = byId(await days.bench.keys());
  await applyAll(days, step);
  await days.settled();
  days.world = { ...days.world, blocks: [] };
  await days.configure();
  await expectDeclared(days, step, before);
}

/** Plays so many random steps. After each, the gateway has what is declared, and nobody finds a difference. */
export async function playDays(seed: number, bench: Bench, count: number): Promise<void> {
  const days = await open(seed, bench);
  try {
    for (const label of ['first', 'second']) {
      const resources = new Map(days.world.resources).set(label, randomResource(days, label));
      days.world = { ...days.world, resources };
    }
    await playOut(days, { title: 'the first apply' });
    for (let step = 0; step < count; step += 1) await playStep(days);
  } catch (thrown) {
    const lines = days.story.map((line, n) => `${n + 1}. ${line}`).join('\n');
    throw new Error(`seed ${seed}:\n${lines}\n${render(days.world)}`, { cause: thrown });
  } finally {
    await days.bench.close();
  }
}
