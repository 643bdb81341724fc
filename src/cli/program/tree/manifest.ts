import type { Command, Format } from '../command.ts';
import { define } from '../define.ts';
import {
  ACCOUNT,
  CDK,
  GATEWAY_KIND,
  languageFlags,
  MANIFEST,
  OUT,
  POLICY,
  REPLACE,
  reportFlag,
  SELECT,
  SELECT_METADATA,
  UNTRUSTED,
} from '../flags.ts';

const VALIDATE_FORMATS: readonly Format[] = ['text', 'json', 'sarif'];

/** The commands about the manifest itself. */
export const ON_MANIFEST: readonly Command[] = [
  define({
    path: ['init'],
    summary: 'Create a first manifest or a sample project',
    details: [
      'Writes keyplane.yaml and, next to it, a JSON Schema for editors. Never overwrites an existing manifest.',
      'With --template, writes a project that you can plan immediately against the reference gateway: a manifest, a Terraform configuration or a CDK program. Its README.md lists the commands. Never overwrites existing files.',
    ],
    effect: 'reads',
    options: [
      { flag: 'file', short: 'f', value: 'PATH', completes: 'file', summary: 'file to write (default: keyplane.yaml)' },
      { flag: 'url', value: 'URL', summary: 'base URL of the gateway' },
      { flag: 'user-id', value: 'ID', summary: 'numeric user ID of the account' },
      {
        flag: 'template',
        value: 'TEMPLATE',
        choices: ['yaml', 'terraform', 'cdk'],
        summary: 'create a complete project: yaml, terraform or cdk',
      },
      { flag: 'dir', value: 'DIR', completes: 'file', summary: 'folder of the project (default: the current folder)' },
      CDK,
    ],
    examples: [
      { line: 'keyplane init --url https://gateway.example.com --user-id 42', about: 'Create a first manifest.' },
      { line: 'keyplane init --template cdk --dir keys', about: 'Create a sample CDK program in its own folder.' },
    ],
    load: () => import('../../commands/init.ts').then((m) => m.initAction),
  }),
  define({
    path: ['validate'],
    summary: 'Validate the manifest without contacting a gateway',
    details: [
      'Shows the declared fields that the gateway does not keep, if its profile is known: from the manifest, --gateway-profile or KEYPLANE_GATEWAY_PROFILE, or with --url from two requests without credentials. Only --url makes this command send requests.',
    ],
    effect: 'reads',
    formats: VALIDATE_FORMATS,
    options: [...MANIFEST, POLICY, UNTRUSTED, ...GATEWAY_KIND, reportFlag(VALIDATE_FORMATS), OUT],
    examples: [
      { line: 'keyplane validate -f teams/', about: 'Show all errors in all files, with their positions.' },
      { line: 'keyplane validate --report errors.sarif', about: 'Also write the errors for code scanning.' },
      {
        line: 'keyplane validate --url https://gateway.example.com',
        about: 'Also show the declared fields that this gateway does not keep.',
      },
    ],
    load: () => import('../../commands/validate.ts').then((m) => m.validateAction),
  }),
  define({
    path: ['import'],
    isSource: true,
    summary: 'Write the existing keys as a manifest',
    details: [
      'A plan of the written manifest shows no changes. Keys that a manifest cannot represent are listed on standard error.',
      'For Terraform and CDK, the output includes the import statements with which Terraform adopts the keys unchanged.',
      'Replaces an existing file only with --yes.',
    ],
    effect: 'reads',
    options: [
      ...ACCOUNT,
      SELECT,
      ...SELECT_METADATA,
      ...languageFlags('output language (default: yaml)'),
      OUT,
      REPLACE,
    ],
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
    isSource: true,
    summary: 'Convert a manifest to YAML, Terraform or CDK',
    details: [
      'Reads YAML manifests and Terraform JSON: *.tf.json files, or the folder cdktf.out that a CDK program synthesizes. Writes YAML, HCL, Terraform JSON or a CDK program. Does not contact a gateway.',
      'Omits what the output language cannot represent, and reports it in a comment and on standard error. Writes values that come from the environment or from files only with --inline-references.',
      'Replaces an existing file only with --yes.',
    ],
    effect: 'reads',
    options: [
      ...MANIFEST,
      ...languageFlags('output language'),
      { flag: 'inline-references', summary: 'write the current values of ${env:…} and ${file:…}' },
      OUT,
      REPLACE,
    ],
    examples: [
      { line: 'keyplane convert -f keyplane.yaml --to hcl --out keys.tf', about: 'Convert YAML to Terraform.' },
      {
        line: 'keyplane convert -f cdktf.out --to yaml --out keyplane.yaml',
        about: 'Convert the output of a CDK program to YAML.',
      },
    ],
    load: () => import('../../commands/convert.ts').then((m) => m.convertAction),
  }),
  define({
    path: ['schema'],
    isSource: true,
    summary: 'Print the JSON Schema of the manifest',
    effect: 'reads',
    options: [OUT],
    examples: [
      {
        line: 'keyplane schema --out keyplane.schema.json',
        about: 'Save the schema for an editor or another validator.',
      },
    ],
    load: () => import('../../commands/schema.ts').then((m) => m.schemaAction),
  }),
];
