import { PLATFORMS } from '../../commands/provider/platforms.ts';
import type { Command } from '../command.ts';
import { define } from '../define.ts';
import { OUT } from '../flags.ts';

/** The commands for people who declare keys in Terraform. */
export const ON_PROVIDER: readonly Command[] = [
  define({
    path: ['provider', 'install'],
    summary: 'Install the provider for Terraform and OpenTofu',
    details: [
      'Installs into terraform.d/plugins/ of a project, where terraform init and tofu init find the provider without configuration; with --mirror, into a filesystem mirror. Needs no network. Terraform must find node on its PATH.',
      'Keeps other installed versions. Replaces another build of the same version only with --yes.',
    ],
    effect: 'reads',
    options: [
      {
        flag: 'dir',
        value: 'DIR',
        completes: 'file',
        summary: 'folder of the Terraform project (default: the current folder)',
      },
      {
        flag: 'mirror',
        value: 'DIR',
        completes: 'file',
        summary: 'install into a filesystem mirror in this folder instead',
      },
      {
        flag: 'platform',
        value: 'OS_ARCH',
        choices: PLATFORMS,
        repeatable: true,
        summary: `platforms to install for: ${PLATFORMS.join(', ')}; may be repeated (default: this platform)`,
      },
      { flag: 'yes', group: 'Permissions', summary: 'replace another build of the same version' },
    ],
    examples: [
      { line: 'keyplane provider install', about: 'Install it in this project; terraform init then finds it.' },
      {
        line: 'keyplane provider install --mirror /opt/terraform/mirror',
        about: 'Install it for all projects on a machine.',
      },
    ],
    load: () => import('../../commands/provider-install.ts').then((m) => m.providerInstallAction),
  }),
  define({
    path: ['provider', 'schema'],
    summary: 'Print the schema of the provider',
    details: [
      'Prints the same JSON as terraform providers schema -json, for tools that generate bindings or documentation.',
    ],
    effect: 'reads',
    options: [OUT],
    examples: [
      {
        line: 'keyplane provider schema --out provider.schema.json',
        about: 'Save the schema without running Terraform.',
      },
    ],
    load: () => import('../../commands/provider-schema.ts').then((m) => m.providerSchemaAction),
  }),
];
