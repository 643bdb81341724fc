import type { Command } from '../command.ts';
import { define } from '../define.ts';
import { ACCOUNT, MANIFEST, OUT, SELECT } from '../flags.ts';
import { REPLACE } from '../out-file.ts';

/** The commands around the manifest itself. */
export const ON_MANIFEST: readonly Command[] = [
  define({
    path: ['init'],
    summary: 'Write a first manifest',
    details: [
      'Writes keyplane.yaml, and its JSON Schema beside it for editors. A manifest that is there is left alone.',
    ],
    effect: 'reads',
    options: [
      { flag: 'file', short: 'f', value: 'PATH', completes: 'file', summary: 'file to write (default: keyplane.yaml)' },
      { flag: 'url', value: 'URL', summary: 'address of the gateway' },
      { flag: 'user-id', value: 'ID', summary: 'numeric user id of the account' },
    ],
    examples: [{ line: 'keyplane init --url https://gateway.example.com --user-id 42', says: 'Begin.' }],
    load: () => import('../commands/init.ts').then((m) => m.initAction),
  }),
  define({
    path: ['validate'],
    summary: 'Check the manifest without a gateway',
    effect: 'reads',
    options: [...MANIFEST, OUT],
    examples: [{ line: 'keyplane validate -f teams/', says: 'All errors of all files, with their places.' }],
    load: () => import('../commands/validate.ts').then((m) => m.validateAction),
  }),
  define({
    path: ['import'],
    summary: 'Write the live keys as a manifest',
    details: [
      'The manifest plans to nothing. Keys that a manifest can not hold are named on standard error.',
      'A file that is there is replaced only with --yes.',
    ],
    effect: 'reads',
    options: [...ACCOUNT, SELECT, OUT, REPLACE],
    examples: [
      { line: 'keyplane import --key "prod-*" --out prod.yaml', says: 'Take over the keys that begin with prod-.' },
    ],
    load: () => import('../commands/import.ts').then((m) => m.importAction),
  }),
  define({
    path: ['schema'],
    summary: 'Print the JSON Schema of the manifest',
    effect: 'reads',
    options: [OUT],
    examples: [{ line: 'keyplane schema --out keyplane.schema.json', says: 'For an editor, or another validator.' }],
    load: () => import('../commands/schema.ts').then((m) => m.schemaAction),
  }),
];
