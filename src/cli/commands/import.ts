import { type Language, renderManifest } from '../../manifest/index.ts';
import { EXIT } from '../output/exit-codes.ts';
import { plain } from '../output/json/envelope.ts';
import { counted } from '../output/layout/amount.ts';
import { hang } from '../output/layout/columns.ts';
import { printable, quoted } from '../output/layout/printable.ts';
import type { Context, Result } from '../program/command.ts';
import { cdkOf, languageOf } from '../program/language.ts';
import { has } from '../program/option.ts';
import { withGateway } from '../session/connect.ts';
import { keepExisting } from '../session/files/out-file.ts';
import { selectedKeys } from '../session/key-filter.ts';
import { isDefaultManifestEmpty, tryReadManifestOf } from '../session/manifest-input.ts';
import { whileReading } from '../session/progress.ts';
import { reportLeftOut } from './left-out.ts';

type Skipped = ReturnType<typeof renderManifest>['skipped'];

function reportSkipped(context: Context, skipped: Skipped, language: Language): void {
  if (skipped.length === 0) return;
  const where = language === 'yaml' ? 'in a manifest' : 'for Terraform';
  context.print(`${counted(skipped.length, 'key')} cannot be written ${where}:`);
  for (const { id, name, reason } of skipped) {
    const line = `${quoted(name)} (id ${id}): ${printable(reason)}`;
    for (const part of hang('  - ', line, context.width.err)) context.print(part);
  }
}

/** Writes the live keys as a manifest that plans to nothing, or as what Terraform adopts. */
export async function importAction(context: Context): Promise<Result> {
  const language = languageOf(context) ?? 'yaml';
  const cdk = cdkOf(context, language);
  await keepExisting(context);
  const manifest = (await isDefaultManifestEmpty(context)) ? undefined : await tryReadManifestOf(context);
  return await withGateway(context, manifest?.gateway, async ({ store }, { url, userId }) => {
    const [keys, quotaPerUnit] = await whileReading(context, () => Promise.all([store.walk(), store.quotaPerUnit()]));
    const chosen = selectedKeys(context, keys, manifest?.desired);
    const { text, skipped, leftOut } = renderManifest({
      gateway: { url, userId },
      keys: chosen,
      quotaPerUnit,
      now: context.now(),
      language,
      ...cdk,
    });
    reportSkipped(context, skipped, language);
    reportLeftOut(context, leftOut);
    const count = chosen.length - skipped.length;
    if (has(context.given, 'out')) context.print(`Imported ${counted(count, 'key')}.`);
    return { exit: EXIT.done, data: plain({ manifest: text, keys: count, skipped, leftOut }), text };
  });
}
