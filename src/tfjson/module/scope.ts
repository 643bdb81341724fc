import { toText } from '../expression/conversion.ts';
import type { Scope } from '../expression/evaluate.ts';
import { Unresolved } from '../expression/unresolved.ts';
import { isNumber, listValue, objectValue, type ResourceValue, type Value } from '../expression/value.ts';
import { attributeOf } from '../keys/attributes.ts';
import { type Instance, type Instances, type Iteration, instancesOf } from './instance.ts';
import type { DeclaredBlock, Module } from './module.ts';
import { evaluateNode } from './resolve.ts';
import { type Env, variableValue } from './variable.ts';

/** The values of a module, each evaluated once and on demand. */
export interface ModuleScope {
  readonly scope: Scope;
  /** @throws Unresolved */
  readonly instances: (declared: DeclaredBlock) => Instances;
}

export interface ScopeInput {
  readonly module: Module;
  readonly env: Env;
  /** `local.t`, `var.t`: names that hold a credential of the provider, which nothing else may use. */
  readonly tokenNames?: ReadonlySet<string>;
}

type FoundValue = ReturnType<Scope['lookUp']>;

const DEPTH_LIMIT = 100;

/** Remembers results and finds references in a circle. */
function memoized() {
  const done = new Map<string, unknown>();
  const open = new Set<string>();
  return <T>(name: string, compute: () => T): T => {
    if (done.has(name)) return done.get(name) as T;
    const hint = 'Write one of the values out.';
    if (open.has(name)) {
      throw new Unresolved(`\`${name}\` refers to itself: ${[...open, name].join(' → ')}.`, { hint });
    }
    if (open.size > DEPTH_LIMIT)
      throw new Unresolved(`The references are nested deeper than ${DEPTH_LIMIT}.`, { hint });
    open.add(name);
    try {
      const value = compute();
      done.set(name, value);
      return value;
    } finally {
      open.delete(name);
    }
  };
}

const rendered = (root: string, keys: readonly Value[]): string =>
  root + keys.map((key) => (isNumber(key) ? `[${toText(key)}]` : `.${toText(key)}`)).join('');

const REASONS: ReadonlyMap<string, string> = new Map([
  ['self', '`self` has no meaning here'],
  ['path', 'its value depends on where Terraform runs'],
  ['terraform', 'its value depends on how Terraform runs'],
  ['module', 'Keyplane does not read modules'],
]);

function refuseRoot(root: string, keys: readonly Value[]): never {
  const reason = REASONS.get(root) ?? `nothing is called \`${root}\``;
  throw new Unresolved(`Keyplane does not evaluate \`${rendered(root, keys)}\`: ${reason}.`);
}

const otherResource = (root: string, keys: readonly Value[]): FoundValue => ({
  value: { kind: 'unknown', what: rendered(root, keys), why: 'only Terraform reads other resources' },
  taken: keys.length,
});

const isOtherResource = (root: string, keys: readonly Value[]): boolean =>
  root === 'data' || root === 'ephemeral' || (root.includes('_') && keys.length > 0);

function eachOf({ each }: Iteration, [key]: readonly Value[]): Value {
  if (!each) throw new Unresolved('`each` requires `for_each`.');
  if (key === 'key') return each.key;
  if (key === 'value') return each.value;
  throw new Unresolved('`each` has only `key` and `value`.');
}

function countOf({ index }: Iteration, [key]: readonly Value[]): Value {
  if (index === undefined || key !== 'index') throw new Unresolved('`count.index` requires `count`.');
  return index;
}

const KEY = 'keyplane_api_key';

/** One instance when the reference has its key, else all of them. */
function select(
  { by, all }: Instances,
  keys: readonly Value[],
  asValue: (instance: Instance) => ResourceValue,
): FoundValue {
  const [, key] = keys;
  const single = all.get('');
  if (by === 'single' && single) return { value: asValue(single), taken: 1 };
  if (key === undefined) {
    const values = [...all].map(([name, instance]) => [name, asValue(instance)] as const);
    return {
      value: by === 'count' ? listValue(values.map(([, value]) => value)) : objectValue(new Map(values)),
      taken: 1,
    };
  }
  const instance = all.get(toText(key));
  if (instance) return { value: asValue(instance), taken: 2 };
  throw new Unresolved(`\`${rendered(KEY, keys.slice(0, 1))}\` has no instance ${JSON.stringify(toText(key))}.`);
}

/** Resolves the references of a module's expressions. */
export function scopeOf({ module, env, tokenNames }: ScopeInput): ModuleScope {
  const once = memoized();
  const instances = (declared: DeclaredBlock): Instances =>
    once(`for_each of ${declared.address}`, () => instancesOf(declared, scopeFor));
  const asValue = (instance: Instance): ResourceValue => ({
    kind: 'resource',
    address: instance.address,
    attribute: (name) => once(`${instance.address}.${name}`, () => attributeOf(instance, name)),
  });
  const keyNamed = (keys: readonly Value[]): FoundValue => {
    const address = rendered(KEY, keys.slice(0, 1));
    const declared = module.keys.get(address);
    if (!declared) throw new Unresolved(`The module does not declare \`${address}\`.`);
    return select(instances(declared), keys, asValue);
  };
  const localNamed = (name: string): Value => {
    const local = module.locals.get(name);
    if (!local) throw new Unresolved(`The module does not declare the local \`${name}\`.`);
    return once(`local.${name}`, () => evaluateNode(local.node, plain));
  };
  const named = (root: string, name: string): Value => {
    if (tokenNames?.has(`${root}.${name}`)) {
      throw new Unresolved(`\`${root}.${name}\` holds a credential of the provider.`, {
        hint: 'Use it for nothing else.',
      });
    }
    return root === 'local' ? localNamed(name) : once(`var.${name}`, () => variableValue(name, module, env));
  };
  const scopeFor = (iteration: Iteration): Scope => ({
    lookUp: (root, keys) => {
      const [first] = keys;
      if (root === 'each') return { value: eachOf(iteration, keys), taken: 1 };
      if (root === 'count') return { value: countOf(iteration, keys), taken: 1 };
      if (first === undefined) return refuseRoot(root, keys);
      if (root === 'local' || root === 'var') return { value: named(root, toText(first)), taken: 1 };
      if (root === KEY) return keyNamed(keys);
      return isOtherResource(root, keys) ? otherResource(root, keys) : refuseRoot(root, keys);
    },
  });
  const plain = scopeFor({});
  return { scope: plain, instances };
}
