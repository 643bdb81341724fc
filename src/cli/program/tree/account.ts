import type { Command } from '../command.ts';
import { define } from '../define.ts';
import { ACCOUNT, OUT } from '../flags.ts';

/** The commands for the account as a whole. */
export const ON_ACCOUNT: readonly Command[] = [
  define({
    path: ['account', 'show'],
    summary: 'Show the account and its wallet',
    effect: 'reads',
    options: [...ACCOUNT, OUT],
    examples: [{ line: 'keyplane account show', about: 'Show the user of the token, and the balance.' }],
    load: () => import('../../commands/account.ts').then((m) => m.accountShowAction),
  }),
  define({
    path: ['account', 'groups'],
    summary: 'List the groups that keys may have',
    effect: 'reads',
    options: [...ACCOUNT, OUT],
    examples: [{ line: 'keyplane account groups', about: 'The values that `group:` may have.' }],
    load: () => import('../../commands/account.ts').then((m) => m.accountGroupsAction),
  }),
  define({
    path: ['account', 'usage'],
    summary: 'Show what the account has consumed',
    effect: 'reads',
    options: [...ACCOUNT, OUT],
    examples: [{ line: 'keyplane account usage --format json', about: 'Cumulative, in units and dollars.' }],
    load: () => import('../../commands/account.ts').then((m) => m.accountUsageAction),
  }),
  define({
    path: ['account', 'rotate-token'],
    summary: 'Replace the system access token',
    details: [
      'The token in use ends at once, everywhere. The new one goes into a file of mode 0600 that is made, with its space, before the request is sent.',
      'The request is sent once: when its answer is lost, a new token has to be made in the gateway’s account settings.',
    ],
    effect: 'destroys',
    options: [
      ...ACCOUNT,
      { flag: 'out', value: 'FILE', completes: 'file', summary: 'file for the new token (must be given)' },
    ],
    ownsOut: true,
    examples: [{ line: 'keyplane account rotate-token --out .keyplane/access.token --yes', about: 'Replace it.' }],
    load: () => import('../../commands/rotate-token.ts').then((m) => m.rotateTokenAction),
  }),
];
