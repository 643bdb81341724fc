import type { Command } from '../command.ts';
import { define } from '../define.ts';
import { ACCOUNT, ALLOW_EXEC, LOCKING, LOG_PAGES, OUT, POLICY, SELECT, SELECT_METADATA, SETTLE } from '../flags.ts';
import type { Argument, Option } from '../option.ts';

const KEY: Argument = { name: 'KEY', summary: 'key ID or exact name; write name:123 for a name that is a number' };
/** May be omitted where flags select keys. */
const KEYS: Argument = { ...KEY, variadic: true, optional: true };

const SELECTED = 'Instead of naming keys, select them by --owner and --label, as the manifest declares them.';

const NAME: Argument = { name: 'NAME', summary: 'new name of the key' };

const KEEP: Option = {
  flag: 'keep',
  value: 'ID',
  repeatable: true,
  summary: 'keep this key where the use does not decide; may be repeated',
};

const ALLOW_PROTECTED: Option = {
  flag: 'allow-protected',
  group: 'Permissions',
  summary: 'allow changes to keys that the manifest protects',
};

const WRITE: Option = { flag: 'write', summary: 'also declare the keys disabled in the manifest; comments are kept' };

const SEARCH: Option = { flag: 'search', value: 'TEXT', summary: 'only keys that the gateway finds for this text' };

const REASON: Option = {
  flag: 'reason',
  value: 'TEXT',
  summary: 'reason, which the report repeats and the manifest keeps as a comment (required)',
};

/** The flags that choose keys by their state; a key must meet all of them. */
const LIST_FILTERS: readonly Option[] = [
  { flag: 'unused', value: 'TIME', summary: 'only keys that were not used for this long, such as 30d' },
  { flag: 'no-expiry', summary: 'only keys that never expire' },
  { flag: 'unlimited', summary: 'only keys without a limit' },
  { flag: 'unmanaged', summary: 'only keys that no manifest declares' },
  { flag: 'expiring', value: 'TIME', summary: 'only keys that expire within this time, such as 14d' },
  {
    flag: 'sort',
    value: 'ORDER',
    choices: ['name', 'spent', 'remaining', 'expires', 'last-used'],
    summary: 'order: name, spent, remaining, expires or last-used (default: name)',
  },
];

