import { ASSERTIONS, type CheckSpec, DEFINITION_PARTS, MISPLACED_ASSERTIONS } from '../../domain/index.ts';
import { quoted, type Report, type SourceDiagnostic, suggestion } from '../../source/index.ts';
import type { JsonNode } from '../json/node.ts';
import { jsonObjectOf, membersAsJson } from './expect.ts';

/** Parts of a check whose attributes have other names. */
export const ATTRIBUTES: ReadonlyMap<unknown, string> = new Map([
  ['timeoutMs', 'timeout'],
  ['schedule', 'costly'],
]);

/** Fields of a check in a manifest: a request could not have them there. */
const MANIFEST_FIELDS: readonly string[] = [...DEFINITION_PARTS, 'expect', 'schedule'];

type Trouble = Pick<SourceDiagnostic, 'code' | 'message' | 'expected' | 'hint'>;

const manifestField = (name: string): Trouble => ({
  code: 'terraform.not-supported',
  message: `The \`request\` of a check cannot have the field \`${name}\`: a manifest could not hold it.`,
  expected: 'a request without it',
  hint: 'Use the attribute of the check instead, or leave this check to Terraform.',
});

const misplacedAssertion = (name: string, attribute: string): Trouble => ({
  code: 'manifest.unknown-field',
  message: `\`${name}\` is an assertion, not a field of a request.`,
  expected: `\`expect { ${attribute} = … }\``,
  hint: name === attribute ? 'Move it into `expect`.' : `Move it into \`expect\` as \`${attribute}\`.`,
});

const misspeltAttribute = (name: string, attribute: string): Trouble => ({
  code: 'manifest.unknown-field',
  message: `There is no field ${quoted(name)} here.`,
  expected: 'an attribute of the check, or a field of its request',
  hint: `Did you mean the attribute \`${attribute}\` of the check?`,
});

/** Explains why a field belongs to the check itself: the gateway would ignore it. */
function troubleOf(name: string, written: ReadonlySet<string>): Trouble | undefined {
  if (MANIFEST_FIELDS.includes(name)) return manifestField(name);
  const assertions = MISPLACED_ASSERTIONS.map((each) => [each, ASSERTIONS[each].terraform] as const);
  const [, assertion] = assertions.find((names) => names.some((each) => each === name)) ?? [];
  if (assertion !== undefined) return misplacedAssertion(name, assertion);
  // If the correctly spelt attribute is present, this is another field.
  const near = suggestion(
    name,
    MANIFEST_FIELDS.filter((field) => !written.has(ATTRIBUTES.get(field) ?? field)),
  );
  return near === undefined ? undefined : misspeltAttribute(name, ATTRIBUTES.get(near) ?? near);
}

/** Decodes `request`; a field that is not one of a request is reported. @param written the attributes of the check */
export function decodeRequest(node: JsonNode, written: ReadonlySet<string>, report: Report): CheckSpec['request'] {
  const members = jsonObjectOf(node, { attribute: 'request', report })?.members ?? [];
  for (const { name, at } of members) {
    const trouble = troubleOf(name, written);
    if (trouble) report.problem({ ...trouble, at, found: quoted(name) });
  }
  return membersAsJson(members);
}
