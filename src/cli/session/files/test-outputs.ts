import { constants } from 'node:fs';
import { access, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { unwritable } from '../../../disk/index.ts';
import { Fault } from '../../../domain/index.ts';
import { isMissing, isMountPoint, isWithin, refuseStrayLinks } from '../../../source/index.ts';
import type { NamedOutput } from '../../program/option.ts';
import type { Io } from '../io.ts';
import { reserveSecretFile } from './secret-file.ts';

/**
 * Opens every output, before the gateway is asked anything: a file is created next to it, filled
 * and removed. A folder that does not exist is an error, because it is more often a typing error than intended.
 *
 * @throws Fault `usage.invalid`, `file.unwritable`
 */
export async function testOutputs(named: readonly NamedOutput[], io: Pick<Io, 'cwd' | 'random'>): Promise<void> {
  for (const { flag, output, value } of named) {
    if (value === '') throw refusedValue(`--${flag} requires a ${output} name.`, flag);
    const path = resolve(io.cwd, value);
    if (output === 'folder') await testFolder(path, io);
    else if (await isFolder(path, value)) throw refusedValue(`--${flag} ${value} is a folder.`, flag);
    else await testFile(path, io);
  }
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
