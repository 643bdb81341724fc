import { readFileSync } from 'node:fs';
import { validateXML } from 'xmllint-wasm';

/** Jenkins’ schema, and the one of Ant’s reports: see schemas/README.md. */
const SCHEMAS = ['junit-10.xsd', 'ant-junit.xsd'].map((file) => ({
  fileName: file,
  contents: readFileSync(new URL(`schemas/${file}`, import.meta.url), 'utf8'),
}));

/** What the schemas say against a report; each problem with the schema that says it. */
export async function problemsOf(xml: string): Promise<readonly string[]> {
  const found = await Promise.all(
    SCHEMAS.map(async (schema) => {
      const { errors } = await validateXML({ xml: [{ fileName: 'report.xml', contents: xml }], schema: [schema] });
      return errors.map(({ message }) => `${schema.fileName}: ${message}`);
    }),
  );
  return found.flat();
}
