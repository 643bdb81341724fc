import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineReport } from '../engine-report.ts';
import { type GeneratedFiles, ROOT } from './generated-files.ts';
import { table } from './markdown.ts';

/** The outcome of the provider’s tests with one version of an engine. */
export interface EngineRow extends EngineReport {
  readonly product: string;
  readonly version: string;
  /** The commit of Keyplane that was tested. */
  readonly commit: string;
}

/** Written by `npm run test:engines`. */
export const ENGINES_FILE = join(ROOT, 'test/acceptance/terraform/engines.json');

const nameOf = ({ product, version }: EngineRow): string => `${product} ${version}`;

/** The stored outcomes, newest version first. */
export const engineRows = (): readonly EngineRow[] =>
  (JSON.parse(readFileSync(ENGINES_FILE, 'utf8')) as EngineRow[]).sort((a, b) =>
    nameOf(b).localeCompare(nameOf(a), 'en', { numeric: true }),
  );

const PAGE = `# Engines that run the provider

<!-- Generated from test/acceptance/terraform/engines.json by \`npm run generate\`. Do not edit. -->

The tests of the provider and of the constructs start real engines against the reference gateway. Each line is a run of all these tests; \`npm test\` runs them with
the \`terraform\` on the PATH, and [with any other](../../CONTRIBUTING.md#tests-with-another-engine) on request.
`;

const SKIPPED = `## Skipped tests

Each test that did not run, with its reason:
`;

/** Writes the page about engines. */
export function generateEngines(files: GeneratedFiles): void {
  const rows = engineRows();
  const summary = rows.map((row) => [nameOf(row), row.passed, row.failed, row.skipped.length, row.commit]);
  const skipped = rows.flatMap((row) => row.skipped.map(({ test, reason }) => [nameOf(row), test, reason]));
  const parts = [
    PAGE,
    table(['engine', 'passed', 'failed', 'skipped', 'commit'], summary),
    '',
    SKIPPED,
    table(['engine', 'test', 'reason'], skipped),
  ];
  files.settle('docs/reference/engines.md', `${parts.join('\n')}\n`);
}
