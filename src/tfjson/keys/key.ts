import { type DesiredKey, type KeyName, nameProblem, type Place, type UnixSeconds } from '../../domain/index.ts';
import { describe, isNull, type JsonMember, type JsonNode, stringIn, tryFindMember } from '../json/node.ts';
import { membersOf, ownComment } from '../module/block.ts';
import type { ImportedKey } from '../module/imports.ts';
import type { Instance } from '../module/instance.ts';
import { asText, placed, type Resolver, resolve } from '../module/resolve.ts';
import { reportUnknownAttribute } from '../report.ts';
import { COMPUTED_ATTRIBUTES, ROWS } from './attributes.ts';
import { decode } from './decode.ts';
import { rotationIn } from './rotation.ts';

/** Arguments that Terraform accepts in the block of any resource, and the name, which is read apart. */
const OTHER_ATTRIBUTES: readonly string[] = [
  'name',
  'count',
  'depends_on',
  'for_each',
  'lifecycle',
  'provider',
  'provisioner',
  'connection',
  'timeouts',
  'name_prefix',
  'rotation',
];

/** Attributes that only Terraform acts on, and what to do instead. */
const LEFT_TO_TERRAFORM: ReadonlyMap<string, string> = new Map([
  ['rotate_when_changed', 'Keyplane does not replace the key when a value changes.'],
  ['on_destroy', 'What becomes of a key that is no longer declared is set for all keys of a manifest.'],
]);

/** A number of the CDK that represents a value: inside a string, Terraform cannot replace it any more. */
const NUMBER_TOKEN = /-?\d\.\d{6,}e\+\d{2,}/;

function reportName(message: string, node: JsonNode, { at, resolver }: { at: Place; resolver: Resolver }): void {
  resolver.report.problem({
    code: 'manifest.invalid-name',
    at,
    message,
    found: describe(node),
    expected: 'a string of 1 to 50 characters and at most 50 UTF-8 bytes',
    hint: 'Change the name. Characters outside ASCII take several bytes.',
  });
}

function reportNumberToken(node: JsonNode, { report }: Resolver): void {
  report.problem({
    code: 'terraform.unresolved',
    at: node.place,
    message: 'The string contains a number token of the CDK, converted to a string before its value was known.',
    found: describe(node),
    expected: 'the token as a string',
    hint: 'Wrap the number in `Token.asString(…)` where the construct inserts it into a string.',
  });
}

function reportLeftOut({ name, at, node }: JsonMember, hint: string, { report }: Resolver): void {
  report.problem({
    code: 'terraform.left-out',
    severity: 'warning',
    at,
    message: `The attribute \`${name}\` of a key has no effect here.`,
    found: describe(node),
    expected: 'a key without it',
    hint,
  });
}

function reportGeneratedName({ at, node }: JsonMember, { report }: Resolver): void {
  report.problem({
    code: 'terraform.not-supported',
    at,
    message: 'The name of the key is generated from `name_prefix`, and only Terraform knows it.',
    found: describe(node),
    expected: '`name`: a string of 1 to 50 characters',
    hint: 'Set `name`, or leave this key to Terraform.',
  });
}

function reportNoName(node: JsonNode, at: Place, { report }: Resolver): void {
  report.problem({
    code: 'manifest.missing-field',
    at,
    message: 'The key has no `name`.',
    found: describe(node),
    expected: '`name`: a string of 1 to 50 characters',
    hint: 'Give every key a name of its own.',
  });
}

/** The name of the key; undefined, and reported, when it is missing or invalid. */
function nameOf({ declared: { body, at } }: Instance, resolver: Resolver): JsonNode | undefined {
  const written = tryFindMember(body, 'name')?.node;
  const resolved = written && resolve(written, resolver);
  if (written && !resolved) return undefined;
  const node = resolved && asText(resolved);
  const name = stringIn(node);
  const prefix = tryFindMember(body, 'name_prefix');
  if ((!node || isNull(node)) && prefix && !isNull(prefix.node)) {
    reportGeneratedName(prefix, resolver);
    return undefined;
  }
  if (!node || name === undefined) {
    reportNoName(node ?? body, node?.place ?? at, resolver);
    return undefined;
  }
  if (NUMBER_TOKEN.test(name)) {
    reportNumberToken(node, resolver);
    return undefined;
  }
  return validName(node, 'The name of the key is invalid', resolver);
}

function validName(node: JsonNode, what: string, resolver: Resolver): JsonNode | undefined {
  const problem = nameProblem(stringIn(node) ?? '');
  if (problem === undefined) return node;
  reportName(`${what}: ${problem}.`, node, { at: node.place, resolver });
  return undefined;
}

