import { type Place, visibleJson } from '../../domain/index.ts';

/** The most results that code scanning accepts in one run. */
const MOST_RESULTS = 25_000;

/** A path of the manifest as a URI reference: it may hold any character. */
const uriOf = (file: string): string => file.split(/[\\/]/).map(encodeURIComponent).join('/');

const regionOf = ({ line, column, endLine, endColumn }: Place) => ({
  startLine: line,
  startColumn: column,
  ...(endLine === undefined || endColumn === undefined ? {} : { endLine, endColumn }),
});

/** The location of a declaration; empty where it is unknown. */
export const physicalLocation = (place: Place | undefined) =>
  place ? { physicalLocation: { artifactLocation: { uri: uriOf(place.file) }, region: regionOf(place) } } : {};

/** A document of SARIF 2.1.0 with one run. */
export function sarifLog(version: string, rules: readonly object[], results: readonly object[]): string {
  const run = {
    tool: { driver: { name: 'Keyplane', version, rules } },
    columnKind: 'utf16CodeUnits',
    ...(results.length > MOST_RESULTS ? { properties: { omittedResults: results.length - MOST_RESULTS } } : {}),
    results: results.slice(0, MOST_RESULTS),
  };
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return `${visibleJson(log, 2)}\n`;
}
