import { SECOND, type StoredKey } from './bench.ts';
import type { Days, Play } from './days.ts';
import { addressOf, BUDGETS, ENDS, hasName, type Instance, instancesOf, type Resource, VALUES } from './world.ts';

/** Steps that change the configuration. */

export function tryInstance({ world, dice }: Days): Instance | undefined {
  const all = instancesOf(world);
  return all.length === 0 ? undefined : dice.of(all);
}

const tryLabel = ({ world, dice }: Days): string | undefined =>
  world.resources.size === 0 ? undefined : dice.of([...world.resources.keys()]);

function change(days: Days, label: string, resource: Resource | undefined): void {
  const resources = new Map(days.world.resources);
  if (resource === undefined) resources.delete(label);
  else resources.set(label, resource);
  days.world = { ...days.world, resources };
}

const block = (days: Days, text: string): void => {
  days.world = { ...days.world, blocks: [...days.world.blocks, text] };
};

export function randomResource({ dice, bench, kill }: Days, name: string): Resource {
  const mode = dice.of(['single', 'single', 'count', 'each'] as const);
  const settings = Object.fromEntries(
    bench.attributes.filter(() => dice.below(2) === 0).map((attribute) => [attribute, dice.of(VALUES[attribute])]),
  );
  const members = { single: ['0'], count: ['0', '1'], each: ['a', 'b'] }[mode];
  const generated = { release: 1, isCreatedFirst: dice.below(2) === 0, end: dice.of(ENDS) };
  return {
    ...{ mode, members, name, settings, budget: dice.of(BUDGETS) },
    ...(dice.below(3) === 0 ? { generated } : {}),
    ...(kill && dice.below(3) === 0 ? { isSecond: true } : {}),
  };
}

export const add: Play = (days) => {
  if (days.world.resources.size > 4) return undefined;
  const label = days.fresh();
  change(days, label, randomResource(days, label));
  return { title: `add ${label}` };
};

export const drop: Play = (days) => {
  const label = tryLabel(days);
  if (label === undefined) return undefined;
  change(days, label, undefined);
  return { title: `drop ${label}` };
};

export const edit: Play = (days) => {
  const label = tryLabel(days);
  const resource = label === undefined ? undefined : days.world.resources.get(label);
  if (label === undefined || resource === undefined) return undefined;
  if (days.dice.below(3) === 0) {
    // Without one, a key that somebody deletes is not created again.
    const budget = days.dice.of(BUDGETS);
    change(days, label, { ...resource, budget });
    return { title: `budget of ${label}: ${budget.text}` };
  }
  const attribute = days.dice.of(days.bench.attributes);
  const { [attribute]: _, ...rest } = resource.settings;
  const value = days.dice.below(4) === 0 ? undefined : days.dice.of(VALUES[attribute]);
  change(days, label, { ...resource, settings: value ? { ...rest, [attribute]: value } : rest });
  return { title: `${attribute} of ${label}: ${value?.text}` };
};

/** Replaces the keys of a resource, or changes what becomes of them. */
export const rotate: Play = (days) => {
  const { dice, world } = days;
  const generated = [...world.resources].filter(([, resource]) => resource.generated);
  const [label, resource] = generated.length === 0 ? [] : dice.of(generated);
  if (!label || !resource?.generated) return undefined;
  if (dice.below(3) === 0) {
    const end = dice.of(ENDS);
    change(days, label, { ...resource, generated: { ...resource.generated, end } });
    return { title: `on_destroy of ${label}: ${end}` };
  }
  const release = resource.generated.release + 1;
  change(days, label, { ...resource, generated: { ...resource.generated, release } });
  return { title: `rotate ${label}`, replaced: resource.members.map((member) => addressOf(label, resource, member)) };
};

export const rename: Play = (days) => {
  const label = tryLabel(days);
  const resource = label && days.world.resources.get(label);
  if (!label || !resource) return undefined;
  const name = days.fresh();
  change(days, label, { ...resource, name });
  return { title: `rename ${label} to ${name}` };
};

