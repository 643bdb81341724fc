import type { LogRecord } from '../../../gateway/index.ts';
import type { Command, Format } from '../command.ts';
import { define } from '../define.ts';
import { ACCOUNT, LOG_PAGES, OUT, reportFlag, SELECT, SELECT_METADATA } from '../flags.ts';
import type { Option } from '../option.ts';

const ago = 'a time such as 2027-03-31T00:00:00Z, or how long ago, such as 24h';

const LOG_TYPES: readonly Exclude<LogRecord['type'], number>[] = [
  'consumption',
  'refund',
  'error',
  'topUp',
  'management',
  'system',
  'login',
];

/** The flags that choose entries of the usage log. */
const LOG_FILTERS: readonly Option[] = [
  ...SELECT_METADATA,
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
  {
    flag: 'request',
    value: 'ID',
    repeatable: true,
    summary: 'only entries with this request ID; may be repeated',
  },
  { flag: 'limit', value: 'N', summary: 'maximum number of entries to show (default: 100)' },
  { ...LOG_PAGES, summary: 'maximum number of usage log pages to read (default: 20)' },
];

const FORMATS: readonly Format[] = ['text', 'json', 'csv', 'markdown', 'html'];

const AUDIT_FORMATS: readonly Format[] = ['text', 'json', 'markdown', 'sarif'];

/** The commands about what keys spend, and how safe they are. */
export const ON_USAGE: readonly Command[] = [
  define({
    path: ['audit'],
    summary: 'Review the keys: expiry, budgets, allowlists, IP rules, owners, use, rotation',
    details: [
      'Judges every key that can be used by the rules of docs/audit.md. Exits with code 2 if there are findings. Waivers in the manifest accept findings for a time, with a reason; an expired waiver is a finding.',
    ],
    effect: 'reads',
    formats: AUDIT_FORMATS,
    options: [
      ...ACCOUNT,
      SELECT,
      ...SELECT_METADATA,
      {
        flag: 'severity',
        value: 'SEVERITY',
        choices: ['low', 'medium', 'high'],
        summary: 'least severity of a finding: low, medium or high (default: low)',
      },
      { flag: 'unused', value: 'TIME', summary: 'time without use after which a key is unused (default: 90d)' },
      { flag: 'max-age', value: 'TIME', summary: 'age at which a key without a rotation is due (default: 365d)' },
      reportFlag(AUDIT_FORMATS),
      OUT,
    ],
    examples: [
      { line: 'keyplane audit --severity high', about: 'Fail a job if a key has a severe finding.' },
      { line: 'keyplane audit --format sarif --out keys.sarif', about: 'Write the findings for code scanning.' },
    ],
    load: () => import('../../commands/audit.ts').then((m) => m.auditAction),
  }),
  define({
    path: ['usage'],
    summary: 'Show what keys spent, what is left, and how long it lasts',
    details: [
      'By key, owner, model, day or the value of a label. Amounts are exact. The manifest, if there is one, adds owners, labels and budget windows.',
      'Also shows how long the wallet lasts: an empty wallet stops every key. Figures for which the usage log is not complete are marked.',
    ],
    effect: 'reads',
    formats: FORMATS,
    options: [
      ...ACCOUNT,
      SELECT,
      ...SELECT_METADATA,
      { flag: 'by', value: 'GROUP', summary: 'add up by key, owner, model, day or label:NAME (default: key)' },
      { flag: 'since', value: 'TIME', summary: `only what was spent since ${ago} (default: 7d)` },
      {
        flag: 'fail-on',
        value: 'CONDITIONS',
        summary:
          'exit with code 2 when a key has used a share such as 80%, is exhausted, or is projected to be; separated by commas',
      },
      {
        flag: 'within',
        value: 'TIME',
        summary: 'time in which a projected exhaustion counts for --fail-on (default: 30d)',
      },
      { ...LOG_PAGES, summary: 'maximum number of usage log pages to read (default: 200)' },
      reportFlag(FORMATS),
      OUT,
    ],
    examples: [
      { line: 'keyplane usage --by label:team --since 30d', about: 'Show what each team spent in 30 days.' },
      { line: 'keyplane usage --fail-on 80%,projected', about: 'Fail a job before a key stops working.' },
      { line: 'keyplane usage --format csv --out usage.csv', about: 'Export the figures for a spreadsheet.' },
    ],
    load: () => import('../../commands/usage.ts').then((m) => m.usageAction),
  }),
  define({
    path: ['usage', 'log'],
    summary: 'List entries of the usage log, newest first',
    details: [
      'Text shows the time, the key, the model, the tokens (input and output) and the cost in dollars. JSON also has the request ID, the address, the duration and the notes, such as the message of an error.',
      'With --follow, shows the entries that exist and then each new one as it appears, oldest first, until interrupted; in JSON, an object on each line.',
    ],
    effect: 'reads',
    options: [
      ...ACCOUNT,
      ...LOG_FILTERS,
      { flag: 'follow', summary: 'go on and show new entries as they appear' },
      { flag: 'every', value: 'TIME', summary: 'time between two readings with --follow (default: 5s)' },
      OUT,
    ],
    examples: [
      { line: 'keyplane usage log --key "prod-*" --since 24h', about: 'List the requests of one day.' },
      {
        line: 'keyplane usage log --type error --format json',
        about: 'List the failed requests, with their messages.',
      },
    ],
    load: () => import('../../commands/usage-log.ts').then((m) => m.usageLogAction),
  }),
];
