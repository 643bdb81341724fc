import { toFlag, toItems, toNumber, toObject, toSet, toText } from '../expression/conversion.ts';
import { Unresolved } from '../expression/unresolved.ts';
import { listValue, objectValue, type Value } from '../expression/value.ts';
import { isNull, stringIn, tryFindMember } from '../json/node.ts';
import type { Block } from './block.ts';
import type { Module } from './module.ts';
import { literalOf } from './resolve.ts';

const SIMPLE: ReadonlyMap<string, (value: Value) => Value> = new Map<string, (value: Value) => Value>([
  ['string', toText],
  ['number', toNumber],
  ['bool', toFlag],
]);

const COLLECTION = /^(list|set|map)\(\s*(string|number|bool)\s*\)$/;

/** Converts the default of a variable to its type. @throws Unresolved for other types */
function convertTo(type: string, value: Value): Value {
  if (value === null || type === 'any') return value;
  const [, collection, inner = ''] = COLLECTION.exec(type) ?? [];
  if (collection === 'map') {
    const members = [...toObject(value).members];
    return objectValue(new Map(members.map(([name, member]) => [name, convertTo(inner, member)])));
  }
  if (collection !== undefined) {
    const items = toItems(value).items.map((item) => convertTo(inner, item));
    return collection === 'set' ? toSet(listValue(items, 'list')) : listValue(items, 'list');
  }
  const convert = SIMPLE.get(type);
  if (convert) return convert(value);
  throw new Unresolved(`Keyplane does not evaluate variables of the type \`${type}\`.`, {
    expected: 'string, number, bool, any, or a list, set or map of the first three',
  });
}

/** Variables of the environment in which Terraform finds more arguments. */
const ARGUMENTS: readonly string[] = ['TF_CLI_ARGS', 'TF_CLI_ARGS_plan', 'TF_CLI_ARGS_apply'];

const SETS_VARIABLES = /(?:^|[\s"'])--?var\b/;

export type Env = Readonly<Record<string, string | undefined>>;

function refuseOtherSources(name: string, { variableFiles: [file] }: Module, env: Env): void {
  const own = [`TF_VAR_${name}`].filter((variable) => env[variable] !== undefined);
  const [source = file] = [...own, ...ARGUMENTS.filter((variable) => SETS_VARIABLES.test(env[variable] ?? ''))];
  if (source === undefined) return;
  throw new Unresolved(`\`var.${name}\` may differ from its default: Terraform would read \`${source}\`.`, {
    hint: 'Keyplane reads defaults only: write the value itself, or leave this to Terraform.',
  });
}

const typeOf = ({ body }: Block): string => {
  const type = tryFindMember(body, 'type')?.node;
  const text = (stringIn(type) ?? '').trim();
  return type === undefined ? 'any' : text.replace(/^\$\{(.*)\}$/s, '$1').trim();
};

function refuseRules(name: string, { body }: Block, value: Value): void {
  const [validation, nullable] = ['validation', 'nullable'].map((rule) => tryFindMember(body, rule)?.node);
  if (validation && !isNull(validation)) {
    throw new Unresolved(`Keyplane does not evaluate the \`validation\` of \`var.${name}\`.`, {
      hint: 'Remove the validation, write the value itself, or leave this to Terraform.',
    });
  }
  if (value === null && nullable && !isNull(nullable) && !toFlag(literalOf(nullable))) {
    throw new Unresolved(`\`var.${name}\` must not be null, but its default is.`, { hint: 'Give it another default.' });
  }
}

/** The default of a variable, converted to its type. Strings in it are not templates. @throws Unresolved */
export function variableValue(name: string, module: Module, env: Env): Value {
  const block = module.variables.get(name);
  if (!block) throw new Unresolved(`The module does not declare the variable \`${name}\`.`);
  refuseOtherSources(name, module, env);
  const given = tryFindMember(block.body, 'default');
  if (!given) {
    throw new Unresolved(`\`var.${name}\` has no default: its value is known to Terraform only.`, {
      hint: 'Give it a default, write the value itself, or leave this to Terraform.',
    });
  }
  const value = literalOf(given.node);
  refuseRules(name, block, value);
  return convertTo(typeOf(block), value);
}
