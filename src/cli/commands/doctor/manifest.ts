import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Fault } from '../../../domain/index.ts';
import { type Manifest, readManifest } from '../../../manifest/index.ts';
import { countDiagnostics } from '../../output/diagnostics.ts';
import { counted } from '../../output/layout/amount.ts';
import { printable } from '../../output/layout/printable.ts';
import type { Context } from '../../program/command.ts';
import { texts } from '../../program/option.ts';
import { DEFAULT_MANIFEST, manifestContext, manifestPaths } from '../../session/manifest-input.ts';
import { type DoctorResult, failed, ok, skipped, warning } from './result.ts';

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Is there a manifest, and is it valid? None is fine as long as none was named. */
export async function examineManifest(context: Context): Promise<{ result: DoctorResult; manifest?: Manifest }> {
  const { io, given } = context;
  if (texts(given, 'file').length === 0 && !(await exists(resolve(io.cwd, DEFAULT_MANIFEST)))) {
    return { result: skipped('manifest', `there is no ${DEFAULT_MANIFEST} here; \`keyplane init\` creates one`) };
  }
  const paths = manifestPaths(context);
  const reading = await readManifest(paths, await manifestContext(context));
  context.remark(reading, 'silent');
  const { manifest, diagnostics } = reading;
  const named = paths.map(printable).join(', ');
  const problems = countDiagnostics(diagnostics);
  const flags = texts(given, 'file').map((path) => ` -f ${printable(path)}`);
  const hint = `\`keyplane validate${flags.join('')}\` shows every problem with its position.`;
  if (!manifest) {
    return {
      result: failed(
        'manifest',
        new Fault(
          'manifest.invalid',
          `${named} has ${problems}: ${printable(diagnostics.find(({ severity }) => severity === 'error')?.message ?? '')}`,
          { hint },
        ),
      ),
    };
  }
  const message = `${named}, ${counted(manifest.desired.keys.length, 'key')}`;
  return {
    result: problems ? warning('manifest', `${message}, ${problems}`, hint) : ok('manifest', message),
    manifest,
  };
}
