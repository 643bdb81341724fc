import { blankCredentials } from '../../domain/index.ts';
import { tryFindEntry } from '../yaml/tree.ts';
import { toNumber } from './conversion.ts';
import type { Scope } from './evaluate.ts';
import type { Declared } from './module.ts';
import { Refused } from './refused.ts';
import { valueOfTree } from './tree-value.ts';
import { isFields, isList, kindOf, known, sortedMembers, tryWhole, type Value } from './value.ts';

/** What `each` and `count` stand for in an instance. */
export interface Turn {
  readonly each?: { readonly key: string; readonly value: Value };
  readonly index?: Value;
}

/** One resource that a block makes. */
export interface Instance {
  readonly declared: Declared;
  /** `keyplane_api_key.many["x"]` */
  readonly address: string;
  /** `prod/many["x"]` */
  readonly construct: string;
  readonly scope: Scope;
}

/** All that a block makes, by what tells them apart. */
export interface Instances {
  readonly by: 'nothing' | 'for_each' | 'count';
  readonly all: ReadonlyMap<string, Instance>;
}

const LIMIT = 10_000;

type ScopeFor = (turn: Turn) => Scope;

function instanceOf(declared: Declared, suffix: string, scope: Scope): Instance {
  // It is shown wherever a place is.
  const construct = blankCredentials(declared.construct + suffix);
  return { declared, address: declared.address + suffix, construct, scope };
}

function checkNumber(count: number | bigint): void {
  if (count <= LIMIT) return;
  throw new Refused(`It makes more than ${LIMIT} resources.`, {
    hint: 'An account with so many keys is not foreseen.',
  });
}

function turnsOf(value: Value): readonly (readonly [string, Value])[] {
  const plain = known(value);
  if (isFields(plain)) return sortedMembers(plain);
  if (isList(plain) && plain.isSet) {
    return plain.items.map((item) => {
      if (typeof item === 'string') return [item, item] as const;
      throw new Refused('`for_each` goes over a set of texts.', { hint: 'Make texts of the items.' });
    });
  }
  const hint = '`toset([…])` makes a set of texts of a list.';
  throw new Refused(`\`for_each\` does not go over ${kindOf(plain)}.`, { expected: 'a map, or a set of texts', hint });
}

function byEach(declared: Declared, value: Value, scopeFor: ScopeFor): Instances {
  const turns = turnsOf(value);
  checkNumber(turns.length);
  const all = turns.map(([key, each]): readonly [string, Instance] => {
    const scope = scopeFor({ each: { key, value: each } });
    return [key, instanceOf(declared, `[${JSON.stringify(key)}]`, scope)];
  });
  return { by: 'for_each', all: new Map(all) };
}

function byCount(declared: Declared, value: Value, scopeFor: ScopeFor): Instances {
  const count = tryWhole(toNumber(value));
  if (count === undefined || count < 0n) throw new Refused('`count` is no whole number of 0 or more.');
  checkNumber(count);
  const all = Array.from({ length: Number(count) }, (_, i): readonly [string, Instance] => {
    const index: Value = { kind: 'number', exact: { digits: BigInt(i), scale: 0 } };
    return [String(i), instanceOf(declared, `[${i}]`, scopeFor({ index }))];
  });
  return { by: 'count', all: new Map(all) };
}

/** The resources that a block makes: one, or as many as `for_each` or `count` say. @throws Refused */
export function instancesOf(declared: Declared, scopeFor: ScopeFor): Instances {
  const each = tryFindEntry(declared.body, 'for_each');
  const count = tryFindEntry(declared.body, 'count');
  if (each && count) throw new Refused('`for_each` and `count` exclude each other.');
  if (each) return byEach(declared, valueOfTree(each.node, scopeFor({})), scopeFor);
  if (count) return byCount(declared, valueOfTree(count.node, scopeFor({})), scopeFor);
  return { by: 'nothing', all: new Map([['', instanceOf(declared, '', scopeFor({}))]]) };
}
