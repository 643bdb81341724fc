import { join, relative, resolve } from 'node:path';
import { Fault } from '../../domain/index.ts';
import { EXIT } from '../output/exit-codes.ts';
import { renderInstalled } from '../output/installed-provider.ts';
import { plain } from '../output/json/envelope.ts';
import type { Context, Result } from '../program/command.ts';
import { has, text, texts } from '../program/option.ts';
import {
  differs,
  installPackage,
  otherVersions,
  outcomeOf,
  type ProviderInstallation,
} from './provider/installation.ts';
import { readProviderPackage } from './provider/package.ts';
import { platformOf } from './provider/platforms.ts';

/** One address means another registry to each of the two programs. */
const HOSTS = ['registry.terraform.io', 'registry.opentofu.org'];

/** The folder of a project in which Terraform and OpenTofu find providers without configuration. */
const IN_PROJECT = 'terraform.d/plugins';

interface Destination {
  readonly root: string;
  /** The folder of a mirror, as the configuration of the programs must name it. */
  readonly mirror?: string;
}

function destinationOf({ given, io }: Context): Destination {
  const [dir, mirror] = [text(given, 'dir'), text(given, 'mirror')];
  if (dir !== undefined && mirror !== undefined) {
    throw new Fault('usage.invalid', '--dir and --mirror cannot be combined.');
  }
  if (mirror === undefined) return { root: resolve(io.cwd, dir ?? '.', IN_PROJECT) };
  const root = resolve(io.cwd, mirror);
  return { root, mirror: root };
}

async function installationsOf(context: Context, root: string): Promise<readonly ProviderInstallation[]> {
  const named = texts(context.given, 'platform');
  const platforms = named.length > 0 ? [...new Set(named)] : [platformOf(process)];
  const version = context.tree.version();
  const files = await readProviderPackage(version);
  return HOSTS.flatMap((host) =>
    platforms.map((platform) => ({ folder: join(root, host, 'keyplane/keyplane', version, platform), version, files })),
  );
}

/** Brings the provider to where Terraform and OpenTofu find it by themselves, for both of their registries. */
export async function providerInstallAction(context: Context): Promise<Result> {
  const { root, mirror } = destinationOf(context);
  const version = context.tree.version();
  const installations = await installationsOf(context, root);
  const shown = (folder: string): string => relative(context.io.cwd, folder) || '.';
  const ends = await Promise.all(
    installations.map(async (installation) => ({ installation, placed: await outcomeOf(installation) })),
  );
  const changed = ends.find(({ placed }) => placed === 'replaced');
  if (changed && !has(context.given, 'yes')) throw differs(shown(changed.installation.folder), version);
  for (const { installation, placed } of ends) if (placed !== 'unchanged') await installPackage(installation);
  const others = [...new Set((await Promise.all(installations.map(otherVersions))).flat())].sort();
  const folders = ends.map(({ installation, placed }) => ({ folder: installation.folder, placed }));
  const lines = folders.map(({ folder, placed }) => ({ folder: shown(folder), placed }));
  return {
    exit: EXIT.done,
    data: plain({ version, folders, otherVersions: others }),
    text: renderInstalled({ version, folders: lines, otherVersions: others, mirror }),
  };
}
