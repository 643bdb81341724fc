import { type ManifestReading, readManifest } from '../../manifest/index.ts';
import { countDiagnostics, renderDiagnostics } from '../output/diagnostics.ts';
import { EXIT } from '../output/exit-codes.ts';
import { plain } from '../output/json/envelope.ts';
import { counted } from '../output/layout/amount.ts';
import type { Paint } from '../output/layout/paint.ts';
import { printable } from '../output/layout/printable.ts';
import type { Context, Result } from '../program/command.ts';
import { manifestContext, manifestPaths } from '../session/manifest-input.ts';

/** Validates the manifest and reports every diagnostic, without a gateway. */
export async function validateAction(context: Context): Promise<Result> {
  const { paint, width } = context;
  const paths = manifestPaths(context);
  const reading = await readManifest(paths, await manifestContext(context));
  context.remark(reading, 'silent');
  const frames = renderDiagnostics(reading, { paint: paint.out, width: width.out });
  const { manifest } = reading;
  const verdict = verdictOf(paths.map(printable).join(', '), reading, paint.out);
  return {
    exit: manifest ? EXIT.done : EXIT.usage,
    data: manifest
      ? plain({ valid: true, files: manifest.files, keys: manifest.desired.keys.length })
      : { valid: false },
    text: frames === '' ? verdict : `${frames}\n\n${verdict}`,
  };
}

function verdictOf(named: string, { manifest, diagnostics }: ManifestReading, paint: Paint): string {
  const problems = countDiagnostics(diagnostics);
  if (!manifest) return `${named}: ${paint.bad(problems ?? 'errors')}`;
  const keys = counted(manifest.desired.keys.length, 'key');
  return `${named}: ${paint.good('valid')}, ${keys}${problems ? `, ${problems}` : ''}`;
}
