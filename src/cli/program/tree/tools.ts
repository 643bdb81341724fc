import type { Command } from '../command.ts';
import { SHELLS } from '../completion/shells.ts';
import { define } from '../define.ts';
import { ACCOUNT, GATEWAY_PROFILE, OUT } from '../flags.ts';

/** The rooms that know the levels are not loaded for the help. */
const LEVELS = ['read', 'write', 'inference'];

/** The commands that need no account. */
export const TOOLS: readonly Command[] = [
  define({
    path: ['doctor'],
    summary: 'Diagnose the address, network, credentials and manifest',
    details: [
      'Runs one test after another and reports how to fix each problem. Exits with the code of the first failure.',
    ],
    effect: 'reads',
    options: [...ACCOUNT, OUT],
    examples: [{ line: 'keyplane doctor', about: 'Find out why other commands fail.' }],
    load: () => import('../../commands/doctor.ts').then((m) => m.doctorAction),
  }),
  define({
    path: ['conformance'],
    summary: 'Examine how a gateway differs from others of its family',
    details: [
      'Asks one question after another about the System API and the inference API, and compares the answers with the contract and with known gateways.',
      'Level read writes nothing. Level write creates keys that can pay for nothing, named keyplane-probe-…, and deletes them. Level inference also sends a few chats with such keys, within --max-cost each.',
      'Exits with code 6 if the gateway does something unknown, or if a key could not be deleted.',
    ],
    effect: 'reads',
    otherEffect: {
      short: 'reads; with `--level`, writes and spends',
      text: 'Does not change the account, except with `--level write` or `--level inference`.',
    },
    formats: ['text', 'json', 'markdown', 'junit', 'html'],
    arguments: [{ name: 'URL', summary: 'base URL of the gateway, in place of --url', optional: true }],
    options: [
      ...ACCOUNT.filter((option) => option !== GATEWAY_PROFILE),
      { flag: 'level', value: 'LEVEL', choices: LEVELS, summary: 'read, write or inference (default: read)' },
      { flag: 'model', value: 'MODEL', summary: 'model that --level inference asks' },
      { flag: 'max-cost', value: 'USD', summary: 'budget of each key that --level inference uses (default: 0.05)' },
      {
        flag: 'profile',
        value: 'FILE',
        completes: 'file',
        output: 'file',
        summary: 'write what was observed to this file',
      },
      {
        flag: 'bundle',
        value: 'FILE',
        completes: 'file',
        output: 'file',
        summary: 'write the forms of all requests and answers to this file, for a bug report; it has no values',
      },
      OUT,
    ],
    examples: [
      {
        line: 'keyplane conformance https://gateway.example.com --profile gateway.json',
        about: 'Find out how this gateway differs, and write a profile of it.',
      },
      {
        line: 'keyplane conformance --level inference --model gpt-4o-mini --format html --out conformance.html',
        about: 'Examine everything, with real requests.',
      },
    ],
    load: () => import('../../commands/conformance.ts').then((m) => m.conformanceAction),
  }),
  define({
    path: ['gateway'],
    summary: 'Run the reference gateway on this machine',
    details: [
      'A complete server of the gateway’s APIs, for demos, tests and rehearsals. Listens on a loopback address. Ctrl-C, SIGTERM and SIGHUP stop it.',
      'With --format json, prints one line with its address and accounts when it is ready.',
    ],
    effect: 'reads',
    options: [
      { flag: 'port', value: 'N', summary: 'port to listen on (default: 0, a free one)' },
      { flag: 'host', value: 'HOST', summary: 'loopback address to listen on (default: 127.0.0.1)' },
      {
        flag: 'profile',
        value: 'PROFILE',
        choices: ['contract', 'deployed', 'deployed@1.0'],
        completes: 'file',
        summary:
          'contract: exactly the documented APIs; deployed: with the quirks of deployed gateways of version 0.13; deployed@1.0: with those of version 1.0; FILE.json: as the gateway that keyplane conformance wrote this profile of (default: contract)',
      },
      {
        flag: 'data',
        value: 'FILE',
        completes: 'file',
        summary: 'SQLite file that stores all state (default: in memory)',
      },
      {
        flag: 'seed',
        value: 'FILE',
        completes: 'file',
        summary: 'YAML file of accounts, groups, models, prices and keys to start with',
      },
      { flag: 'ignore-user-id', summary: 'ignore the user ID of requests, as some gateways do' },
      { flag: 'control', summary: 'enable the control endpoints under /_reference/' },
    ],
    examples: [
      { line: 'keyplane gateway --port 3001 --data gateway.sqlite', about: 'Keep accounts and keys between runs.' },
    ],
    load: () => import('../../commands/gateway.ts').then((m) => m.gatewayAction),
  }),
  define({
    path: ['completion'],
    isSource: true,
    summary: 'Print a completion script for a shell',
    effect: 'reads',
    arguments: [{ name: 'SHELL', summary: SHELLS.join(', '), choices: SHELLS }],
    options: [OUT],
    examples: [{ line: 'eval "$(keyplane completion bash)"', about: 'Enable completion in this bash session.' }],
    load: () => import('../../commands/completion.ts').then((m) => m.completionAction),
  }),
];
