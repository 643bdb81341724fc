import { createHash } from 'node:crypto';
import { type AuditFinding, auditRule, auditRuleNames, maskCredentials } from '../../../domain/index.ts';
import { printable } from '../layout/printable.ts';
import { physicalLocation, sarifLog } from '../sarif.ts';
import { type AuditPage, findingSubject } from './report.ts';

const LEVELS = { high: 'error', medium: 'warning', low: 'note' } as const;

/** The numbers by which code scanning sorts findings. */
const SCORES = { high: '8.0', medium: '5.0', low: '2.0' } as const;

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
        ...physicalLocation(place),
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
  const results = [...page.findings, ...page.waived].map((finding) => resultOf(finding, page));
  return sarifLog(version, rules(), results);
}
