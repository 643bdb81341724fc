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
      'Writes terraform.d/plugins/ into a project, where terraform init and tofu init find the provider without any configuration; or with --mirror into a filesystem mirror. It needs node on the PATH of Terraform, and no network.',
      'Other installed versions are kept. Another build of the same version is replaced only with --yes.',
    ],
    effect: 'reads',
    options: [
      { flag: 'dir', value: 'DIR', completes: 'file', summary: 'folder of the Terraform project (default: this one)' },
      {
        flag: 'mirror',
        value: 'DIR',
        completes: 'file',
        summary: 'write a filesystem mirror into this folder instead',
      },
      {
        flag: 'platform',
        value: 'OS_ARCH',
        choices: PLATFORMS,
        repeatable: true,
        summary: `platforms to install for: ${PLATFORMS.join(', ')}; may be repeated (default: this one)`,
      },
      { flag: 'yes', summary: 'replace another build of the same version' },
    ],
    examples: [
      { line: 'keyplane provider install', about: 'Then terraform init works in this folder without configuration.' },
      {
        line: 'keyplane provider install --mirror /opt/terraform/mirror',
        about: 'Install it for all projects of a machine.',
      },
    ],
    load: () => import('../../commands/provider-install.ts').then((m) => m.providerInstallAction),
  }),
  define({
    path: ['provider', 'schema'],
    summary: 'Print the schema of the provider',
    details: [
      'The output of terraform providers schema -json, which generators of bindings and of documentation read.',
    ],
    effect: 'reads',
    options: [OUT],
    examples: [
      { line: 'keyplane provider schema --out provider.schema.json', about: 'Save the schema, without Terraform.' },
    ],
    load: () => import('../../commands/provider-schema.ts').then((m) => m.providerSchemaAction),
  }),
];
