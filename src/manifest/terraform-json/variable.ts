import { tryFindEntry } from '../yaml/tree.ts';
import type { Block } from './block.ts';
import { toFlag, toNumber, toText } from './conversion.ts';
import { setOf } from './functions.ts';
import type { Module } from './module.ts';
import { isNothing } from './nodes.ts';
import { Refused } from './refused.ts';
import { literalOfTree } from './tree-value.ts';
import { fieldsValue, isFields, isList, kindOf, known, listValue, type Value } from './value.ts';

type Convert = (value: Value) => Value;

const SIMPLE: ReadonlyMap<string, Convert> = new Map<string, Convert>([
  ['string', toText],
  ['number', toNumber],
  ['bool', toFlag],
  ['any', (value) => value],
]);

const orNull =
  (convert: Convert): Convert =>
  (value) =>
    value === null ? null : convert(value);

const COLLECTIONS: Readonly<Record<string, (item: Convert) => Convert>> = {
  list: (item) => (value) => listValue(itemsOf(value).map(item)),
  set: (item) => (value) => setOf(listValue(itemsOf(value).map(item))),
  map: (item) => (value) => {
    const plain = known(value);
    if (!isFields(plain)) throw new Refused(`A map is wanted, and not ${kindOf(plain)}.`);
    return fieldsValue(new Map([...plain.members].map(([name, member]) => [name, item(member)])), true);
  },
};

function itemsOf(value: Value): readonly Value[] {
  const plain = known(value);
  if (isList(plain)) return plain.items;
  throw new Refused(`A list is wanted, and not ${kindOf(plain)}.`);
}

/** What the type of a variable makes of its default. @throws Refused when it is a type that is not worked out */
function conversionTo(type: string): Convert {
  const [, collection = '', inner = ''] = /^\s*(list|set|map)\((.*)\)\s*$/.exec(type) ?? [];
  const of = COLLECTIONS[collection];
  const item = SIMPLE.get(inner.trim());
  if (of && item && inner.trim() !== 'any') return orNull(of(orNull(item)));
  const simple = SIMPLE.get(type.trim());
  if (simple) return orNull(simple);
  throw new Refused(`The type \`${type}\` of a variable is not worked out.`, {
    expected: 'string, number, bool, any, or a list, set or map of the first three',
  });
}

export interface Surroundings {
  readonly module: Module;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `local.t`, `var.t`: these hold an access token, and are used for nothing else. */
  readonly sealed?: ReadonlySet<string>;
}

/** Where more words of a command of Terraform may stand. */
const ARGUMENTS: readonly string[] = ['TF_CLI_ARGS', 'TF_CLI_ARGS_plan', 'TF_CLI_ARGS_apply'];

const GIVES_VALUES = /(?:^|[\s"'])--?var\b/;

function refuseOthers(name: string, { module, env }: Surroundings): void {
  const [file] = module.variableFiles;
  const given = [`TF_VAR_${name}`].filter((variable) => env[variable] !== undefined);
  const [elsewhere = file] = [...given, ...ARGUMENTS.filter((variable) => GIVES_VALUES.test(env[variable] ?? ''))];
  if (elsewhere === undefined) return;
  throw new Refused(`\`var.${name}\` may have another value than its default: Terraform would read \`${elsewhere}\`.`, {
    hint: 'Values of variables from outside are not read: write the value itself, or leave this to Terraform.',
  });
}

/** What only a run of Terraform holds a value against. */
function refuseConditions(name: string, { body }: Block): void {
  const validation = tryFindEntry(body, 'validation');
  if (!validation || isNothing(validation.node)) return;
  throw new Refused(`\`var.${name}\` has a \`validation\`: only Terraform tells whether its value is allowed.`, {
    hint: 'Take the validation out, write the value itself, or leave this to Terraform.',
  });
}

/** Terraform takes no null for a variable that is not nullable. */
function refuseNull(name: string, { body }: Block, given: Value): void {
  const nullable = tryFindEntry(body, 'nullable')?.node;
  if (given !== null || !nullable || isNothing(nullable) || toFlag(literalOfTree(nullable))) return;
  throw new Refused(`\`var.${name}\` is not nullable, and its default is null.`, { hint: 'Give it another default.' });
}

const typeOf = ({ body }: Block): string => {
  const type = tryFindEntry(body, 'type')?.node;
  if (type === undefined) return 'any';
  const text = type.kind === 'scalar' && typeof type.value === 'string' ? type.value : '';
  return text.replace(/^\$\{(.*)\}$/s, '$1');
};

/** The default of a variable, of its type; what looks like an expression in it is none. @throws Refused when it has none, or may have another value */
export function variableValue(name: string, surroundings: Surroundings): Value {
  const block = surroundings.module.variables.get(name);
  if (!block) throw new Refused(`There is no variable \`${name}\` in this module.`);
  const given = tryFindEntry(block.body, 'default');
  refuseOthers(name, surroundings);
  if (!given) {
    throw new Refused(`\`var.${name}\` has no default: only a run of Terraform is told its value.`, {
      hint: 'Give it a default, write the value itself, or leave this to Terraform.',
    });
  }
  refuseConditions(name, block);
  const value = literalOfTree(given.node);
  refuseNull(name, block, value);
  return conversionTo(typeOf(block))(value);
}
