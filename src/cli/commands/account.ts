import { renderDecimal, usdFromQuota } from '../../domain/index.ts';
import type { Gateway } from '../../gateway/index.ts';
import { EXIT } from '../output/exit-codes.ts';
import { plain } from '../output/json/envelope.ts';
import { counted, renderMoney } from '../output/layout/amount.ts';
import { printable, quoted } from '../output/layout/printable.ts';
import { renderRows } from '../output/layout/rows.ts';
import { renderTable } from '../output/layout/table.ts';
import type { Context, Result } from '../program/command.ts';
import { withGateway } from '../session/connect.ts';
import { tryReadManifestOf } from '../session/manifest-input.ts';

async function withSystem(context: Context, work: (gateway: Gateway) => Promise<Result>): Promise<Result> {
  const manifest = await tryReadManifestOf(context);
  return await withGateway(context, manifest?.gateway, work);
}

/** Shows the user of the credentials, the wallet, and the rate that converts it into dollars. */
export const accountShowAction = (context: Context): Promise<Result> =>
  withSystem(context, async ({ system, store }) => {
    await store.verifyAccount();
    const [self, { quotaPerUnit }] = await Promise.all([system.self(), system.status()]);
    const { url } = store.account;
    const rows = [
      { label: 'gateway', value: printable(url) },
      { label: 'user', value: self.username ? `${self.id} (${printable(self.username)})` : String(self.id) },
      ...(self.group ? [{ label: 'group', value: quoted(self.group) }] : []),
      { label: 'wallet', value: renderMoney(self.wallet, quotaPerUnit) },
      { label: 'rate', value: `${renderDecimal(quotaPerUnit)} quota units for $1` },
    ];
    const wallet = { quota: self.wallet, usd: usdFromQuota(self.wallet, quotaPerUnit, 6) };
    return {
      exit: EXIT.done,
      data: plain({
        url,
        userId: self.id,
        username: self.username,
        group: self.group,
        wallet,
        quotaPerUnit: renderDecimal(quotaPerUnit),
      }),
      text: renderRows(rows, context.paint.out, context.width.out).join('\n'),
    };
  });

/** Lists the groups that the account's keys may have. */
export const accountGroupsAction = (context: Context): Promise<Result> =>
  withSystem(context, async ({ system, store }) => {
    await store.verifyAccount();
    const groups = await system.groups();
    const columns = [{ title: 'GROUP' }, { title: 'RATIO' }, { title: 'DESCRIPTION', shrinks: true as const }];
    const rows = groups.map(({ name, ratio = '-', description = '' }) => [
      quoted(name),
      printable(ratio),
      printable(description),
    ]);
    return {
      exit: EXIT.done,
      data: plain({ groups }),
      text: `${renderTable(columns, rows, context.width.out)}\n\n${counted(groups.length, 'group')}`,
    };
  });

/** Shows the account’s total consumption, and its current rate. */
export const accountUsageAction = (context: Context): Promise<Result> =>
  withSystem(context, async ({ system, store }) => {
    await store.verifyAccount();
    const [{ quota, rpm, tpm }, { quotaPerUnit }] = await Promise.all([system.usageStatistics(), system.status()]);
    const rows = [
      { label: 'consumed', value: renderMoney(quota, quotaPerUnit) },
      { label: 'requests a minute', value: rpm === undefined ? 'unknown' : String(rpm) },
      { label: 'tokens a minute', value: tpm === undefined ? 'unknown' : String(tpm) },
    ];
    return {
      exit: EXIT.done,
      data: plain({ consumed: { quota, usd: usdFromQuota(quota, quotaPerUnit, 6) }, rpm, tpm }),
      text: renderRows(rows, context.paint.out, context.width.out).join('\n'),
    };
  });
