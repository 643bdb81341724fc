import { type AuditSeverity, audit, SEVERITIES, visibleJson } from '../../domain/index.ts';
import type { Manifest } from '../../manifest/index.ts';
import type { AuditPage } from '../output/audit/report.ts';
import { auditData, renderAuditMarkdown, renderAuditText } from '../output/audit/report.ts';
import { EXIT, exitCodeOf, strongestExit } from '../output/exit-codes.ts';
import { envelopeOf } from '../output/json/envelope.ts';
import { type Context, type Format, kindOf, type Result } from '../program/command.ts';
import { tableWidth } from '../program/deliver.ts';
import { text } from '../program/option.ts';
import { withGateway } from '../session/connect.ts';
import { currentIds, declarationsOf } from '../session/declarations.ts';
import { reportFiles, writeReports } from '../session/files/report-files.ts';
import { selectedKeys, selectionOf } from '../session/key-filter.ts';
import { tryReadManifestOf } from '../session/manifest-input.ts';
import { lengthOf } from '../session/point-in-time.ts';
import { whileReading } from '../session/progress.ts';

const DEFAULTS = { unused: 90 * 86_400, maxAge: 365 * 86_400 };

interface AuditQuery {
  readonly least: AuditSeverity;
  readonly unused: number;
  readonly maxAge: number;
}

const queryOf = (context: Context): AuditQuery => ({
  least: SEVERITIES.find((each) => each === text(context.given, 'severity')) ?? 'low',
  unused: lengthOf(context, 'unused') ?? DEFAULTS.unused,
  maxAge: lengthOf(context, 'max-age') ?? DEFAULTS.maxAge,
});

async function renderIn(format: Format, { command, tree }: Context, page: AuditPage): Promise<string> {
  switch (format) {
    case 'markdown':
      return renderAuditMarkdown(page);
    case 'sarif':
      return (await import('../output/audit/sarif.ts')).renderSarif(page, tree.version());
    case 'json':
      return `${visibleJson(envelopeOf(kindOf(command), { data: auditData(page) }, []))}\n`;
    default:
      return `${renderAuditText(page, 100)}\n`;
  }
}

function isWhole({ given }: Context): boolean {
  const { names = [], owners = [], labels = [] } = selectionOf(given);
  return [names, owners, labels].every((each) => each.length === 0);
}

/** Reviews the keys of the account: what a security review asks of each of them. */
export async function auditAction(context: Context): Promise<Result> {
  const query = queryOf(context);
  reportFiles(context);
  const manifest: Manifest | undefined = await tryReadManifestOf(context);
  return await withGateway(context, manifest?.gateway, async ({ store }) => {
    await store.verifyAccount();
    const all = await whileReading(context, () => store.walk());
    const declarations = declarationsOf(manifest?.desired);
    const current = currentIds(manifest?.desired, all);
    const audited = selectedKeys(context, all, manifest?.desired).map((key) => {
      const [declared, metadata] = [declarations.of(key), declarations.metadataOf(key.name)];
      const isReplaced = !current.has(key.id);
      return { key, isReplaced, ...(declared ? { declared } : {}), ...(metadata ? { metadata } : {}) };
    });
    const limits = { ...query, now: context.now(), hasManifest: manifest !== undefined };
    const report = audit(audited, manifest?.waivers ?? [], limits);
    const isShown = ({ severity }: { severity: AuditSeverity }): boolean =>
      SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(query.least);
    const findings = report.findings.filter(isShown);
    const page: AuditPage = {
      ...report,
      findings,
      hidden: report.findings.length - findings.length,
      // A waiver may concern a key that is not selected.
      unmatched: isWhole(context) ? report.unmatched : [],
      hasManifest: manifest !== undefined,
      account: store.account,
    };
    const faults = await writeReports(context, (format) => renderIn(format, context, page));
    const { format } = context;
    return {
      exit: strongestExit([page.findings.length > 0 ? EXIT.pending : EXIT.done, ...faults.map(exitCodeOf)]),
      data: auditData(page),
      text: format === 'text' ? renderAuditText(page, tableWidth(context)) : await renderIn(format, context, page),
      ...(faults[0] ? { fault: faults[0] } : {}),
    };
  });
}
