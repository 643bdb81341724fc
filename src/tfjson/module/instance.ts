import { blankCredentials } from '../../domain/index.ts';
import { toNumber, toText } from '../expression/conversion.ts';
import type { Scope } from '../expression/evaluate.ts';
import { Unresolved } from '../expression/unresolved.ts';
import {
  isList,
  isObject,
  known,
  numberFrom,
  sortedMembers,
  tryWhole,
  typeName,
  type Value,
} from '../expression/value.ts';
import { tryFindMember } from '../json/node.ts';
import type { DeclaredBlock } from './module.ts';
import { evaluateNode } from './resolve.ts';

/** The values of `each` and `count` in one instance. */
export interface Iteration {
  readonly each?: { readonly key: string; readonly value: Value };
  readonly index?: Value;
}

/** One resource that a block makes. */
export interface Instance {
  readonly declared: DeclaredBlock;
  /** `keyplane_api_key.many["x"]` */
  readonly address: string;
  /** `prod/many["x"]` */
  readonly construct: string;
  readonly scope: Scope;
}

/** All instances of a block, by their keys. */
export interface Instances {
  readonly by: 'single' | 'for_each' | 'count';
  readonly all: ReadonlyMap<string, Instance>;
}

const LIMIT = 10_000;

type ScopeFor = (iteration: Iteration) => Scope;

function checkCount(count: number | bigint): void {
  if (count <= LIMIT) return;
  throw new Unresolved(`The block makes more than ${LIMIT} resources.`, { hint: 'Declare fewer resources.' });
}

function elementsOf(value: Value): readonly (readonly [string, Value])[] {
  const plain = known(value);
  if (isObject(plain)) return sortedMembers(plain);
  if (isList(plain) && plain.form === 'set') return plain.items.map((item) => [toText(item), item]);
  throw new Unresolved(`\`for_each\` cannot iterate over ${typeName(plain)}.`, {
    expected: 'a map, or a set of strings',
    hint: 'Convert the list to a set: `toset([…])`.',
  });
}

/** Expands `for_each` and `count`. @throws Unresolved */
export function instancesOf(declared: DeclaredBlock, scopeFor: ScopeFor): Instances {
  const [each, count] = ['for_each', 'count'].map((name) => tryFindMember(declared.body, name)?.node);
  const instance = (suffix: string, iteration: Iteration): Instance => ({
    declared,
    address: declared.address + suffix,
    // Diagnostics show it.
    construct: blankCredentials(declared.construct + suffix),
    scope: scopeFor(iteration),
  });
  if (each && count) throw new Unresolved('`for_each` and `count` exclude each other.');
  if (each) {
    const elements = elementsOf(evaluateNode(each, scopeFor({})));
    checkCount(elements.length);
    const all = elements.map(
      ([key, value]) => [key, instance(`[${JSON.stringify(key)}]`, { each: { key, value } })] as const,
    );
    return { by: 'for_each', all: new Map(all) };
  }
  if (!count) return { by: 'single', all: new Map([['', instance('', {})]]) };
  const number = tryWhole(toNumber(evaluateNode(count, scopeFor({}))));
  if (number === undefined || number < 0n) throw new Unresolved('`count` must be a whole number of 0 or more.');
  checkCount(number);
  const indexes = Array.from({ length: Number(number) }, (_, i) => String(i));
  return {
    by: 'count',
    all: new Map(indexes.map((index) => [index, instance(`[${index}]`, { index: numberFrom(index) })])),
  };
}
