import type { Command } from '../command.ts';
import { SHELLS } from '../completion/shells.ts';
import { define } from '../define.ts';
import { ACCOUNT, OUT } from '../flags.ts';

/** The commands that need no account. */
export const TOOLS: readonly Command[] = [
  define({
    path: ['doctor'],
    summary: 'Find out what is wrong with address, network, credentials and manifest',
    details: [
      'Checks one thing after another and reports what to do about each. Exits with the code of the first failure.',
    ],
    effect: 'reads',
    options: [...ACCOUNT, OUT],
    examples: [{ line: 'keyplane doctor', about: 'Run this first when anything fails.' }],
    load: () => import('../../commands/doctor.ts').then((m) => m.doctorAction),
  }),
  define({
    path: ['gateway'],
    summary: 'Run the reference gateway on this machine',
    details: [
      'A complete server of the gateway’s contract for demos, tests and rehearsals, on a loopback address. SIGINT and SIGTERM stop it.',
      'With --format json it prints one line with its address and accounts once it is ready.',
    ],
    effect: 'reads',
    options: [
      { flag: 'port', value: 'N', summary: 'port to listen on (default: 0, a free one)' },
      { flag: 'host', value: 'HOST', summary: 'loopback address to listen on (default: 127.0.0.1)' },
      {
        flag: 'profile',
        value: 'PROFILE',
        choices: ['contract', 'deployed'],
        summary: 'contract: follow the contract; deployed: with the quirks of deployed gateways (default: contract)',
      },
      {
        flag: 'data',
        value: 'FILE',
        completes: 'file',
        summary: 'SQLite file for all state (default: memory)',
      },
      { flag: 'seed', value: 'FILE', completes: 'file', summary: 'accounts, groups, models, prices and keys (YAML)' },
      { flag: 'control', summary: 'offer the control endpoints under /_reference/' },
    ],
    examples: [
      { line: 'keyplane gateway --port 3001 --data gateway.sqlite', about: 'Keep the accounts between runs.' },
    ],
    load: () => import('../../commands/gateway.ts').then((m) => m.gatewayAction),
  }),
  define({
    path: ['completion'],
    summary: 'Print a completion script for a shell',
    effect: 'reads',
    arguments: [{ name: 'SHELL', summary: SHELLS.join(', '), choices: SHELLS }],
    options: [OUT],
    examples: [{ line: 'eval "$(keyplane completion bash)"', about: 'For this bash session.' }],
    load: () => import('../../commands/completion.ts').then((m) => m.completionAction),
  }),
];
