import type { Command } from '../command.ts';
import { define } from '../define.ts';
import { ACCOUNT, OUT } from '../flags.ts';
import type { Argument } from '../option.ts';

const MODELS_KEY: Argument = {
  name: 'KEY',
  summary: 'key ID or exact name (default: the key in KEYPLANE_MODELS_KEY)',
  optional: true,
};

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
    path: ['account', 'models'],
    summary: 'List the models that a key can use',
    details: [
      'For a key without a list of models, these are all models of its group. Keyplane reveals the key to ask the gateway, and shows its secret nowhere.',
    ],
    effect: 'reads',
    arguments: [MODELS_KEY],
    options: [...ACCOUNT, OUT],
    examples: [
      {
        line: 'keyplane account models prod-checkout',
        about: 'List the valid values of `models` for this key’s group.',
      },
    ],
    load: () => import('../../commands/account.ts').then((m) => m.accountModelsAction),
  }),
  define({
    path: ['account', 'rotate-token'],
    summary: 'Replace the system access token',
    details: [
      'The old token stops working immediately, everywhere. The new one is written to a file with mode 0600. Keyplane creates the file and reserves its space before it sends the request.',
      'Sends the request only once. If the response is lost, create a new token in the gateway’s account settings.',
    ],
    effect: 'destroys',
    options: [...ACCOUNT, { ...OUT, summary: 'file for the new token (required)' }],
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
