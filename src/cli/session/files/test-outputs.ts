import { constants } from 'node:fs';
import { access, mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { unwritable } from '../../../disk/index.ts';
import { Fault } from '../../../domain/index.ts';
import { isMissing, isMountPoint, isWithin, refuseStrayLinks } from '../../../source/index.ts';
import { printable } from '../../output/layout/printable.ts';
import type { Context } from '../../program/command.ts';
import { has, type NamedOutput, texts } from '../../program/option.ts';
import type { Io } from '../io.ts';
import { DEFAULT_MANIFEST } from '../manifest-input.ts';
import { reserveSecretFile } from './secret-file.ts';

/**
 * Opens every output, before the gateway is asked anything: a file is created next to it, filled
 * and removed. A folder that does not exist is an error, because it is more often a typing error than intended.
 *
 * @throws Fault `usage.invalid`, `file.unwritable`
 */
export async function testOutputs(named: readonly NamedOutput[], context: Context): Promise<void> {
  const { io } = context;
  for (const each of named) {
    const { flag, output, value } = each;
    if (value === '') throw refusedValue(`--${flag} requires a ${output} name.`, flag);
    if (!context.command.isSource) await refuseManifestPlace(each, context);
    const path = resolve(io.cwd, value);
    if (output === 'folder') await testFolder(path, io);
    else if (await isFolder(path, value)) throw refusedValue(`--${flag} ${value} is a folder.`, flag);
    else await testFile(path, io);
  }
}

/** Refuses a result in place of a manifest, or among those of a folder: later runs would read it as one of them. */
async function refuseManifestPlace({ flag, value }: NamedOutput, { command, given, io }: Context): Promise<void> {
  if (!command.options.some((option) => option.flag === 'file')) return;
  const real = (file: string): Promise<string> => realOf(resolve(io.cwd, file));
  const path = await real(value);
  const manifests = await Promise.all((has(given, 'file') ? texts(given, 'file') : [DEFAULT_MANIFEST]).map(real));
  const isManifest = manifests.includes(path);
  if (!isManifest && !(manifests.includes(dirname(path)) && (await isReadIn(path)))) return;
  const message = isManifest
    ? `--${flag} would replace the manifest ${printable(value)}.`
    : `${printable(value)} is in a folder of manifests: later runs would read it as one of them.`;
  throw new Fault('usage.invalid', message, { hint: 'Write it into another folder.' });
}

/** The file or the folder behind links; a file that does not exist yet is in the folder behind them. */
const realOf = (path: string): Promise<string> =>
  realpath(path).catch(async () => join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path)));

/** Is a file of this name read with its folder? Of a Terraform module and of the output of a CDK, only the JSON of Terraform is. */
async function isReadIn(path: string): Promise<boolean> {
  const name = basename(path);
  if (!/\.(ya?ml|json)$/i.test(name) || name.startsWith('.')) return false;
  // Whatever is not a folder is reported elsewhere.
  const entries = await readdir(dirname(path)).catch(() => undefined);
  return entries !== undefined && !entries.some((each) => each.endsWith('.tf.json') || each === 'manifest.json');
}

const refusedValue = (message: string, flag: string): Fault =>
  new Fault('usage.invalid', message, { hint: `Pass a file name with --${flag}, or omit --${flag}.` });

async function isFolder(path: string, value: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found ? found.isDirectory() : /[/\\]$/.test(value);
}

/**
 * Links in the working folder may come with the manifest, from a stranger who chooses what a report is written over. A path
 * elsewhere was chosen with the links on it.
 */
function refuseLinksAway(path: string, cwd: string): void {
  // Nobody commits to the root of the file system, where `/dev/stdout` is a link, too.
  if (!isWithin(cwd, path) || dirname(cwd) === cwd) return;
  try {
    refuseStrayLinks(cwd, path);
  } catch (thrown) {
    // Nothing is behind a link to nothing: a file takes its place.
    if (!isMissing(thrown)) throw unwritable(path, thrown);
  }
}

/** A device, a pipe or a mounted file is written to in place, and nothing is written to it before the end. */
async function testFile(path: string, { cwd, random }: Pick<Io, 'cwd' | 'random'>): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  const isPlain = found?.isFile() ?? true;
  if (isPlain) refuseLinksAway(path, cwd);
  if (!isPlain || isMountPoint(path)) {
    await access(path, constants.W_OK).catch((cause: unknown) => {
      throw unwritable(path, cause);
    });
    return;
  }
  // The file behind a link is the one that will be replaced.
  const real = await realpath(path).catch(() => path);
  await (await reserveSecretFile(real, random)).discard();
}

/** The folder is the output, so it is created, but not those above it. */
async function testFolder(path: string, io: Pick<Io, 'cwd' | 'random'>): Promise<void> {
  await mkdir(path, 0o700).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EEXIST') throw unwritable(path, cause);
  });
  await testFile(join(path, 'keyplane'), io);
}
