import {
  ASSERTION_KINDS,
  ASSERTIONS,
  type AssertionKind,
  type AssertionName,
  type Assertions,
  type Json,
  readAssertions,
  tryFindTerraformAssertion,
} from '../../domain/index.ts';
import type { Report } from '../../source/index.ts';
import { describe, isNull, type JsonMember, type JsonNode, type JsonObjectNode } from '../json/node.ts';
import { tryReadJson } from '../json/reader.ts';
import type { SimpleType } from '../keys/attributes.ts';
import { convert, convertTexts } from '../keys/convert.ts';
import { reportNotJson } from '../keys/decode.ts';
import { withoutSecret } from '../module/resolve.ts';
import { reportType, reportUnknownAttribute } from '../report.ts';

/** The attribute that is being decoded. */
interface Decoding {
  readonly attribute: string;
  readonly report: Report;
}

/** Plain data; a number becomes the nearest that JavaScript has. */
function plain(node: JsonNode): Json {
  if (node.kind === 'list') return node.items.map(plain);
  if (node.kind === 'object')
    return Object.fromEntries(node.members.map(({ name, node: value }) => [name, plain(value)]));
  return node.kind === 'number' ? Number(node.source) : node.value;
}

/** Reads an object from a string of JSON. Undefined when it is not one or holds a secret, which is reported. */
export function jsonObjectOf(node: JsonNode, { attribute, report }: Decoding): JsonObjectNode | undefined {
  const json = node.kind === 'string' ? tryReadJson(node.value, node.place) : undefined;
  if (json?.kind !== 'object') reportNotJson(node, { attribute, expected: 'a string of a JSON object' }, report);
  // Behind an escape of its own, a secret shows only here.
  else if (withoutSecret(json, node, report)) return json;
  return undefined;
}

export const membersAsJson = (members: readonly JsonMember[]): Readonly<Record<string, Json>> =>
  Object.fromEntries(members.map(({ name, node }) => [name, plain(node)]));

const converted =
  (type: SimpleType) =>
  (node: JsonNode, { attribute, report }: Decoding): unknown =>
    convert(node, { attribute, type }, report);

const schemaOf = (node: JsonNode, decoding: Decoding): unknown => {
  const json = jsonObjectOf(node, decoding);
  return json && membersAsJson(json.members);
};

/** Decodes an assertion of each kind. Undefined: another type, and reported. */
const DECODERS: Readonly<Record<AssertionKind, (node: JsonNode, decoding: Decoding) => unknown>> = {
  text: converted('text'),
  pattern: converted('text'),
  mediaFormat: converted('text'),
  texts: (node, { attribute, report }) => convertTexts(node, { attribute }, report),
  jsonSchema: schemaOf,
  flag: converted('flag'),
  count: converted('number'),
  seconds: converted('number'),
  usd: converted('number'),
};

const KNOWN: readonly string[] = Object.values(ASSERTIONS).map(({ terraform }) => terraform);

/** Every answer satisfies an assertion of nothing. */
const isEmpty = (value: unknown): boolean =>
  value === '' || (Array.isArray(value) && (value.length === 0 || value.includes('')));

function assertionOf({ name, at, node }: JsonMember, report: Report): readonly [AssertionName, unknown] | undefined {
  const assertion = tryFindTerraformAssertion(name);
  if (assertion === undefined) {
    reportUnknownAttribute({ name, at }, { known: KNOWN }, report);
    return undefined;
  }
  const attribute = `expect.${name}`;
  const { kind } = ASSERTIONS[assertion];
  const value = DECODERS[kind](node, { attribute, report });
  const isValid = !isEmpty(value) && ASSERTION_KINDS[kind].parse(value) !== undefined;
  if (value === undefined || isValid) return [assertion, value];
  report.problem({
    code: 'manifest.invalid-value',
    at: node.place,
    message: `Invalid value for \`${attribute}\`.`,
    found: describe(node),
    expected: ASSERTION_KINDS[kind].expected,
    hint: ASSERTIONS[assertion].doc,
  });
  return undefined;
}

/** Decodes `expect`; what is invalid is reported and omitted. */
export function decodeExpect(node: JsonNode, report: Report): Assertions {
  if (node.kind !== 'object') {
    reportType(node, 'expect', 'an object', report);
    return {};
  }
  const given = node.members.filter((member) => !isNull(member.node));
  return readAssertions(given.map((member) => assertionOf(member, report)).filter((pair) => pair !== undefined));
}
