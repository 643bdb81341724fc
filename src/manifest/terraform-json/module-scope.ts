import { attributeOf } from './attribute.ts';
import { toText } from './conversion.ts';
import type { Key, Scope } from './evaluate.ts';
import { type Instance, type Instances, instancesOf, type Turn } from './instance.ts';
import type { Declared } from './module.ts';
import { Refused } from './refused.ts';
import { valueOfTree } from './tree-value.ts';
import { fieldsValue, type InstanceValue, isNumber, listValue, type Value } from './value.ts';
import { type Surroundings, variableValue } from './variable.ts';

/** What a module comes to, worked out once and only as far as it is asked for. */
export interface ModuleScope {
  readonly scope: Scope;
  /** @throws Refused */
  readonly instances: (declared: Declared) => Instances;
}

type Found = ReturnType<Scope['lookUp']>;

const DEPTH_LIMIT = 100;

/** Remembers what was worked out, and finds what leads back to itself. */
function remembering() {
  const done = new Map<string, unknown>();
  const open = new Set<string>();
  return <T>(what: string, compute: () => T): T => {
    if (done.has(what)) return done.get(what) as T;
    const hint = 'Write one of the values out.';
    if (open.has(what))
      throw new Refused(`\`${what}\` leads back to itself: ${[...open, what].join(' → ')}.`, { hint });
    if (open.size > DEPTH_LIMIT) throw new Refused(`References lead more than ${DEPTH_LIMIT} deep.`, { hint });
    open.add(what);
    try {
      const value = compute();
      done.set(what, value);
      return value;
    } finally {
      open.delete(what);
    }
  };
}

/** The reference as it is written. */
const rendered = (root: string, keys: readonly Key[]): string =>
  root + keys.map((key) => (isNumber(key) ? `[${toText(key)}]` : `.${toText(key)}`)).join('');

const NOT_HERE: Readonly<Record<string, string>> = {
  self: '`self` is not known here',
  path: '`path` depends on where Terraform runs',
  terraform: '`terraform` depends on how Terraform runs',
  module: 'Modules are not read',
};

function refuseRoot(root: string, keys: readonly Key[]): never {
  const why = Object.hasOwn(NOT_HERE, root) ? NOT_HERE[root] : `\`${root}\` is nothing that is known`;
  throw new Refused(`\`${rendered(root, keys)}\` is not worked out: ${why}.`);
}

/** What other resources and data sources tell, Terraform alone asks them for. */
const ofOthers = (root: string, keys: readonly Key[]): Found => ({
  value: { kind: 'unknown', what: rendered(root, keys), why: 'Keyplane asks nobody but the gateway for its keys' },
  taken: keys.length,
});

const isOther = (root: string, keys: readonly Key[]): boolean =>
  root === 'data' || root === 'ephemeral' || (root.includes('_') && keys.length > 0);

function eachOf(turn: Turn, [step]: readonly Key[]): Value {
  if (!turn.each) throw new Refused('`each` stands only where there is `for_each`.');
  if (step === 'key') return turn.each.key;
  if (step === 'value') return turn.each.value;
  throw new Refused('`each` has a `key` and a `value`.');
}

function countOf({ index }: Turn, [step]: readonly Key[]): Value {
  if (index === undefined || step !== 'index') throw new Refused('`count.index` stands only where there is `count`.');
  return index;
}

const KEY = 'keyplane_api_key';

/** One instance where the reference names it, else all of them. */
function pick({ by, all }: Instances, keys: readonly Key[], asValue: (instance: Instance) => InstanceValue): Found {
  const [, key] = keys;
  if (by === 'nothing') return { value: asValue(all.get('') as Instance), taken: 1 };
  if (key === undefined) {
    const values = [...all].map(([name, instance]) => [name, asValue(instance)] as const);
    return {
      value: by === 'count' ? listValue(values.map(([, value]) => value)) : fieldsValue(new Map(values)),
      taken: 1,
    };
  }
  const instance = all.get(toText(key));
  if (!instance)
    throw new Refused(`\`${rendered(KEY, keys.slice(0, 1))}\` has no instance ${JSON.stringify(toText(key))}.`);
  return { value: asValue(instance), taken: 2 };
}

/** What expressions of a module mean. */
export function scopeOf(surroundings: Surroundings): ModuleScope {
  const { module } = surroundings;
  const once = remembering();
  const instances = (declared: Declared): Instances =>
    once(`for_each of ${declared.address}`, () => instancesOf(declared, scopeFor));
  const asValue = (instance: Instance): InstanceValue => ({
    kind: 'instance',
    address: instance.address,
    attribute: (name) => once(`${instance.address}.${name}`, () => attributeOf(instance, name)),
  });
  const keyNamed = (keys: readonly Key[]): Found => {
    const declared = module.keys.get(rendered(KEY, keys.slice(0, 1)));
    if (!declared) throw new Refused(`\`${rendered(KEY, keys.slice(0, 1))}\` is not declared in this module.`);
    return pick(instances(declared), keys, asValue);
  };
  const refuseSealed = (name: string): void => {
    if (!surroundings.sealed?.has(name)) return;
    throw new Refused(`\`${name}\` holds an access token.`, { hint: 'A token is used for nothing else.' });
  };
  const localNamed = (name: string): Value => {
    const entry = module.locals.get(name);
    if (!entry) throw new Refused(`There is no local \`${name}\` in this module.`);
    return once(`local.${name}`, () => valueOfTree(entry.node, plain));
  };
  const scopeFor = (turn: Turn): Scope => ({
    lookUp: (root, keys) => {
      const first = keys[0];
      if (root === 'each') return { value: eachOf(turn, keys), taken: 1 };
      if (root === 'count') return { value: countOf(turn, keys), taken: 1 };
      if (first === undefined) return refuseRoot(root, keys);
      refuseSealed(`${root}.${toText(first)}`);
      if (root === 'local') return { value: localNamed(toText(first)), taken: 1 };
      if (root === 'var') {
        const name = toText(first);
        return { value: once(`var.${name}`, () => variableValue(name, surroundings)), taken: 1 };
      }
      if (root === KEY) return keyNamed(keys);
      return isOther(root, keys) ? ofOthers(root, keys) : refuseRoot(root, keys);
    },
  });
  const plain = scopeFor({});
  return { scope: plain, instances };
}
