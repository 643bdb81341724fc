import {
  ASSERTIONS,
  type AssertionName,
  CHECK_MODULES,
  type CheckSpec,
  type DiagnosticPath,
  looksLikeCredential,
  moduleDiagnostics,
  type Place,
  parseDefinition,
  RESERVED_CHECK_NAMES,
  renderDecimal,
} from '../../domain/index.ts';
import type { Report } from '../../source/index.ts';
import { isUnknown } from '../expression/value.ts';
import { describe, isNull, type JsonNode, stringIn, tryFindMember } from '../json/node.ts';
import type { SimpleType } from '../keys/attributes.ts';
import { convert } from '../keys/convert.ts';
import { membersOf, ownComment } from '../module/block.ts';
import type { Instance } from '../module/instance.ts';
import { attempt, evaluateNode, placed, type Resolver, reportSecret, resolve } from '../module/resolve.ts';
import { reportUnknownAttribute } from '../report.ts';
import { decodeExpect } from './expect.ts';
import { ATTRIBUTES, decodeRequest } from './request.ts';

/** A part of a check that a diagnostic is about. */
export interface CheckPart {
  readonly place: Place;
  readonly found: string;
  /** Its name in Terraform: `expect.max_latency_ms`. */
  readonly attribute: string;
}

/** A check that a module declares. */
export interface TerraformCheck {
  readonly spec: CheckSpec & { readonly place: Place };
  /** True if a person or a construct named it. Otherwise it has the name of its block. */
  readonly isNamed: boolean;
  /** The address of its key. */
  readonly keyAddress: string;
  readonly locate: (path: DiagnosticPath) => CheckPart;
}

const TYPES: Readonly<Record<string, SimpleType>> = {
  module: 'text',
  model: 'text',
  family: 'text',
  timeout: 'text',
  retries: 'number',
  costly: 'flag',
};

/** Attributes that have no effect here, and what to do instead. */
const IGNORED: ReadonlyMap<string, string> = new Map([
  ['max_cost_usd', 'Limit the cost of the whole run instead, or that of the check in `expect`.'],
  ['ledger', 'Keyplane keeps the ledger of paid tasks itself.'],
]);

const KNOWN = [...Object.keys(TYPES), 'request', 'expect', 'key_id', ...IGNORED.keys()];

const META: readonly string[] = ['count', 'depends_on', 'for_each', 'lifecycle', 'provider', 'key_id'];

type CheckAttributes = ReadonlyMap<string, JsonNode | undefined>;

/** Resolves the attributes of a check. Those that are unknown or ignored are reported and omitted. */
function attributesOf({ declared }: Instance, resolver: Resolver): CheckAttributes {
  const { report } = resolver;
  const written = membersOf(declared.body).filter(({ name, node }) => !META.includes(name) && !isNull(node));
  const attributes = new Map<string, JsonNode | undefined>();
  for (const { name, at, node } of written) {
    const [place, hint] = [placed(at, resolver), IGNORED.get(name)];
    if (!KNOWN.includes(name)) reportUnknownAttribute({ name, at: place }, { known: KNOWN }, report);
    else if (hint !== undefined) {
      report.problem({
        code: 'terraform.left-out',
        severity: 'warning',
        at: place,
        message: `The attribute \`${name}\` of a check has no effect here.`,
        found: `\`${name}\``,
        expected: 'a check without it',
        hint,
      });
    } else {
      const resolved = resolve(node, resolver);
      // Undefined where it could not be resolved, which is reported.
      if (!resolved || !isNull(resolved)) attributes.set(name, resolved);
    }
  }
  return attributes;
}

type DecodedDefinition = Omit<CheckSpec, 'name' | 'module' | 'folder' | 'place'> & Pick<Partial<CheckSpec>, 'module'>;

/** Decodes the attributes; what is invalid is reported and omitted. */
function definitionOf(attributes: CheckAttributes, report: Report): DecodedDefinition {
  const input = new Map<string, string | boolean>();
  for (const [attribute, type] of Object.entries(TYPES)) {
    const node = attributes.get(attribute);
    const value = node && convert(node, { attribute, type }, report);
    if (value !== undefined) input.set(attribute, typeof value === 'object' ? renderDecimal(value.exact) : value);
  }
  const { costly, ...parts } = Object.fromEntries(input);
  const { parsed, diagnostics } = parseDefinition(parts as Readonly<Record<string, string>>);
  for (const { code, message, path = [], expected = '' } of diagnostics) {
    const node = attributes.get(String(path[0]));
    if (!node) continue;
    const hint = 'The reference of the provider describes the attribute.';
    report.problem({ code, at: node.place, message, found: describe(node), expected, hint });
  }
  const [request, expect] = [attributes.get('request'), attributes.get('expect')];
  return {
    retries: 0,
    ...parsed,
    ...(costly === true ? { schedule: 'costly' } : {}),
    request: request ? decodeRequest(request, new Set(attributes.keys()), report) : {},
    expect: expect ? decodeExpect(expect, report) : {},
  };
}

