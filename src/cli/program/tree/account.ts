import type { LogRecord } from '../../../gateway/index.ts';
import type { Command } from '../command.ts';
import { define } from '../define.ts';
import { ACCOUNT, LOG_PAGES, OUT, SELECT } from '../flags.ts';
import type { Argument, Option } from '../option.ts';

const MODELS_KEY: Argument = {
  name: 'KEY',
  summary: 'key ID or exact name (default: the key in KEYPLANE_MODELS_KEY)',
  optional: true,
};

const ago = 'a time such as 2027-03-31T00:00:00Z, or how long ago, such as 24h';

const LOG_TYPES: readonly Exclude<LogRecord['type'], number>[] = [
  'consumption',
  'refund',
  'error',
  'topUp',
  'management',
  'system',
];

/** The flags that choose entries of the usage log. */
const LOG_FILTERS: readonly Option[] = [
  { ...SELECT, summary: 'only entries of keys whose name matches; supports the wildcards * and ?; may be repeated' },
  { flag: 'model', value: 'GLOB', repeatable: true, summary: 'only entries of models that match; may be repeated' },
  {
    flag: 'type',
    value: 'TYPE',
    repeatable: true,
    choices: LOG_TYPES,
    summary: `only entries of this type: ${LOG_TYPES.slice(0, -1).join(', ')} or ${LOG_TYPES.at(-1)}; may be repeated`,
  },
  { flag: 'since', value: 'TIME', summary: `only entries since ${ago}` },
  { flag: 'until', value: 'TIME', summary: `only entries before ${ago}` },
  { flag: 'limit', value: 'N', summary: 'maximum number of entries to show (default: 100)' },
  { ...LOG_PAGES, summary: 'maximum number of usage log pages to read (default: 20)' },
];

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
    path: ['account', 'log'],
    summary: 'List entries of the usage log, newest first',
    details: [
      'Text shows the time, the key, the model, the tokens (input and output) and the cost in dollars. JSON also has the request ID, the address, the duration and the notes, such as the message of an error.',
    ],
    effect: 'reads',
    options: [...ACCOUNT, ...LOG_FILTERS, OUT],
    examples: [
      { line: 'keyplane account log --key "prod-*" --since 24h', about: 'List the requests of one day.' },
      {
        line: 'keyplane account log --type error --format json',
        about: 'List the failed requests, with their messages.',
      },
    ],
    load: () => import('../../commands/account-log.ts').then((m) => m.accountLogAction),
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
