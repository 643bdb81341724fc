import { EXIT, matchesAnyGlob } from '../../domain/index.ts';
import { type Language, renderManifest } from '../../manifest/index.ts';
import type { Context, Result } from '../command.ts';
import { withGateway } from '../connect.ts';
import { plain } from '../envelope.ts';
import { keyGlobs } from '../key-filter.ts';
import { cdkOf, languageOf } from '../language.ts';
import { tellLeftOut } from '../left-out.ts';
import { tryReadManifestOf } from '../manifest-input.ts';
import { keepExisting } from '../out-file.ts';
import { whileReading } from '../progress.ts';
import { counted } from '../render/amount.ts';
import { hang } from '../render/columns.ts';
import { printable, quoted } from '../render/printable.ts';

type Skipped = ReturnType<typeof renderManifest>['skipped'];

function tellSkipped(context: Context, skipped: Skipped, language: Language): void {
  if (skipped.length === 0) return;
  const where = language === 'yaml' ? 'in a manifest' : 'for Terraform';
  context.say(`${counted(skipped.length, 'key')} can not be written ${where}:`);
  for (const { id, name, reason } of skipped) {
    const line = `${quoted(name)} (id ${id}): ${printable(reason)}`;
    for (const part of hang('  - ', line, context.width.err)) context.say(part);
  }
}

/** Writes the live keys as a manifest that plans to nothing, or as what Terraform adopts. */
export async function importAction(context: Context): Promise<Result> {
  const language = languageOf(context) ?? 'yaml';
  const cdk = cdkOf(context, language);
  await keepExisting(context);
  const manifest = await tryReadManifestOf(context);
  return await withGateway(context, manifest?.gateway, async ({ store }, { url, userId }) => {
    const [keys, quotaPerUnit] = await whileReading(context, () => Promise.all([store.walk(), store.quotaPerUnit()]));
    const globs = keyGlobs(
      context,
      keys.map(({ name }) => name),
    );
    const chosen = globs.length === 0 ? keys : keys.filter((key) => matchesAnyGlob(globs, key.name));
    const { text, skipped, leftOut } = renderManifest({
      gateway: { url, userId },
      keys: chosen,
      quotaPerUnit,
      now: context.now(),
      language,
      ...cdk,
    });
    tellSkipped(context, skipped, language);
    tellLeftOut(context, leftOut);
    const count = chosen.length - skipped.length;
    return { exit: EXIT.done, data: plain({ manifest: text, keys: count, skipped, leftOut }), text };
  });
}
