import {
  type CheckSpec,
  type Expectations,
  type Json,
  kindOfModule,
  renderDecimal,
  tryParseDuration,
} from '../domain/index.ts';
import { exactNumber } from './amount.ts';
import { suggestion } from './issue.ts';
import type { DeclaredCheck } from './part.ts';
import type { Report } from './problem.ts';
import { CheckDefinition, EXPECT_FIELDS, OWN_CHECK_FIELDS } from './schema/check.ts';
import { type Entry, found, plain, quoted, type Tree, tryFindEntry } from './tree.ts';

/** A definition in normal form, with what it was written as. */
export interface DefinedCheck {
  readonly spec: CheckSpec;
  readonly node: Tree;
}

const FREE_MODULES: readonly string[] = ['count-tokens'];
const pays = (module: CheckSpec['module']): boolean =>
  kindOfModule(module) !== 'enforcement' && !FREE_MODULES.includes(module);

/** A field of ours that was misspelt or stands too high would be sent to the gateway, which would ignore it. */
function checkMisplaced({ name, at }: Entry, report: Report): boolean {
  const isExpectation = EXPECT_FIELDS.includes(name);
  const near = isExpectation ? undefined : suggestion(name, OWN_CHECK_FIELDS);
  if (!isExpectation && (near === undefined || near === name)) return false;
  report.problem({
    code: 'manifest.unknown-field',
    at,
    message: isExpectation
      ? `\`${name}\` is something to expect, and no field of a request.`
      : `There is no field ${quoted(name)} here.`,
    found: quoted(name),
    expected: isExpectation ? `\`expect: { ${name}: … }\`` : 'a field of the check or of its request',
    hint: isExpectation ? 'Move it into `expect`.' : `Did you mean \`${near}\`?`,
  });
  return true;
}

function reportMeaningless(field: string, node: Tree, { report, hint }: { report: Report; hint: string }): void {
  const at = tryFindEntry(node, field)?.node ?? node;
  report.problem({
    code: 'manifest.invalid-check',
    at: at.place,
    message: `\`${field}\` can not be so for this module.`,
    found: found(at),
    expected: 'another value, or none',
    hint,
  });
}

/** Every value in it that came from the environment or a file: no report may show it. */
function opaqueTexts(node: Tree): readonly string[] {
  if (node.kind === 'scalar') return node.opaque && typeof node.value === 'string' ? [node.value] : [];
  return node.kind === 'list'
    ? node.items.flatMap(opaqueTexts)
    : node.entries.flatMap((entry) => opaqueTexts(entry.node));
}

function expectationsOf(node: Tree | undefined): Expectations {
  if (node === undefined) return {};
  const { contains, maxCost, audio, ...rest } = plain(node) as Record<string, Json>;
  const cost = tryFindEntry(node, 'maxCost')?.node;
  const usd = cost?.kind === 'scalar' ? exactNumber(typeof maxCost === 'string' ? maxCost : cost.source) : undefined;
  return {
    ...(rest as Expectations),
    ...(contains === undefined ? {} : { contains: typeof contains === 'string' ? [contains] : (contains as string[]) }),
    ...(audio === undefined ? {} : { audio: audio === true || audio === 'true' }),
    ...(usd === undefined ? {} : { maxCost: renderDecimal(usd) }),
  };
}

function requestOf(node: Tree): Record<string, Json> {
  const fields = plain(node) as Record<string, Json>;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !OWN_CHECK_FIELDS.includes(name)));
}

/** Brings a definition to normal form; undefined when it was faulty, and reported. */
export function tryReadCheck({ name, at, node, folder }: DeclaredCheck, report: Report): DefinedCheck | undefined {
  const read = node.broken || node.kind !== 'map' ? undefined : CheckDefinition.safeParse(plain(node));
  if (!read?.success || node.kind !== 'map') return undefined;
  const foreign = node.entries.filter((entry) => !OWN_CHECK_FIELDS.includes(entry.name));
  const misplaced = foreign.map((entry) => checkMisplaced(entry, report)).some(Boolean);
  const { module, model, family, retries = 0, timeout, schedule } = read.data;
  const problem = (field: string, hint: string) => reportMeaningless(field, node, { report, hint });
  if (module === 'video' && retries > 0)
    problem('retries', 'A video is paid for once: it is never submitted again by itself.');
  if (schedule === 'free' && pays(module))
    problem('schedule', `${module} costs money: call it \`cheap\` or \`costly\`.`);
  if (misplaced) return undefined;
  const hidden = opaqueTexts(node);
  const spec: CheckSpec = {
    name,
    module,
    ...(model === undefined ? {} : { model }),
    ...(family === undefined ? {} : { family }),
    request: requestOf(node),
    expect: expectationsOf(tryFindEntry(node, 'expect')?.node),
    retries,
    ...(timeout === undefined ? {} : { timeoutMs: (tryParseDuration(timeout) ?? 0) * 1000 }),
    ...(schedule === undefined ? {} : { schedule }),
    ...(hidden.length > 0 ? { hidden } : {}),
    folder,
    place: at,
  };
  return { spec, node };
}