const MODULES: readonly string[] = Object.values(CHECK_MODULES).flat();
const LONGEST_NAME = 50;

/** The name of its block: the end of a long one matters most. A name that a selection could misunderstand gets a suffix. */
function defaultName({ declared, address }: Instance, module: string | undefined): string {
  const suffix = address.slice(declared.address.length).replace(/[[\]"]/g, '');
  const name = suffix === '' ? declared.name : `${declared.name}-${suffix}`;
  const isTaken = RESERVED_CHECK_NAMES.includes(name) || (MODULES.includes(name) && module !== name);
  return isTaken ? `${name}-check` : name;
}

/** Shortens a name. A secret is reported before: a part of it is a secret too. */
function shortened(name: string, place: Place, report: Report): string {
  if (looksLikeCredential(name)) reportSecret('what looks like an API key', place, report);
  return [...name].slice(-LONGEST_NAME).join('').trim();
}

/** The address of the key that `key_id` refers to. A check of another key is ignored. */
function keyAddressOf({ declared, address }: Instance, resolver: Resolver): string | undefined {
  const node = tryFindMember(declared.body, 'key_id')?.node;
  const at = node?.place ?? declared.at;
  const result = node && attempt(() => ({ value: evaluateNode(node, resolver.scope) }), at, resolver);
  if (node && !result) return undefined;
  const value = result?.value ?? null;
  if (isUnknown(value) && value.idOf !== undefined) return value.idOf;
  resolver.report.problem({
    code: 'terraform.left-out',
    severity: 'warning',
    at: placed(at, resolver),
    message: `Keyplane ignores the check \`${address}\`: its key is not declared here.`,
    found: node ? describe(node) : 'no `key_id`',
    expected: '`${keyplane_api_key.NAME.id}`',
    hint: 'Refer to a key of this module, or leave the check to Terraform.',
  });
  return undefined;
}

/** Finds the part of a check at a path of its {@link CheckSpec}. */
const locator =
  (attributes: CheckAttributes, { body }: Instance['declared'], place: Place): TerraformCheck['locate'] =>
  ([first, second, ...rest]) => {
    const attribute = ATTRIBUTES.get(first) ?? String(first ?? 'request');
    const name = first === 'expect' && second !== undefined ? ASSERTIONS[second as AssertionName].terraform : second;
    const node = attributes.get(attribute);
    const part = tryFindMember(node, String(name))?.node ?? node;
    const path = [name, ...rest].filter((step) => step !== undefined);
    return {
      place: part?.place ?? place,
      found: describe(part ?? body),
      attribute: attribute + path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join(''),
    };
  };

function reportNoModule(at: Place, report: Report): void {
  report.problem({
    code: 'manifest.missing-field',
    at,
    message: 'The check has no `module`.',
    found: 'a check without `module`',
    expected: `one of ${MODULES.join(', ')}`,
    hint: 'Set `module` to the kind of request that the check sends.',
  });
}

/** Reads a check. Undefined when its module is unknown, which is reported, or its key is not declared here. */
export function readCheck(instance: Instance, folder: string, resolver: Resolver): TerraformCheck | undefined {
  const { report } = resolver;
  const { declared } = instance;
  const keyAddress = keyAddressOf(instance, resolver);
  if (keyAddress === undefined) return undefined;
  const attributes = attributesOf(instance, resolver);
  const { module, ...definition } = definitionOf(attributes, report);
  const place = placed(declared.at, resolver);
  const comment = ownComment(declared.body, 'name');
  const named = comment && resolve(comment, resolver);
  const ownName = stringIn(named);
  const name = ownName ?? shortened(defaultName(instance, module), place, report);
  if (module === undefined) {
    if (!attributes.has('module')) reportNoModule(place, report);
    return undefined;
  }
  const spec = { ...definition, name, module, folder, place: named?.place ?? place };
  const locate = locator(attributes, declared, place);
  for (const { path, message } of moduleDiagnostics(spec)) {
    const { attribute, place: at, found } = locate(path);
    report.problem({
      code: 'manifest.invalid-check',
      at,
      message: `\`${attribute}\` ${message}.`,
      found,
      expected: `a value that \`${module}\` allows`,
      hint: 'Change the attribute, or choose another module.',
    });
  }
  return { spec, isNamed: ownName !== undefined, keyAddress, locate };
}
