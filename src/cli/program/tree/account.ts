import type { Command } from '../command.ts';
import { define } from '../define.ts';
import { ACCOUNT, OUT } from '../flags.ts';

/** The commands for the account as a whole. */
export const ON_ACCOUNT: readonly Command[] = [
  define({
    path: ['account', 'show'],
    summary: 'Show the account and its wallet balance',
    effect: 'reads',
    options: [...ACCOUNT, OUT],
    examples: [{ line: 'keyplane account show', about: 'Show the user that the token belongs to, and the balance.' }],
    load: () => import('../../commands/account.ts').then((m) => m.accountShowAction),
  }),
  define({
    path: ['account', 'groups'],
    summary: 'List the groups that keys can use',
    effect: 'reads',
    options: [...ACCOUNT, OUT],
    examples: [{ line: 'keyplane account groups', about: 'List the valid values of `group` in a manifest.' }],
    load: () => import('../../commands/account.ts').then((m) => m.accountGroupsAction),
  }),
  define({
    path: ['account', 'usage'],
    summary: 'Show the usage of the account',
    effect: 'reads',
    options: [...ACCOUNT, OUT],
    examples: [
      { line: 'keyplane account usage --format json', about: 'Show the total usage in quota units and dollars.' },
    ],
    load: () => import('../../commands/account.ts').then((m) => m.accountUsageAction),
  }),
  define({
    path: ['account', 'rotate-token'],
    summary: 'Replace the system access token',
    details: [
      'The old token stops working immediately, everywhere. The new one is written to a file with mode 0600. Keyplane creates the file and reserves its space before it sends the request.',
      'Sends the request only once. If the response is lost, create a new token in the gateway’s account settings.',
    ],
    effect: 'destroys',
    options: [
      ...ACCOUNT,
      { flag: 'out', value: 'FILE', completes: 'file', output: 'file', summary: 'file for the new token (required)' },
    ],
    ownsOut: true,
    examples: [
      {
        line: 'keyplane account rotate-token --out .keyplane/access.token --yes',
        about: 'Replace the token, without confirmation.',
      },
    ],
    load: () => import('../../commands/rotate-token.ts').then((m) => m.rotateTokenAction),
  }),
];