export const swap: Play = (days) => {
  const [first, second] = [tryLabel(days), tryLabel(days)];
  const [one, two] = [first, second].map((label) => label && days.world.resources.get(label));
  if (!first || !second || !one || !two || first === second) return undefined;
  change(days, first, { ...one, name: two.name });
  change(days, second, { ...two, name: one.name });
  return { title: `swap the names of ${first} and ${second}` };
};

export const members: Play = (days) => {
  const label = [...days.world.resources.keys()].find((each) => days.world.resources.get(each)?.mode !== 'single');
  const resource = label && days.world.resources.get(label);
  if (!label || !resource) return undefined;
  const size = days.dice.below(4);
  const next =
    resource.mode === 'count'
      ? Array.from({ length: size }, (_, n) => String(n))
      : ['a', 'b', 'c', 'ü'].filter(() => days.dice.below(2) === 0);
  change(days, label, { ...resource, members: next });
  return { title: `members of ${label}: ${next.join()}` };
};

export const relabel: Play = (days) => {
  const label = tryLabel(days);
  const resource = label && days.world.resources.get(label);
  if (!label || !resource) return undefined;
  const next = days.fresh();
  change(days, label, undefined);
  change(days, next, resource);
  block(days, `moved {\n  from = keyplane_api_key.${label}\n  to = keyplane_api_key.${next}\n}\n`);
  for (const member of resource.members) {
    const id = days.ids.get(addressOf(label, resource, member));
    if (id !== undefined) days.ids.set(addressOf(next, resource, member), id);
  }
  days.states.splice(0);
  return { title: `move ${label} to ${next}` };
};

export const intoModes: Play = (days) => {
  const label = tryLabel(days);
  const resource = label && days.world.resources.get(label);
  if (!label || !resource || resource.mode !== 'single') return undefined;
  const mode = days.dice.of(['count', 'each'] as const);
  const next: Resource = { ...resource, mode, members: mode === 'count' ? ['0', '1'] : ['a', 'b'] };
  const [first = ''] = next.members;
  const [from, to] = [addressOf(label, resource, '0'), addressOf(label, next, first)];
  block(days, `moved {\n  from = ${from}\n  to = ${to}\n}\n`);
  change(days, label, next);
  const id = days.ids.get(from);
  if (id !== undefined) days.ids.set(to, id);
  days.states.splice(0);
  return { title: `${label} becomes ${mode}` };
};

export const release: Play = async (days) => {
  const label = tryLabel(days);
  const resource = label && days.world.resources.get(label);
  if (!label || !resource || resource.members.length === 0) return undefined;
  change(days, label, undefined);
  block(days, `removed {\n  from = keyplane_api_key.${label}\n  lifecycle {\n    destroy = false\n  }\n}\n`);
  const keys = new Map((await days.bench.keys()).map((key) => [key.id, key]));
  for (const member of resource.members) {
    const key = keys.get(days.ids.get(addressOf(label, resource, member)) ?? 0);
    if (key) days.foreign.set(key.id, key);
  }
  days.states.splice(0);
  return { title: `release ${label}` };
};

export const importForeign: Play = (days) => {
  const free = [...days.foreign.values()].filter(
    ({ name }) => !instancesOf(days.world).some((each) => hasName(each, name)),
  );
  const key: StoredKey | undefined = free.length === 0 ? undefined : days.dice.of(free);
  if (key === undefined) return undefined;
  const label = days.fresh();
  const { generated: _, isSecond: __, ...resource } = randomResource(days, key.name);
  const account = key.user_id === SECOND.userId ? { isSecond: true as const } : {};
  change(days, label, { ...resource, ...account, mode: 'single', members: ['0'] });
  block(
    days,
    `import {\n  to = keyplane_api_key.${label}\n  id = "${days.dice.of([String(key.id), `name=${key.name}`])}"\n}\n`,
  );
  days.foreign.delete(key.id);
  days.ids.set(`keyplane_api_key.${label}`, key.id);
  return { title: `import ${key.name} as ${label}` };
};
