import {
  type AccountRef,
  type AuditFinding,
  type AuditReport,
  type Json,
  renderInstant,
  type Waiver,
} from '../../../domain/index.ts';
import { literal } from '../checks/markdown.ts';
import { masked } from '../json/envelope.ts';
import { counted } from '../layout/amount.ts';
import { hang, padEnd } from '../layout/columns.ts';
import { renderLine } from '../layout/place.ts';
import { printable, quoted } from '../layout/printable.ts';

/** The inputs of a report of an audit, in every format. */
export interface AuditPage extends AuditReport {
  /** False: nothing is known of declarations and owners. */
  readonly hasManifest: boolean;
  readonly account: AccountRef;
  /** The number of findings that are less severe than asked for. */
  readonly hidden: number;
}

/** `app-1 (id 3)`; a pattern for a waiver. */
export const findingSubject = ({ name, id }: AuditFinding): string =>
  id === undefined ? quoted(name) : `${quoted(name)} (id ${id})`;

const until = ({ until: at }: Waiver): string => renderInstant(at - 1).slice(0, 10);

/** The facts that a reader needs to judge the report. */
function auditRemarks({ hidden, unmatched, waived, inactive, hasManifest }: AuditPage): readonly string[] {
  return [
    ...unmatched.map(
      ({ rule, keys, place }) =>
        `The waiver of ${rule} for ${quoted(keys)} matches no finding${place ? ` (${renderLine(place)})` : ''}. Remove it.`,
    ),
    ...waived.map(
      (finding) =>
        `Waived until ${finding.waiver ? until(finding.waiver) : ''}: ${findingSubject(finding)}: ${finding.rule}: ${printable(finding.waiver?.reason ?? '')}`,
    ),
    ...(hidden > 0 ? [`Not shown, because less severe: ${counted(hidden, 'finding')}.`] : []),
    ...(inactive > 0
      ? [`Not audited, because they cannot be used: ${counted(inactive, 'disabled or expired key')}.`]
      : []),
    ...(hasManifest ? [] : ['Without a manifest, nothing is known of declarations, owners and waivers.']),
  ];
}

function auditHead({ findings, audited }: AuditPage): string {
  const of = (severity: string): number => findings.filter((each) => each.severity === severity).length;
  const parts = ['high', 'medium', 'low'].map((severity) => `${of(severity)} ${severity}`);
  const counts = findings.length === 0 ? 'no findings' : `${counted(findings.length, 'finding')} (${parts.join(', ')})`;
  return `Audit of ${counted(audited, 'key')}: ${counts}.`;
}

const findingLine = (finding: AuditFinding): string => {
  const owner = finding.owner === undefined ? '' : `, owner ${quoted(finding.owner)}`;
  return `${findingSubject(finding)}${owner}: ${printable(finding.fact)} (${finding.rule}). ${finding.remedy}`;
};

/** The report for a terminal. */
export function renderAuditText(page: AuditPage, width: number): string {
  const wide = Number.isFinite(width) ? width : 100;
  const lines = page.findings.flatMap((finding) => hang(padEnd(finding.severity, 8), findingLine(finding), wide));
  const remarks = auditRemarks(page).flatMap((remark) => hang('  - ', remark, wide));
  const blocks = [lines.join('\n'), remarks.length === 0 ? '' : ['Notes', ...remarks].join('\n'), auditHead(page)];
  return blocks.filter((block) => block !== '').join('\n\n');
}

/** The report for a step summary or a comment. */
export function renderAuditMarkdown(page: AuditPage): string {
  const rows = page.findings.map(
    (finding) =>
      `| ${finding.severity} | ${literal(findingSubject(finding))} | ${literal(finding.owner ?? '-')} | ${finding.rule} | ${literal(finding.fact)}. ${literal(finding.remedy)} |`,
  );
  const table = ['| severity | key | owner | rule | finding |', '| --- | --- | --- | --- | --- |', ...rows].join('\n');
  const blocks = [
    `## ${literal(auditHead(page))}`,
    rows.length === 0 ? '' : table,
    auditRemarks(page)
      .map((remark) => `- ${literal(remark)}`)
      .join('\n'),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

const findingData = ({ waiver, fact, ...finding }: AuditFinding) => ({
  ...finding,
  message: fact,
  ...(waiver ? { waiver: { reason: waiver.reason, until: until(waiver) } } : {}),
});

/** `data` of `audit`. */
export const auditData = (page: AuditPage): Json =>
  masked({
    findings: page.findings.map(findingData),
    waived: page.waived.map(findingData),
    unmatchedWaivers: page.unmatched.map((waiver) => ({ ...waiver, until: until(waiver) })),
    hidden: page.hidden,
    audited: page.audited,
    inactive: page.inactive,
    hasManifest: page.hasManifest,
  });
