import { looksLikeCredential, type Place, renderDecimal } from '../../domain/index.ts';
import { quoted, type Report } from '../../source/index.ts';
import { toText } from '../expression/conversion.ts';
import { evaluate, type Scope } from '../expression/evaluate.ts';
import { Unresolved } from '../expression/unresolved.ts';
import {
  isNumber,
  isObject,
  isResource,
  known,
  listValue,
  numberFrom,
  objectValue,
  sortedMembers,
  textValue,
  type Value,
} from '../expression/value.ts';
import { type JsonMember, type JsonNode, type JsonObjectNode, stringIn, valuesIn } from '../json/node.ts';

/** Resolves values of one block: what they may refer to, and the construct that wrote them. */
export interface Resolver {
  readonly scope: Scope;
  readonly construct?: string;
  readonly report: Report;
  /** The places of texts that a credential of the provider is made of, by {@link placeId}: diagnostics do not quote them. */
  readonly hidden: ReadonlySet<string>;
}

export const placeId = ({ file, line, column }: Place): string => `${file}:${line}:${column}`;

/** A resolver for one construct, which every diagnostic names. */
export const within = (base: Resolver, construct: string, scope: Scope = base.scope): Resolver => ({
  ...base,
  scope,
  construct,
  report: {
    ...base.report,
    problem: (problem) => base.report.problem({ ...problem, at: { ...problem.at, construct } }),
  },
});

export const placed = (place: Place, { construct }: Pick<Resolver, 'construct'>): Place =>
  construct === undefined ? place : { ...place, construct };

/** The value of a string, which is a template. @throws Unresolved, with the string */
function valueOfText(text: string, place: Place, scope: Scope): Value {
  try {
    return evaluate(text, scope);
  } catch (thrown) {
    if (thrown instanceof Unresolved) thrown.origin ??= { text, place };
    throw thrown;
  }
}

type TextValue = (text: string, place: Place) => Value;

function toValue(node: JsonNode, textOf: TextValue): Value {
  if (node.kind === 'list') return listValue(node.items.map((item) => toValue(item, textOf)));
  if (node.kind === 'string') return textOf(node.value, node.place);
  if (node.kind !== 'object') return node.kind === 'number' ? numberFrom(node.source) : node.value;
  const members = new Map(
    node.members.map(({ name, at, node: member }) => [toText(textOf(name, at)), toValue(member, textOf)]),
  );
  if (members.size < node.members.length) throw new Unresolved('Two names of an object have the same value.');
  return objectValue(members);
}

/** The value of a node: every string in it is a template, names of members too. @throws Unresolved */
export const evaluateNode = (node: JsonNode, scope: Scope): Value =>
  toValue(node, (text, place) => valueOfText(text, place, scope));

/** The value of a node in which Terraform evaluates nothing. @throws Unresolved */
export const literalOf = (node: JsonNode): Value => toValue(node, textValue);

type At = Pick<JsonNode, 'place' | 'range'>;

/** The node that a value would be in JSON, all of it at one place. @throws Unresolved for an unknown value */
export function nodeOf(value: Value, { place, range }: At): JsonNode {
  const at = { place, range };
  const plain = known(value);
  if (plain === null || typeof plain === 'boolean') return { kind: 'literal', value: plain, ...at };
  if (typeof plain === 'string') return { kind: 'string', value: plain, ...at };
  if (isNumber(plain)) return { kind: 'number', source: renderDecimal(plain.exact), ...at };
  if (isResource(plain)) {
    throw new Unresolved(`\`${plain.address}\` is a whole resource.`, { hint: 'Refer to one of its attributes.' });
  }
  if (!isObject(plain)) return { kind: 'list', items: plain.items.map((item) => nodeOf(item, at)), ...at };
  const members = sortedMembers(plain).map(([name, member]) => ({ name, at: place, node: nodeOf(member, at) }));
  return { kind: 'object', members, ...at };
}

const PART_OF_TOKEN = 'Keyplane cannot evaluate a value that a credential of the provider is made of.';