/** The former name of the key. Refuses an import and a construct that differ. */
function formerNameOf({ instance, name, importedAs }: KeyNaming, resolver: Resolver): JsonNode | undefined {
  const isName = (node: JsonNode): boolean => stringIn(node) === stringIn(name);
  const comment = ownComment(instance.declared.body, 'renamedFrom');
  const resolved = comment && resolve(comment, resolver);
  const former = resolved && asText(resolved);
  const imported = importedAs && 'name' in importedAs ? importedAs.name : undefined;
  const isById = importedAs !== undefined && imported === undefined;
  const isOther = imported !== undefined && !isName(imported) && stringIn(imported) !== stringIn(former);
  if (former && importedAs && (isById || isOther)) {
    resolver.report.problem({
      code: 'terraform.not-supported',
      at: former.place,
      message: isById
        ? 'A key that is imported by its ID keeps its name, and the construct gives it a former one.'
        : 'The construct and an import give the key different former names.',
      found: describe(former),
      expected: isById ? 'an import, or a former name' : 'one former name',
      hint: 'Keep the name that the key has at the gateway.',
      related: [{ place: importedAs.place, message: 'the import' }],
    });
  }
  const from = former ?? imported;
  return from && !isName(from) ? validName(from, 'The former name of the key is invalid', resolver) : undefined;
}

interface KeyNaming {
  readonly instance: Instance;
  readonly name: JsonNode;
  readonly importedAs: ImportedKey | undefined;
}

/** One attribute as a field of the key; nothing where it is null, or invalid and reported. */
function fieldOf({ name, at, node }: JsonMember, resolver: Resolver, now: UnixSeconds): readonly [string, unknown][] {
  const [field, row] = ROWS.get(name) ?? [];
  const hint = LEFT_TO_TERRAFORM.get(name);
  if (hint !== undefined) {
    reportLeftOut({ name, at, node }, hint, resolver);
    return [];
  }
  if (!field || !row) {
    const more = COMPUTED_ATTRIBUTES.includes(name) ? { hint: 'Remove it: only the gateway sets it.' } : {};
    const known = ['name', ...ROWS.keys()];
    reportUnknownAttribute({ name, at }, { known, ...more }, resolver.report);
    return [];
  }
  const resolved = resolve(node, resolver);
  if (!resolved || isNull(resolved)) return [];
  const value = decode(resolved, { row, now }, resolver);
  return value === undefined ? [] : [[field, value]];
}

/** The rotation of the key. One that is imported by its ID has none: its successor would have another ID. */
function rotationOf({ declared: { body } }: Instance, importedAs: ImportedKey | undefined, resolver: Resolver) {
  const rotate = rotationIn(body, resolver);
  const member = rotate && importedAs && 'id' in importedAs ? tryFindMember(body, 'rotation') : undefined;
  if (!member) return rotate;
  reportLeftOut(member, 'Import the key by its name: the successor of a key has another ID.', resolver);
  return undefined;
}

/** A key that a module declares. */
export interface TerraformKey {
  readonly key: DesiredKey & { readonly place: Place };
  /** The place of the former name, if there is one. */
  readonly renamedFrom?: Place;
}

/** Reads a key. Undefined when its name is unknown; whatever is invalid is reported. */
export function readKey(
  instance: Instance,
  { importedAs, now }: { readonly importedAs: ImportedKey | undefined; readonly now: UnixSeconds },
  resolver: Resolver,
): TerraformKey | undefined {
  const attributes = membersOf(instance.declared.body).filter((member) => !OTHER_ATTRIBUTES.includes(member.name));
  const fields = attributes.flatMap((member) => fieldOf(member, resolver, now));
  const name = nameOf(instance, resolver);
  if (!name) return undefined;
  const renamedFrom = formerNameOf({ instance, name, importedAs }, resolver);
  const rotate = rotationOf(instance, importedAs, resolver);
  return {
    key: {
      ...Object.fromEntries(fields),
      name: stringIn(name) as KeyName,
      ...(rotate ? { rotate } : {}),
      ...(importedAs && 'id' in importedAs ? { id: importedAs.id } : {}),
      ...(renamedFrom ? { renamedFrom: stringIn(renamedFrom) as KeyName } : {}),
      place: placed(name.place, resolver),
    },
    ...(renamedFrom ? { renamedFrom: placed(renamedFrom.place, resolver) } : {}),
  };
}
