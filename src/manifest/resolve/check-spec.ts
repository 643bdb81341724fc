import { type CheckSpec, type Json, MISPLACED_ASSERTIONS, moduleDiagnostics } from '../../domain/index.ts';
import { quoted, type Report, suggestion } from '../../source/index.ts';
import type { TerraformCheck } from '../../tfjson/index.ts';
import { OWN_CHECK_FIELDS } from '../schema/check.ts';
import type { CheckFields, DeclaredCheck } from '../validate/declared-checks.ts';
import { describeNode, type Entry, type MapNode, plain, tryFindEntry, type YamlNode } from '../yaml/node.ts';

/** A check in normal form, with the node that defines it. */
export interface DefinedCheck {
  readonly spec: CheckSpec;
  readonly node: YamlNode;
  /** Locates a part of a check that Terraform JSON declares. */
  readonly locate?: TerraformCheck['locate'];
}

/** Reports a misspelt field of the check, or a misplaced assertion: the gateway would ignore both. */
function checkMisplaced({ name, at }: Entry, node: MapNode, report: Report): boolean {
  const isAssertion = MISPLACED_ASSERTIONS.some((assertion) => assertion === name);
  // If the correctly spelt field is present, this is another field.
  const open = OWN_CHECK_FIELDS.filter((field) => !tryFindEntry(node, field));
  const near = isAssertion ? undefined : suggestion(name, open);
  if (!isAssertion && (near === undefined || near === name)) return false;
  report.problem({
    code: 'manifest.unknown-field',
    at,
    message: isAssertion
      ? `\`${name}\` is an assertion, not a field of a request.`
      : `There is no field ${quoted(name)} here.`,
    found: quoted(name),
    expected: isAssertion ? `\`expect: { ${name}: … }\`` : 'a field of the check or of its request',
    hint: isAssertion ? 'Move it into `expect`.' : `Did you mean \`${near}\`?`,
  });
  return true;
}

/** The fields that every report shows. A value from the environment is not secret there. */
const PUBLIC_FIELDS = OWN_CHECK_FIELDS.filter((field) => field !== 'expect');

/** Returns every string that came from the environment or a file: no report may show it. */
function referencedTexts(node: YamlNode): readonly string[] {
  if (node.kind === 'scalar') return node.isReferenced && typeof node.value === 'string' ? [node.value] : [];
  return node.kind === 'list'
    ? node.items.flatMap(referencedTexts)
    : node.entries.flatMap((entry) => referencedTexts(entry.node));
}

function requestOf(node: YamlNode): Record<string, Json> {
  const fields = plain(node) as Record<string, Json>;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !OWN_CHECK_FIELDS.includes(name)));
}

/** Reports fields that are valid in general, but not for this module. */
function checkModule({ module, ...fields }: CheckFields, node: MapNode, report: Report): void {
  if (module === undefined) return;
  for (const { path, message } of moduleDiagnostics({ ...fields, module })) {
    const [field] = path;
    const at = tryFindEntry(node, String(field))?.node ?? node;
    report.problem({
      code: 'manifest.invalid-check',
      at: at.place,
      message: `\`${field}\` ${message}.`,
      found: describeNode(at),
      expected: `a value that the module ${module} supports`,
      hint: 'Change the field, or choose another module.',
    });
  }
}

function hiddenOf(node: MapNode): readonly string[] {
  const entries = node.entries.filter(({ name }) => !PUBLIC_FIELDS.includes(name));
  return entries.flatMap((entry) => referencedTexts(entry.node));
}

function specOf(declared: DeclaredCheck, module: CheckSpec['module'], node: MapNode): CheckSpec {
  const { model, family, expect = {}, retries = 0, timeout, schedule } = declared.fields;
  const hidden = hiddenOf(node);
  return {
    name: declared.name,
    module,
    ...(model === undefined ? {} : { model }),
    ...(family === undefined ? {} : { family }),
    request: requestOf(node),
    expect,
    retries,
    ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
    ...(schedule === undefined ? {} : { schedule }),
    ...(hidden.length > 0 ? { hidden } : {}),
    folder: declared.folder,
    place: declared.at,
  };
}

/** Brings a definition to normal form; undefined when it is invalid, which is reported. */
export function tryReadCheck(declared: DeclaredCheck, report: Report): DefinedCheck | undefined {
  const { node, fields, isValid, terraform } = declared;
  if (terraform) return { spec: terraform.spec, node, locate: terraform.locate };
  if (node.broken || node.kind !== 'map') return undefined;
  const foreign = node.entries.filter((entry) => !OWN_CHECK_FIELDS.includes(entry.name));
  const misplaced = foreign.map((entry) => checkMisplaced(entry, node, report)).some(Boolean);
  checkModule(fields, node, report);
  if (misplaced || !isValid || fields.module === undefined) return undefined;
  return { spec: specOf(declared, fields.module, node), node };
}
