import { dirname, relative, resolve } from 'node:path';
import { Fault, type Place, tryParseProfileName } from '../../domain/index.ts';
import { convertManifest, type Manifest } from '../../manifest/index.ts';
import { EXIT } from '../output/exit-codes.ts';
import { plain } from '../output/json/envelope.ts';
import { counted, renderFirst } from '../output/layout/amount.ts';
import { printable } from '../output/layout/printable.ts';
import type { Context, Result } from '../program/command.ts';
import { cdkOf, languageOf } from '../program/language.ts';
import { has, text } from '../program/option.ts';
import { keepExisting } from '../session/files/out-file.ts';
import { readManifestOf } from '../session/manifest-input.ts';
import { reportLeftOut } from './left-out.ts';

const MOST_PLACES = 10;

const placeText = ({ file, line, column }: Place): string => `${printable(file)}:${line}:${column}`;

/** Referenced values may be private without being secrets, so writing them requires a flag. */
function refuseReferences(references: readonly Place[]): void {
  if (references.length === 0) return;
  const places = renderFirst(references.map(placeText), MOST_PLACES);
  throw new Fault(
    'manifest.holds-references',
    `${counted(references.length, 'value')} would be copied from the environment or from files: ${places}.`,
    {
      hint: 'To write their current values into the output, pass --inline-references.',
      detail: { places: references },
    },
  );
}

/** Paths of a manifest begin at its folder. */
function withRelativePath({ gateway, ...rest }: Manifest, { given, io }: Context): Manifest {
  const { accessTokenFile, profile } = gateway;
  const folder = dirname(resolve(io.cwd, text(given, 'out') ?? 'keyplane.yaml'));
  return {
    ...rest,
    gateway: {
      ...gateway,
      ...(accessTokenFile === undefined ? {} : { accessTokenFile: relative(folder, accessTokenFile) }),
      ...(profile === undefined || tryParseProfileName(profile) ? {} : { profile: relative(folder, profile) }),
    },
  };
}

/** Writes a manifest in another language. */
export async function convertAction(context: Context): Promise<Result> {
  const language = languageOf(context);
  if (language === undefined) {
    throw new Fault('usage.invalid', 'No output language was given.', {
      hint: 'Choose one with --to: yaml, hcl, hcl-json or cdk.',
    });
  }
  const cdk = cdkOf(context, language);
  await keepExisting(context);
  const manifest = await readManifestOf(context);
  if (!has(context.given, 'inline-references')) refuseReferences(manifest.references);
  const converted = convertManifest({
    manifest: withRelativePath(manifest, context),
    language,
    now: context.now(),
    ...cdk,
  });
  reportLeftOut(context, converted.leftOut);
  return { exit: EXIT.done, data: plain({ language, ...converted }), text: converted.text };
}
