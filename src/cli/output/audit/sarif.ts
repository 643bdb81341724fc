import { createHash } from 'node:crypto';
import {
  type AuditFinding,
  auditRule,
  auditRuleNames,
  maskCredentials,
  type Place,
  visibleJson,
} from '../../../domain/index.ts';
import { printable } from '../layout/printable.ts';
import { type AuditPage, findingSubject } from './report.ts';

const LEVELS = { high: 'error', medium: 'warning', low: 'note' } as const;

/** The numbers by which code scanning sorts findings. */
const SCORES = { high: '8.0', medium: '5.0', low: '2.0' } as const;

/** The most results that code scanning accepts in one run. */
const MOST_RESULTS = 25_000;

const rules = () => [
  ...auditRuleNames().map((id) => {
    const { doc, remedy, severity } = auditRule(id);
    return {
      id,
      shortDescription: { text: doc },
      help: { text: remedy },
      defaultConfiguration: { level: LEVELS[severity] },
      properties: { 'security-severity': SCORES[severity], tags: ['security'] },
    };
  }),
  {
    id: 'expired-waiver',
    shortDescription: { text: 'A waiver whose last day is over.' },
    help: { text: 'Fix what it waives, or extend it with a reason.' },
    defaultConfiguration: { level: LEVELS.high },
    properties: { 'security-severity': SCORES.high, tags: ['security'] },
  },
];

/** A path of the manifest as a URI reference: it may hold any character. */
const uriOf = (file: string): string => file.split(/[\\/]/).map(encodeURIComponent).join('/');

const regionOf = ({ line, column, endLine, endColumn }: Place) => ({
  startLine: line,
  startColumn: column,
  ...(endLine === undefined || endColumn === undefined ? {} : { endLine, endColumn }),
});

/** Stays the same when the manifest moves, so that an alert is not opened twice. */
const fingerprintOf = ({ rule, name, id, fact }: AuditFinding, { account }: AuditPage): string =>
  createHash('sha256')
    .update(JSON.stringify([account.url, account.userId, rule, id ?? [name, fact]]))
    .digest('hex');

function resultOf(finding: AuditFinding, page: AuditPage) {
  const { rule, severity, place, waiver, remedy, fact, owner } = finding;
  const text = `${findingSubject(finding)}: ${printable(fact)}. ${remedy}`;
  return {
    ruleId: rule,
    level: LEVELS[severity],
    message: { text },
    locations: [
      {
        ...(place
          ? { physicalLocation: { artifactLocation: { uri: uriOf(place.file) }, region: regionOf(place) } }
          : {}),
        logicalLocations: [{ name: printable(finding.name), kind: 'resource' }],
      },
    ],
    partialFingerprints: { 'keyplaneKey/v1': fingerprintOf(finding, page) },
    ...(owner === undefined ? {} : { properties: { owner: maskCredentials(owner) } }),
    ...(waiver ? { suppressions: [{ kind: 'external', justification: maskCredentials(waiver.reason) }] } : {}),
  };
}

/** The report as SARIF 2.1.0, for code scanning. A waived finding is suppressed, with its reason. */
export function renderSarif(page: AuditPage, version: string): string {
  const all = [...page.findings, ...page.waived];
  const run = {
    tool: { driver: { name: 'Keyplane', version, rules: rules() } },
    columnKind: 'utf16CodeUnits',
    ...(all.length > MOST_RESULTS ? { properties: { omittedResults: all.length - MOST_RESULTS } } : {}),
    results: all.slice(0, MOST_RESULTS).map((finding) => resultOf(finding, page)),
  };
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return `${visibleJson(log, 2)}\n`;
}
