import {
  ASSERTIONS,
  type AssertionName,
  CHECK_MODULES,
  type CheckSpec,
  type DiagnosticPath,
  moduleDiagnostics,
  type Place,
  parseDefinition,
} from '../../domain/index.ts';
import type { Report } from '../../source/index.ts';
import { isUnknown } from '../expression/value.ts';
import { describe, isNull, type JsonNode, tryFindMember } from '../json/node.ts';
import type { SimpleType } from '../keys/attributes.ts';
import { convert } from '../keys/convert.ts';
import { membersOf } from '../module/block.ts';
import type { Instance } from '../module/instance.ts';
import { attempt, evaluateNode, placed, type Resolver, resolve } from '../module/resolve.ts';
import { renderPath, reportUnknownAttribute } from '../report.ts';
import { decodeExpect } from './expect.ts';
import { nameOf } from './name.ts';
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

const META: readonly string[] = ['count', 'depends_on', 'for_each', 'lifecycle', 'provider', 'key_id', 'timeouts'];

/** Terraform JSON writes a block as an object, or as a list of one. */
const blockBody = (node: JsonNode): JsonNode => {
  const [only, ...others] = node.kind === 'list' ? node.items : [];
  return only !== undefined && others.length === 0 ? only : node;
};

type CheckAttributes = ReadonlyMap<string, JsonNode | undefined>;

/** Resolves the attributes of a check. Those that are unknown or ignored are reported and omitted. */
function attributesOf({ declared }: Instance, resolver: Resolver): CheckAttributes {
  const { report } = resolver;
  const written = membersOf(declared.body).filter(({ name, node }) => !META.includes(name) && !isNull(node));
  const attributes = new Map<string, JsonNode | undefined>();
  for (const { name, at, node } of written) {
    const hint = IGNORED.get(name);
    if (!KNOWN.includes(name)) reportUnknownAttribute({ name, at }, { known: KNOWN }, report);
    else if (hint !== undefined) {
      report.problem({
        code: 'terraform.left-out',
        severity: 'warning',
        at,
        message: `The attribute \`${name}\` of a check has no effect here.`,
        found: `\`${name}\``,
        expected: 'a check without it',
        hint,
      });
    } else {
      const resolved = resolve(name === 'expect' ? blockBody(node) : node, resolver);
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
    if (value !== undefined) input.set(attribute, value);
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
    at,
    message: `Keyplane ignores the check \`${address}\`: its key is not declared here.`,
    found: node ? describe(node) : 'no `key_id`',
    expected: '`${keyplane_api_key.NAME.id}`',
    hint: 'Refer to a key of this module, or leave the check to Terraform.',
  });
  return undefined;
}

/** Finds the part of a check at a path of its {@link CheckSpec}. */
const locator =
  (attributes: CheckAttributes, { body, at }: Instance['declared'], resolver: Resolver): TerraformCheck['locate'] =>
  ([first, second, ...rest]) => {
    const attribute = ATTRIBUTES.get(first) ?? String(first ?? 'request');
    const name = first === 'expect' && second !== undefined ? ASSERTIONS[second as AssertionName].terraform : second;
    const node = attributes.get(attribute);
    const part = tryFindMember(node, String(name))?.node ?? node;
    return {
      place: placed(part?.place ?? at, resolver),
      found: describe(part ?? body),
      attribute: renderPath([attribute, ...(name === undefined ? [] : [name]), ...rest]),
    };
  };

function reportNoModule(at: Place, report: Report): void {
  report.problem({
    code: 'manifest.missing-field',
    at,
    message: 'The check has no `module`.',
    found: 'a check without `module`',
    expected: `one of ${Object.values(CHECK_MODULES).flat().join(', ')}`,
    hint: 'Set `module` to the kind of request that the check sends.',
  });
}

function reportModuleDiagnostics({ spec, locate }: Pick<TerraformCheck, 'spec' | 'locate'>, report: Report): void {
  for (const { path, message } of moduleDiagnostics(spec)) {
    const { attribute, place: at, found } = locate(path);
    report.problem({
      code: 'manifest.invalid-check',
      at,
      message: `\`${attribute}\` ${message}.`,
      found,
      expected: `a value that \`${spec.module}\` allows`,
      hint: 'Change the attribute, or choose another module.',
    });
  }
}

/** Reads a check. Undefined when its module is unknown, which is reported, or its key is not declared here. */
export function readCheck(instance: Instance, folder: string, resolver: Resolver): TerraformCheck | undefined {
  const { report } = resolver;
  const { declared } = instance;
  const keyAddress = keyAddressOf(instance, resolver);
  if (keyAddress === undefined) return undefined;
  const attributes = attributesOf(instance, resolver);
  const { module, ...definition } = definitionOf(attributes, report);
  const { name, at, isNamed } = nameOf(instance, module, resolver);
  if (module === undefined) {
    if (!attributes.has('module')) reportNoModule(declared.at, report);
    return undefined;
  }
  const spec = { ...definition, name, module, folder, place: placed(at, resolver) };
  const locate = locator(attributes, declared, resolver);
  reportModuleDiagnostics({ spec, locate }, report);
  return { spec, isNamed, keyAddress, locate };
}
