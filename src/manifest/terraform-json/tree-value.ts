import { type Place, renderDecimal } from '../../domain/index.ts';
import type { Tree } from '../yaml/tree.ts';
import { toText } from './conversion.ts';
import { evaluate, type Scope } from './evaluate.ts';
import { parseTemplate } from './parse.ts';
import { Refused } from './refused.ts';
import {
  fieldsValue,
  isFields,
  isInstance,
  isNumber,
  known,
  listValue,
  numberFrom,
  sortedMembers,
  textValue,
  type Value,
} from './value.ts';

/** What a text of Terraform JSON comes to. @throws Refused, which tells the text */
export function valueOfText(text: string, place: Place, scope: Scope): Value {
  try {
    return evaluate(parseTemplate(text), scope);
  } catch (thrown) {
    if (thrown instanceof Refused) thrown.origin ??= { text, place };
    throw thrown;
  }
}

/** What a part of Terraform JSON comes to: every text in it is a template, names of members too. @throws Refused */
export function valueOfTree(node: Tree, scope: Scope): Value {
  if (node.kind === 'list') return listValue(node.items.map((item) => valueOfTree(item, scope)));
  if (node.kind === 'map') {
    const members = node.entries.map(
      ({ name, at, node: member }) => [toText(valueOfText(name, at, scope)), valueOfTree(member, scope)] as const,
    );
    const names = new Map(members);
    if (names.size < members.length) throw new Refused('Two names of an object come to the same text.');
    return fieldsValue(names);
  }
  if (typeof node.value === 'string') return valueOfText(node.value, node.place, scope);
  return typeof node.value === 'number' ? numberFrom(node.source) : node.value;
}

/** What stands there letter by letter, where Terraform works nothing out either. @throws Refused */
export function literalOfTree(node: Tree): Value {
  if (node.kind === 'list') return listValue(node.items.map(literalOfTree));
  if (node.kind === 'map') {
    return fieldsValue(new Map(node.entries.map(({ name, node: member }) => [textValue(name), literalOfTree(member)])));
  }
  if (typeof node.value === 'string') return textValue(node.value);
  return typeof node.value === 'number' ? numberFrom(node.source) : node.value;
}

/** The value as a tree, all of which stands in one place. @throws Refused when only Terraform knows a part of it */
export function treeOfValue(value: Value, place: Place, range: Tree['range']): Tree {
  const plain = known(value);
  const base = { place, range, broken: false } as const;
  const inner = (each: Value): Tree => treeOfValue(each, place, range);
  if (plain === null || typeof plain !== 'object') {
    return { ...base, kind: 'scalar', value: plain, source: String(plain), opaque: false, size: 1 };
  }
  if (isNumber(plain)) {
    const source = renderDecimal(plain.exact);
    return { ...base, kind: 'scalar', value: Number(source), source, opaque: false, size: 1 };
  }
  if (isInstance(plain)) {
    throw new Refused(`\`${plain.address}\` stands for a whole resource.`, { hint: 'Name one attribute of it.' });
  }
  if (!isFields(plain)) return { ...base, kind: 'list', items: plain.items.map(inner), size: plain.size };
  const entries = sortedMembers(plain).map(([name, member]) => ({ name, at: place, node: inner(member) }));
  return { ...base, kind: 'map', entries, size: plain.size };
}