/** The commands for single keys, by hand. */
export const ON_KEYS: readonly Command[] = [
  define({
    path: ['keys', 'list'],
    summary: 'List the keys of the account',
    effect: 'reads',
    details: [
      'Shows whether a manifest declares each key, its owner, and when it was last used. Not every gateway reports the last use: it is `unknown` then, and --unused lists such a key only if it was never used at all.',
      'Reads all keys, page by page. With --search, the gateway looks for the keys, in one request. By the contract it finds a part of the name; many real gateways compare the whole name unless the text contains `%`, as in `prod-%`. Most allow 10 searches a minute.',
    ],
    options: [...ACCOUNT, SELECT, ...SELECT_METADATA, SEARCH, ...LIST_FILTERS, OUT],
    examples: [
      { line: 'keyplane keys list --key "prod-*"', about: 'List the keys whose names begin with prod-.' },
      {
        line: 'keyplane keys list --unused 30d --sort last-used',
        about: 'List the keys that nobody used for 30 days, as far as the gateway shows it.',
      },
      { line: 'keyplane keys list --search prod-checkout', about: 'Let the gateway find a key among many.' },
    ],
    load: () => import('../../commands/keys-read.ts').then((m) => m.keysListAction),
  }),
  define({
    path: ['keys', 'get'],
    summary: 'Show one key, without its secret',
    effect: 'reads',
    arguments: [KEY],
    options: [...ACCOUNT, OUT],
    examples: [{ line: 'keyplane keys get prod-checkout --format json', about: 'Show all settings of a key as JSON.' }],
    load: () => import('../../commands/keys-read.ts').then((m) => m.keysGetAction),
  }),
  define({
    path: ['keys', 'reveal'],
    summary: 'Print the secrets of keys',
    details: [
      'The only command that prints secrets: one line for each key, in the order given. A terminal may be recorded, so it shows them there only after confirmation, or with --show. Writes the --out file with mode 0600, and replaces an existing one only with --yes.',
      'With --format raw, there is no line break after the secret. The formats dotenv and kubernetes name each secret after its key, as in `PROD_CHECKOUT` and `prod-checkout`, or after --as. A name may be a glob such as `prod-*`, with --yes.',
      `${SELECTED} Then it asks for confirmation first, which lists the keys.`,
    ],
    effect: 'reads',
    formats: ['text', 'json', 'raw', 'dotenv', 'kubernetes'],
    arguments: [KEYS],
    options: [
      ...ACCOUNT,
      ...SELECT_METADATA,
      { flag: 'show', summary: 'show the secrets on a terminal without confirmation' },
      { flag: 'as', value: 'NAME', summary: 'name of the variable or of the Kubernetes Secret, for one key' },
      OUT,
      {
        flag: 'yes',
        group: 'Permissions',
        summary: 'reveal all keys that a glob matches, or flags select, and replace the --out file if it exists',
      },
    ],
    ownsOut: true,
    examples: [
      {
        line: 'keyplane keys reveal prod-checkout --format dotenv --as LLM_KEY --out .env.local',
        about: 'Write a secret into a file that only you can read.',
      },
      {
        line: 'keyplane keys reveal prod-checkout | gh secret set LLM_KEY',
        about: 'Pass a secret to another program without showing it.',
      },
    ],
    load: () => import('../../commands/keys-read.ts').then((m) => m.keysRevealAction),
  }),
  define({
    path: ['keys', 'enable'],
    summary: 'Enable keys',
    details: [SELECTED],
    effect: 'writes',
    arguments: [KEYS],
    options: [...ACCOUNT, ...SELECT_METADATA, OUT],
    examples: [{ line: 'keyplane keys enable prod-checkout', about: 'Enable a key by its name.' }],
    load: () => import('../../commands/keys-write.ts').then((m) => m.keysEnableAction),
  }),
  define({
    path: ['keys', 'disable'],
    summary: 'Disable keys immediately, for example a leaked one',
    effect: 'writes',
    arguments: [KEYS],
    details: [
      'Works without a manifest, and with one that has errors: then flags or the environment name the gateway. A plan leaves the key disabled until somebody permits the enable.',
      SELECTED,
    ],
    options: [...ACCOUNT, ...SELECT_METADATA, ALLOW_PROTECTED, WRITE, OUT],
    examples: [{ line: 'keyplane keys disable 1274 --yes', about: 'Disable a key by its ID, without confirmation.' }],
    load: () => import('../../commands/keys-write.ts').then((m) => m.keysDisableAction),
  }),
  define({
    path: ['keys', 'revoke'],
    summary: 'Disable keys immediately, and replace them by successors',
    details: [
      'Disables the keys first, whatever happens afterwards; a name means all generations of its key. Then each declared key gets a successor with a new secret, which is delivered and proven. What was disabled stays disabled.',
      'A key that no manifest declares, or that is adopted by its ID, gets no successor. With --no-successor, none does. Where the manifest declares such a key, it is declared disabled there, with the reason and the date in a comment.',
      SELECTED,
    ],
    effect: 'writes',
    arguments: [KEYS],
    options: [
      ...ACCOUNT,
      ...SELECT_METADATA,
      POLICY,
      ALLOW_PROTECTED,
      REASON,
      { flag: 'no-successor', summary: 'declare the keys disabled instead of replacing them' },
      ALLOW_EXEC,
      SETTLE,
      ...LOCKING,
      OUT,
    ],
    examples: [
      {
        line: 'keyplane keys revoke ci-a --reason "leaked in a build log"',
        about: 'Disable a leaked key now, and replace it.',
      },
      {
        line: 'keyplane keys revoke ci-a --no-successor --reason "no longer needed"',
        about: 'Disable a key permanently.',
      },
    ],
    load: () => import('../../commands/keys-revoke.ts').then((m) => m.keysRevokeAction),
  }),
  define({
    path: ['keys', 'rotate'],
    summary: 'Replace declared keys by successors with new secrets',
    details: [
      'Creates the successor of each key, and proves its secret. The old secret works until its overlap is over and nobody uses it; then `keyplane apply` ends it. With --leaked, it ends in this run, as soon as its successor works. If a run is interrupted, the next apply continues.',
      SELECTED,
    ],
    effect: 'writes',
    arguments: [{ name: 'NAME', summary: 'name of a declared key', variadic: true, optional: true }],
    options: [
      ...ACCOUNT,
      ...SELECT_METADATA,
      POLICY,
      {
        flag: 'overlap',
        value: 'TIME',
        summary: 'time for which the old secret works at least (default: as declared, else 7d)',
      },
      { flag: 'leaked', summary: 'end the old secrets as soon as their successors work, used or not' },
      { flag: 'reason', value: 'TEXT', summary: 'reason, which the report repeats' },
      LOG_PAGES,
      ALLOW_EXEC,
      SETTLE,
      ...LOCKING,
      OUT,
    ],
    examples: [
      { line: 'keyplane keys rotate prod-checkout --overlap 1h', about: 'Replace a key within the hour.' },
      { line: 'keyplane keys rotate prod-checkout --leaked', about: 'Replace a leaked key without a gap.' },
      { line: 'keyplane keys rotate --owner search --overlap 7d', about: 'Replace all keys of a team.' },
    ],
    load: () => import('../../commands/keys-rotate.ts').then((m) => m.keysRotateAction),
  }),
  define({
    path: ['keys', 'identify'],
    input: 'the secret',
    summary: 'Find the key that a secret belongs to',
    details: [
      'Reads the secret from standard input, with or without `sk-`, and never prints it. Asks the gateway for it where that works; else compares the masked keys, and reveals the few that fit. Exits with code 2 if no key of the account has it.',
    ],
    effect: 'writes',
    options: [...ACCOUNT, { flag: 'disable', summary: 'disable the key, after confirmation' }, OUT],
    examples: [
      { line: 'keyplane keys identify', about: 'Find the key whose secret is on standard input.' },
      { line: 'keyplane keys identify --disable --yes', about: 'Find a leaked key, and disable it.' },
    ],
    load: () => import('../../commands/keys-identify.ts').then((m) => m.keysIdentifyAction),
  }),
  define({
    path: ['keys', 'rename'],
    summary: 'Give a key another name; it keeps its ID and its secret',
    effect: 'writes',
    arguments: [KEY, NAME],
    options: [...ACCOUNT, ALLOW_PROTECTED, ...LOCKING, OUT],
    examples: [{ line: 'keyplane keys rename 17 prod-search', about: 'Rename a key by its ID, whatever its name is.' }],
    load: () => import('../../commands/keys-rename.ts').then((m) => m.keysRenameAction),
  }),
  define({
    path: ['keys', 'dedupe'],
    summary: 'Show keys that share a name, and delete those that nobody uses',
    details: [
      'Concurrent runs may have created keys twice. Deletes a key only if it was never used and another key has its name, and never all keys of a name. Keeps keys that the manifest declares by their IDs. Exits with code 2 if a name remains undecided.',
    ],
    effect: 'destroys',
    options: [...ACCOUNT, KEEP, LOG_PAGES, ALLOW_PROTECTED, ...LOCKING, OUT],
    examples: [
      { line: 'keyplane keys dedupe', about: 'Show the keys, and delete the unused ones after confirmation.' },
    ],
    load: () => import('../../commands/keys-dedupe.ts').then((m) => m.keysDedupeAction),
  }),
  define({
    path: ['keys', 'delete'],
    summary: 'Delete keys permanently',
    details: [SELECTED],
    effect: 'destroys',
    arguments: [KEYS],
    options: [...ACCOUNT, ...SELECT_METADATA, ALLOW_PROTECTED, OUT],
    examples: [
      { line: 'keyplane keys delete 1274 1275', about: 'Delete two keys, after confirmation. This cannot be undone.' },
    ],
    load: () => import('../../commands/keys-write.ts').then((m) => m.keysDeleteAction),
  }),
];
