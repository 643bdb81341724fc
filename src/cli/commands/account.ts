import { Fault, renderDecimal, type Secret, usdFromQuota } from '../../domain/index.ts';
import type { Gateway } from '../../gateway/index.ts';
import type { KeyStore } from '../../reconcile/index.ts';
import { EXIT } from '../output/exit-codes.ts';
import { masked, plain } from '../output/json/envelope.ts';
import { counted, renderMoney } from '../output/layout/amount.ts';
import { printable, quoted } from '../output/layout/printable.ts';
import { renderRows } from '../output/layout/rows.ts';
import { renderTable } from '../output/layout/table.ts';
import type { Context, Result } from '../program/command.ts';
import { withGateway } from '../session/connect.ts';
import { findKeys } from '../session/find-key.ts';
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

/** Lists the models that one key can use; without one, the key that the settings have for this lists them. */
export async function accountModelsAction(context: Context): Promise<Result> {
  const manifest = await tryReadManifestOf(context);
  return await withGateway(context, manifest?.gateway, async ({ system, store }, { modelsKey }) => {
    const secret = context.arguments.length === 0 ? modelsKey : await secretOf(store, context.arguments);
    if (!secret) {
      throw new Fault('credentials.missing', 'The gateway lists models only to API keys.', {
        hint: 'Name a key of the account, or set KEYPLANE_MODELS_KEY to the secret of one.',
      });
    }
    const models = [...(await system.models(secret))].sort();
    const rows = models.map((model) => [printable(model)]);
    return {
      exit: EXIT.done,
      data: masked({ models }),
      text: `${renderTable([{ title: 'MODEL' }], rows, context.width.out)}\n\n${counted(models.length, 'model')}`,
    };
  });
}

async function secretOf(store: KeyStore, words: readonly string[]): Promise<Secret | undefined> {
  const keys = await findKeys(store, words);
  return [...(await store.reveal(keys.map(({ id }) => id))).values()][0];
}
