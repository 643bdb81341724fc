import { type Command, FORMATS } from '../command.ts';
import { define } from '../define.ts';
import { ACCOUNT, OUT, SELECT } from '../flags.ts';
import type { Option } from '../option.ts';

const MONEY: readonly Option[] = [
  { flag: 'costly', summary: 'run costly checks too, such as videos' },
  { flag: 'max-cost', value: 'USD', summary: 'begin no check that would bring the run above this' },
];

const TASKS: readonly Option[] = [
  {
    flag: 'ledger',
    value: 'FILE',
    completes: 'file',
    summary: 'file that records paid tasks (default: keyplane.tasks.jsonl next to the manifest)',
  },
  {
    flag: 'resubmit',
    summary: 'submit again what an earlier run may have submitted: you have looked, and it is not there',
  },
];

const PLACES: readonly Option[] = [
  { flag: 'source-address', value: 'IP', summary: 'an own address that keys with an allowlist must be refused from' },
  { flag: 'vantage-proxy', value: 'URL', summary: 'a proxy that keys with an allowlist must be refused through' },
  {
    flag: 'callback-listen',
    value: 'HOST:PORT',
    summary: 'listen there for notifications of video tasks, and prove them',
  },
  {
    flag: 'callback-url',
    value: 'URL',
    summary: 'how the gateway reaches --callback-listen, when it is another address',
  },
];

const REPORTS: readonly Option[] = [
  {
    flag: 'report',
    value: 'FILE',
    repeatable: true,
    completes: 'file',
    summary: 'write the report there too, in the format of its ending: .html, .xml, .tap, .md, .json or .txt',
  },
  {
    flag: 'history',
    value: 'DIR',
    completes: 'file',
    summary: 'keep the outcome of each run there, and show the earlier ones',
  },
];

const REPEATED: readonly Option[] = [
  { flag: 'every', value: 'TIME', summary: 'stay, and run again and again: 5m, 1h' },
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
    summary: 'Prove that keys work, and that what is forbidden to them is refused',
    details: [
      'Runs the checks that the manifest selects for each key, by real requests: free ones first, costly ones only when they are asked for by name or with --costly.',
      'Exits with 6 when a check failed, and with 8 when --max-cost kept some from running. The report is written in every case but that of a second Ctrl-C.',
      'A video task that was paid for is never submitted twice: a run that was killed is gone on with by the next one.',
    ],
    effect: 'reads',
    formats: FORMATS,
    arguments: [
      {
        name: 'CHECK',
        summary: 'only these: names of checks, modules, kinds or classes',
        optional: true,
        variadic: true,
      },
    ],
    options: [
      ...ACCOUNT,
      SELECT,
      ...MONEY,
      { flag: 'strict', summary: 'count what is unprovable as failed' },
      ...PLACES,
      ...TASKS,
      ...REPORTS,
      ...REPEATED,
      OUT,
    ],
    examples: [
      { line: 'keyplane check', about: 'Run the free and the cheap checks of all keys.' },
      { line: 'keyplane check video --key "prod-*" --max-cost 2', about: 'Only videos, for at most two dollars.' },
      {
        line: 'keyplane check --format junit --out checks.xml --report checks.html',
        about: 'In a pipeline, with a page for people.',
      },
      { line: 'keyplane check --every 5m --metrics 127.0.0.1:9464', about: 'Stay, for Prometheus to look at.' },
    ],
    load: () => import('../../commands/check.ts').then((m) => m.checkAction),
  }),
];
