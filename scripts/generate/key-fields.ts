import { type DeclaredKind, FIELD_ROWS, type FieldRow } from '../../src/domain/index.ts';
import type { GeneratedFiles } from './generated-files.ts';

const NOTICE = '// Generated from src/domain/key/fields.ts by `npm run generate`. Do not edit.';

/** The type of each kind of field in a program. */
const TYPES: Readonly<Record<DeclaredKind, string>> = {
  flag: 'boolean',
  text: 'string',
  textSet: 'readonly string[]',
  ipSet: 'readonly string[]',
  instant: 'string | Date',
  budget: 'Budget',
  json: '{ readonly tiers?: JsonValue }',
};

const typeOf = ({ kind, unrestricted }: FieldRow): string =>
  unrestricted === undefined ? TYPES[kind] : `'${unrestricted}' | ${TYPES[kind]}`;

const members = FIELD_ROWS.map(([name, row]) => `  /** ${row.doc} */\n  readonly ${name}?: ${typeOf(row)};`);

/** Writes the fields of a key as an interface of the constructs. */
export const generateKeyFields = (files: GeneratedFiles): void =>
  files.settle(
    'constructs/cdk/key/key-fields.ts',
    `${NOTICE}
import type { Budget, JsonValue } from './amounts.ts';

/** The permissions and the budget of a key, by the names of a manifest. Omitted fields are not managed. */
export interface KeyFields {
${members.join('\n')}
}
`,
  );