function reportUnresolved({ message, advice, origin }: Unresolved, at: Place, { report, hidden }: Resolver): void {
  const isHidden = origin && hidden.has(placeId(origin.place));
  const isElsewhere = origin && (origin.place.line !== at.line || origin.place.file !== at.file);
  report.problem({
    code: 'terraform.unresolved',
    at,
    message: isHidden ? PART_OF_TOKEN : message,
    found: isHidden ? 'a value that is not shown' : origin ? quoted(origin.text) : 'an expression',
    expected: advice.expected ?? 'a value that does not depend on Terraform',
    hint: advice.hint,
    ...(isElsewhere ? { related: [{ place: origin.place, message: 'the expression' }] } : {}),
  });
}

/** Does something that may throw `Unresolved`, which is reported; the result is undefined then. */
export function attempt<T>(work: () => T, at: Place, resolver: Resolver): T | undefined {
  try {
    return work();
  } catch (thrown) {
    if (!(thrown instanceof Unresolved)) throw thrown;
    reportUnresolved(thrown, at, resolver);
    return undefined;
  }
}

const holdsCredential = (node: JsonNode): boolean =>
  [...valuesIn(node)].some(([each, name]) => looksLikeCredential(name) || looksLikeCredential(stringIn(each) ?? ''));

export function reportSecret(what: string, at: Place, report: Report): void {
  report.problem({
    code: 'manifest.secret-in-manifest',
    at,
    message: `The Terraform JSON contains ${what}.`,
    found: 'a value that is not shown',
    expected: 'no secret',
    hint: 'Put the system access token into KEYPLANE_ACCESS_TOKEN; Keyplane creates API keys itself. If this one was committed, revoke it.',
  });
}

/** The node, unless it holds what looks like a credential, which is reported and hidden. */
export function withoutSecret(node: JsonNode, { place, range }: At, report: Report): JsonNode | undefined {
  if (!holdsCredential(node)) return node;
  report.hide(place.file, range);
  reportSecret('what looks like a credential', place, report);
  return undefined;
}

function resolveText(node: JsonNode, text: string, resolver: Resolver): JsonNode | undefined {
  const resolved = attempt(() => nodeOf(valueOfText(text, node.place, resolver.scope), node), node.place, resolver);
  return resolved && withoutSecret(resolved, node, resolver.report);
}

function reportRepeated({ name, at }: JsonMember, first: JsonMember, resolver: Resolver): void {
  resolver.report.problem({
    code: 'manifest.syntax',
    at,
    message: `${quoted(name)} occurs twice in one object.`,
    found: quoted(name),
    expected: 'each name once',
    hint: 'Two names have the same value: remove one of them.',
    related: [{ place: placed(first.at, resolver), message: 'first occurrence' }],
  });
}

function resolveMember({ name, at, node }: JsonMember, resolver: Resolver): JsonMember | undefined {
  const text = attempt(() => toText(valueOfText(name, at, resolver.scope)), at, resolver);
  const value = resolve(node, resolver);
  return text === undefined || !value ? undefined : { name: text, at, node: value };
}

function resolveObject(node: JsonObjectNode, resolver: Resolver): JsonNode | undefined {
  const written = node.members.filter(({ name }) => name !== '//');
  const members = new Map<string, JsonMember>();
  for (const each of written) {
    const member = resolveMember(each, resolver);
    const first = member && members.get(member.name);
    if (first) reportRepeated(member, first, resolver);
    else if (member) members.set(member.name, member);
  }
  if (members.size < written.length) return undefined;
  return { ...node, members: [...members.values()] };
}

/**
 * Resolves every expression in a node. The result is plain JSON with places, or undefined when something in it could not
 * be resolved or looks like a credential, which is reported.
 */
export function resolve(node: JsonNode, resolver: Resolver): JsonNode | undefined {
  if (node.kind === 'object') return resolveObject(node, resolver);
  if (node.kind === 'list') {
    const items = node.items.flatMap((item) => resolve(item, resolver) ?? []);
    return items.length < node.items.length ? undefined : { ...node, items };
  }
  if (node.kind === 'string') return resolveText(node, node.value, resolver);
  const isValid = node.kind !== 'number' || attempt(() => numberFrom(node.source), node.place, resolver) !== undefined;
  return isValid ? node : undefined;
}

/** A string in the resolved node; Terraform makes a string of a number or a bool, and 1.5 of 1.50. */
export function asText(node: JsonNode): JsonNode {
  if (node.kind !== 'number' && !(node.kind === 'literal' && node.value !== null)) return node;
  const { place, range } = node;
  return { kind: 'string', value: toText(literalOf(node)), place, range };
}
