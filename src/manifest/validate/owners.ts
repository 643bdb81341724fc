import type * as z from 'zod';
import { METADATA_TEXT } from '../../domain/index.ts';
import { quoted, type Report } from '../../source/index.ts';
import { FIELD_MESSAGES } from '../schema/field-messages.ts';
import { ownerSchema } from '../schema/metadata.ts';
import { exactData, type YamlNode } from '../yaml/node.ts';
import { asMap, type Validated } from './fields.ts';
import { reportIssues } from './issues.ts';

/** The valid owners of a document, in its order. */
export type DeclaredOwners = Readonly<Record<string, Validated<z.output<ReturnType<typeof ownerSchema>>>>>;

/** Reads the owners of a document. Invalid ones are reported and omitted. */
export function readOwners(node: YamlNode, report: Report): DeclaredOwners {
  const map = asMap(node, { report, expects: 'owners' }, 'owners');
  const owners = (map?.entries ?? []).flatMap((entry) => {
    const { name, at, node: own } = entry;
    if (!METADATA_TEXT.test(name)) {
      const { expected, hint } = FIELD_MESSAGES.owner;
      report.problem({
        code: 'manifest.invalid-value',
        at,
        message: 'This is not the name of an owner.',
        found: quoted(name),
        expected,
        hint,
      });
      return [];
    }
    if (own.broken || !asMap(own, { report, expects: 'map' }, name)) return [];
    const parsed = ownerSchema().safeParse(exactData(own));
    if (parsed.success) return [[name, { value: parsed.data, node: own, at }] as const];
    reportIssues(parsed.error.issues, { schema: ownerSchema(), node: own, field: name }, report);
    return [];
  });
  return Object.fromEntries(owners);
}
