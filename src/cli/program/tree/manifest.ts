import { REPLACE } from '../../session/out-file.ts';
import type { Command } from '../command.ts';
import { define } from '../define.ts';
import { ACCOUNT, CDK, languageFlags, MANIFEST, OUT, SELECT } from '../flags.ts';

/** The commands about the manifest itself. */
export const ON_MANIFEST: readonly Command[] = [
  define({
    path: ['init'],
    summary: 'Write a first manifest, or a project',
    details: [
      'Writes keyplane.yaml, and its JSON Schema next to it for editors. An existing manifest is not changed.',
      'With --template it writes a project that you can plan immediately against the reference gateway: a manifest, a Terraform configuration, or a CDK program. Its README.md lists the commands. Existing files are not changed.',
    ],
    effect: 'reads',
    options: [
      { flag: 'file', short: 'f', value: 'PATH', completes: 'file', summary: 'file to write (default: keyplane.yaml)' },
      { flag: 'url', value: 'URL', summary: 'address of the gateway' },
      { flag: 'user-id', value: 'ID', summary: 'numeric user id of the account' },
      {
        flag: 'template',
        value: 'TEMPLATE',
        choices: ['yaml', 'terraform', 'cdk'],
        summary: 'write a whole project: yaml, terraform or cdk',
      },
      { flag: 'dir', value: 'DIR', completes: 'file', summary: 'folder of the project (default: this one)' },
      CDK,
    ],
    examples: [
      { line: 'keyplane init --url https://gateway.example.com --user-id 42', about: 'Write a first manifest.' },
      { line: 'keyplane init --template cdk --dir keys', about: 'Write a CDK program to try out, in its own folder.' },
    ],
    load: () => import('../../commands/init.ts').then((m) => m.initAction),
  }),
  define({
    path: ['validate'],
    summary: 'Check the manifest without a gateway',
    effect: 'reads',
    options: [...MANIFEST, OUT],
    examples: [{ line: 'keyplane validate -f teams/', about: 'Show all errors of all files, with their positions.' }],
    load: () => import('../../commands/validate.ts').then((m) => m.validateAction),
  }),
  define({
    path: ['import'],
    summary: 'Write the live keys as a manifest',
    details: [
      'The manifest plans to no changes. Keys that a manifest cannot represent are listed on standard error.',
      'In Terraform’s languages the output includes what makes Terraform adopt the keys unchanged.',
      'An existing file is replaced only with --yes.',
    ],
    effect: 'reads',
    options: [...ACCOUNT, SELECT, ...languageFlags('language to write (default: yaml)'), OUT, REPLACE],
    examples: [
      {
        line: 'keyplane import --key "prod-*" --out prod.yaml',
        about: 'Import the keys whose names begin with prod-.',
      },
      { line: 'keyplane import --to hcl --out keys.tf', about: 'Import all keys into Terraform.' },
    ],
    load: () => import('../../commands/import.ts').then((m) => m.importAction),
  }),
  define({
    path: ['convert'],
    summary: 'Write a manifest in another language',
    details: [
      'Reads manifests and Terraform JSON: *.tf.json, or the folder cdktf.out. A CDK program is read from its synthesized output. Writes YAML, Terraform’s native syntax, its JSON syntax, or a CDK program. Does not contact a gateway.',
      'What a language cannot represent is omitted, and reported in a comment and on standard error. Values from the environment or a file are written only with --inline-references.',
      'An existing file is replaced only with --yes.',
    ],
    effect: 'reads',
    options: [
      ...MANIFEST,
      ...languageFlags('language to write'),
      { flag: 'inline-references', summary: 'write the current values of ${env:…} and ${file:…}' },
      OUT,
      REPLACE,
    ],
    examples: [
      { line: 'keyplane convert -f keyplane.yaml --to hcl --out keys.tf', about: 'From YAML to Terraform.' },
      { line: 'keyplane convert -f cdktf.out --to yaml --out keyplane.yaml', about: 'From CDK to YAML.' },
    ],
    load: () => import('../../commands/convert.ts').then((m) => m.convertAction),
  }),
  define({
    path: ['schema'],
    summary: 'Print the JSON Schema of the manifest',
    effect: 'reads',
    options: [OUT],
    examples: [
      { line: 'keyplane schema --out keyplane.schema.json', about: 'Save it for an editor or another validator.' },
    ],
    load: () => import('../../commands/schema.ts').then((m) => m.schemaAction),
  }),
];
