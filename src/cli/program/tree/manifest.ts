import { REPLACE } from '../../session/out-file.ts';
import type { Command } from '../command.ts';
import { define } from '../define.ts';
import { ACCOUNT, CDK, languageFlags, MANIFEST, OUT, SELECT } from '../flags.ts';

/** The commands around the manifest itself. */
export const ON_MANIFEST: readonly Command[] = [
  define({
    path: ['init'],
    summary: 'Write a first manifest, or a project',
    details: [
      'Writes keyplane.yaml, and its JSON Schema beside it for editors. A manifest that is there is left alone.',
      'With --template it writes a project that can be planned at once against the reference gateway: a manifest, a configuration of Terraform, or a program of CDK. Its README.md has the commands. No file that is there is touched.',
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
      { line: 'keyplane init --url https://gateway.example.com --user-id 42', says: 'Begin.' },
      { line: 'keyplane init --template cdk --dir keys', says: 'A program to try out, in a folder of its own.' },
    ],
    load: () => import('../../commands/init.ts').then((m) => m.initAction),
  }),
  define({
    path: ['validate'],
    summary: 'Check the manifest without a gateway',
    effect: 'reads',
    options: [...MANIFEST, OUT],
    examples: [{ line: 'keyplane validate -f teams/', says: 'All errors of all files, with their places.' }],
    load: () => import('../../commands/validate.ts').then((m) => m.validateAction),
  }),
  define({
    path: ['import'],
    summary: 'Write the live keys as a manifest',
    details: [
      'The manifest plans to nothing. Keys that a manifest can not hold are named on standard error.',
      'In the languages of Terraform it comes with what makes Terraform adopt the keys as they are.',
      'A file that is there is replaced only with --yes.',
    ],
    effect: 'reads',
    options: [...ACCOUNT, SELECT, ...languageFlags('language to write (default: yaml)'), OUT, REPLACE],
    examples: [
      { line: 'keyplane import --key "prod-*" --out prod.yaml', says: 'Take over the keys that begin with prod-.' },
      { line: 'keyplane import --to hcl --out keys.tf', says: 'Take all keys over into Terraform.' },
    ],
    load: () => import('../../commands/import.ts').then((m) => m.importAction),
  }),
  define({
    path: ['convert'],
    summary: 'Write a manifest in another language',
    details: [
      'Reads manifests and Terraform JSON: *.tf.json, or the folder cdktf.out. A program of CDK is read by what it synthesizes to. Writes YAML, Terraform’s native syntax, its JSON syntax, or a program of CDK. Asks no gateway.',
      'What a language can not say is left out: it stands there as a comment, and on standard error. Values that came from the environment or a file are written out only with --inline-references.',
      'A file that is there is replaced only with --yes.',
    ],
    effect: 'reads',
    options: [
      ...MANIFEST,
      ...languageFlags('language to write'),
      { flag: 'inline-references', summary: 'write values of ${env:…} and ${file:…} as they are now' },
      OUT,
      REPLACE,
    ],
    examples: [
      { line: 'keyplane convert -f keyplane.yaml --to hcl --out keys.tf', says: 'From YAML to Terraform.' },
      { line: 'keyplane convert -f cdktf.out --to yaml --out keyplane.yaml', says: 'From CDK to YAML.' },
    ],
    load: () => import('../../commands/convert.ts').then((m) => m.convertAction),
  }),
  define({
    path: ['schema'],
    summary: 'Print the JSON Schema of the manifest',
    effect: 'reads',
    options: [OUT],
    examples: [{ line: 'keyplane schema --out keyplane.schema.json', says: 'For an editor, or another validator.' }],
    load: () => import('../../commands/schema.ts').then((m) => m.schemaAction),
  }),
];
