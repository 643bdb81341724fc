import type * as z from 'zod';
import { ASSERTIONS, type AssertionName } from '../../domain/index.ts';
import type { Report } from '../../source/index.ts';
import type { TerraformCheck } from '../../tfjson/index.ts';
import { checkDefinition, OWN_CHECK_FIELDS } from '../schema/check.ts';
import { type Entry, exactData, plain, tryFindEntry, type YamlNode } from '../yaml/node.ts';
import { asMap } from './fields.ts';
import { reportIssues } from './issues.ts';

/** The definition of a check, with the folder of its file. */
export interface DeclaredCheck extends Entry {
  readonly folder: string;
  /** The valid fields of the check itself. */
  readonly fields: CheckFields;
  /** Are all fields valid, and none missing? */
  readonly isValid: boolean;
  /** The check in normal form, if Terraform JSON declares it. */
  readonly terraform?: TerraformCheck;
}

export type CheckFields = Partial<z.output<ReturnType<typeof checkDefinition>>>;

interface ChecksContext {
  readonly folder: string;
  readonly report: Report;
}

const isJsonSchema = (name: string): boolean => ASSERTIONS[name as AssertionName]?.kind === 'jsonSchema';

/** A definition as plain data; assertions keep all digits of their numbers. */
function checkData(node: YamlNode): unknown {
  const expect = tryFindEntry(node, 'expect')?.node;
  if (expect?.kind !== 'map') return plain(node);
  const assertions = expect.entries.map(({ name, node: value }) => [
    name,
    isJsonSchema(name) ? plain(value) : exactData(value),
  ]);
  return { ...(plain(node) as object), expect: Object.fromEntries(assertions) };
}

/** Keeps the fields that are valid on their own, so that one invalid field does not hide what else is wrong. */
function validFields(data: unknown): CheckFields {
  const shape: Readonly<Record<string, z.ZodType>> = checkDefinition().shape;
  const own = Object.entries(data ?? {}).filter(([name]) => OWN_CHECK_FIELDS.includes(name));
  return Object.fromEntries(
    own.flatMap(([name, value]) => {
      const parsed = shape[name]?.safeParse(value);
      return parsed?.success ? [[name, parsed.data]] : [];
    }),
  );
}

function readCheck(entry: Entry, { folder, report }: ChecksContext): DeclaredCheck {
  const { name, node } = entry;
  if (node.broken) return { ...entry, folder, fields: {}, isValid: false };
  const data = checkData(node);
  const parsed = checkDefinition().safeParse(data);
  if (parsed.success) return { ...entry, folder, fields: parsed.data, isValid: true };
  reportIssues(parsed.error.issues, { schema: checkDefinition(), node, field: name }, report);
  return { ...entry, folder, fields: validFields(data), isValid: false };
}

const DEFINE_CHECKS =
  'Define each check here by a name, like `ping: { module: chat }`. The `checks` of a key select them.';

/** Validates the definitions of checks. */
export function readChecks(node: YamlNode, reading: ChecksContext): readonly DeclaredCheck[] {
  const advice = node.kind === 'map' ? undefined : DEFINE_CHECKS;
  const entries = asMap(node, { report: reading.report, expects: 'map' }, 'checks', advice)?.entries ?? [];
  return entries.map((entry) => readCheck(entry, reading));
}
