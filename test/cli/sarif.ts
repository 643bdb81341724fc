import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';

/** The schema of SARIF 2.1.0 by OASIS. It uses nothing of draft 4 that later drafts changed except the name of its ID. */
const { $schema, id, ...SARIF } = createRequire(import.meta.url)(
  '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json',
);

/** Returns the errors of a document by the schema of SARIF; null when it is valid. */
export function sarifErrors(log: unknown): unknown {
  const ajv = new Ajv({ strict: false, unicodeRegExp: false });
  formats.default(ajv);
  const isValid = ajv.compile(SARIF);
  isValid(log);
  return isValid.errors ?? null;
}
