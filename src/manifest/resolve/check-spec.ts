import { type CheckSpec, type Json, kindOfModule } from '../../domain/index.ts';
import { quoted, type Report, suggestion } from '../../source/index.ts';
import { MISPLACED_ASSERTIONS, OWN_CHECK_FIELDS } from '../schema/check.ts';
import type { CheckFields, DeclaredCheck } from '../validate/part.ts';
import { type Entry, type Fields, found, plain, type Tree, tryFindEntry } from '../yaml/tree.ts';

/** A check in normal form, with the node that defines it. */
export interface DefinedCheck {
  readonly spec: CheckSpec;
  readonly node: Tree;
}

/** The modules that send no request to a model. */
const MODULES_WITHOUT_MODEL: readonly string[] = ['model-list', 'forbidden-address', 'disabled-key', 'expired-key'];

const FREE_MODULES: readonly string[] = ['count-tokens'];
const pays = (module: CheckSpec['module']): boolean =>
  kindOfModule(module) !== 'enforcement' && !FREE_MODULES.includes(module);

/** Reports a misspelt field of the check, or a misplaced assertion: the gateway would ignore both. */
function checkMisplaced({ name, at }: Entry, node: Fields, report: Report): boolean {
  const isAssertion = MISPLACED_ASSERTIONS.includes(name);
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

function reportIncompatible(field: string, node: Tree, { report, hint }: { report: Report; hint: string }): void {
  const at = tryFindEntry(node, field)?.node ?? node;
  report.problem({
    code: 'manifest.invalid-check',
    at: at.place,
    message: `This module does not support the value of \`${field}\`.`,
    found: found(at),
    expected: 'another value, or no value',
    hint,
  });
}

/** The fields that every report shows. A value from the environment is not secret there. */
const PUBLIC_FIELDS = OWN_CHECK_FIELDS.filter((field) => field !== 'expect');

/** Returns every string that came from the environment or a file: no report may show it. */
function referencedTexts(node: Tree): readonly string[] {
  if (node.kind === 'scalar') return node.opaque && typeof node.value === 'string' ? [node.value] : [];
  return node.kind === 'list'
    ? node.items.flatMap(referencedTexts)
    : node.entries.flatMap((entry) => referencedTexts(entry.node));
}

function requestOf(node: Tree): Record<string, Json> {
  const fields = plain(node) as Record<string, Json>;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !OWN_CHECK_FIELDS.includes(name)));
}

/** Reports fields that are valid in general, but not for this module. */
function checkMeaning({ module, schedule, model, retries = 0 }: CheckFields, node: Fields, report: Report): void {
  if (module === undefined) return;
  const problem = (field: string, hint: string) => reportIncompatible(field, node, { report, hint });
  if (module === 'video' && retries > 0)
    problem('retries', 'Every attempt at a video costs money, so Keyplane never retries one. Remove `retries`.');
  if (schedule === 'free' && pays(module)) problem('schedule', `${module} costs money: use \`cheap\` or \`costly\`.`);
  if (model !== undefined && MODULES_WITHOUT_MODEL.includes(module))
    problem('model', `${module} does not call a model. Remove \`model\`.`);
}

function hiddenOf(node: Fields): readonly string[] {
  const entries = node.entries.filter(({ name }) => !PUBLIC_FIELDS.includes(name));
  return entries.flatMap((entry) => referencedTexts(entry.node));
}

function specOf(declared: DeclaredCheck, module: CheckSpec['module'], node: Fields): CheckSpec {
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
  const { node, fields, isValid } = declared;
  if (node.broken || node.kind !== 'map') return undefined;
  const foreign = node.entries.filter((entry) => !OWN_CHECK_FIELDS.includes(entry.name));
  const misplaced = foreign.map((entry) => checkMisplaced(entry, node, report)).some(Boolean);
  checkMeaning(fields, node, report);
  if (misplaced || !isValid || fields.module === undefined) return undefined;
  return { spec: specOf(declared, fields.module, node), node };
}
