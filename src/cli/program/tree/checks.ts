import { type Command, FORMATS } from '../command.ts';
import { define } from '../define.ts';
import { ACCOUNT, OUT, reportFlag, SELECT, SELECT_METADATA } from '../flags.ts';
import type { Option } from '../option.ts';

const MONEY: readonly Option[] = [
  { flag: 'costly', summary: 'also run costly checks, such as videos' },
  { flag: 'max-cost', value: 'USD', summary: 'skip checks that could raise the cost of the run above this amount' },
];

const TASKS: readonly Option[] = [
  {
    flag: 'ledger',
    value: 'FILE',
    completes: 'file',
    output: 'file',
    summary: 'file that records paid tasks (default: keyplane.tasks.jsonl next to the manifest)',
  },
  {
    flag: 'resubmit',
    summary:
      'submit tasks again that an earlier run may have submitted, or whose video it could not read; first look at the gateway’s task list',
  },
];

const PLACES: readonly Option[] = [
  {
    flag: 'source-address',
    value: 'IP',
    summary: 'address of this machine from which keys with an IP allowlist must be rejected',
  },
  { flag: 'vantage-proxy', value: 'URL', summary: 'proxy through which keys with an IP allowlist must be rejected' },
  {
    flag: 'callback-listen',
    value: 'HOST:PORT',
    summary: 'listen on this address for callbacks of video tasks, and verify them',
  },
  {
    flag: 'callback-url',
    value: 'URL',
    summary: 'URL at which the gateway reaches --callback-listen, if it differs',
  },
];

const REPORTS: readonly Option[] = [
  reportFlag(FORMATS),
  {
    flag: 'history',
    value: 'DIR',
    completes: 'file',
    output: 'folder',
    summary: 'store the outcome of each run in this folder, and show earlier runs in the report',
  },
];

const REPEATED: readonly Option[] = [
  { flag: 'every', value: 'TIME', summary: 'keep running, and repeat the checks at this interval, such as 5m or 1h' },
  {
    flag: 'metrics',
    value: 'HOST:PORT',
    summary: 'with --every: serve /metrics and /healthz on this loopback address (default: 127.0.0.1:0, a free port)',
  },
];

/** The commands that prove keys. */
export const PROVING: readonly Command[] = [
  define({
    path: ['check'],
    summary: 'Prove that keys work and that forbidden requests are rejected',
    details: [
      'Sends real requests to run the checks that the manifest selects for each key. Free checks run first. Costly checks run only if you name them or pass --costly.',
      'Exits with code 6 if a check failed, and with 8 if checks were skipped because of --max-cost. Always writes the report, unless you press Ctrl-C twice.',
      'Never submits a paid video task twice: after an interrupted run, the next run continues with the same task.',
    ],
    effect: 'reads',
    otherEffect: { short: 'reads; spends', text: 'Changes no key. Its requests are charged to the account.' },
    formats: FORMATS,
    arguments: [
      {
        name: 'CHECK',
        summary: 'run only these checks: names of checks, modules, kinds or classes',
        optional: true,
        variadic: true,
      },
    ],
    options: [
      ...ACCOUNT,
      SELECT,
      ...SELECT_METADATA,
      ...MONEY,
      { flag: 'strict', summary: 'count unprovable checks as failed' },
      ...PLACES,
      ...TASKS,
      ...REPORTS,
      ...REPEATED,
      OUT,
    ],
    examples: [
      { line: 'keyplane check', about: 'Run the free and cheap checks of all keys.' },
      {
        line: 'keyplane check video --key "prod-*" --max-cost 2',
        about: 'Run only video checks, for at most two dollars.',
      },
      {
        line: 'keyplane check --format junit --out checks.xml --report checks.html',
        about: 'Write JUnit results for a pipeline, and an HTML report.',
      },
      {
        line: 'keyplane check --every 5m --metrics 127.0.0.1:9464',
        about: 'Run every five minutes, and serve metrics to Prometheus.',
      },
    ],
    load: () => import('../../commands/check.ts').then((m) => m.checkAction),
  }),
];
