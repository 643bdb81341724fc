import type { Command } from '../command.ts';
import { define } from '../define.ts';
import { ACCOUNT, OUT } from '../flags.ts';

/** The commands for the lock that all machines share. */
export const ON_LOCK: readonly Command[] = [
  define({
    path: ['lock', 'list'],
    summary: 'Show which runs hold the lock of the account, or wait for it',
    effect: 'reads',
    options: [...ACCOUNT, OUT],
    examples: [{ line: 'keyplane lock list', about: 'Show the host, the process and the job of the run that writes.' }],
    load: () => import('../../commands/lock.ts').then((m) => m.lockListAction),
  }),
  define({
    path: ['lock', 'break'],
    summary: 'Remove the lock of another run',
    details: [
      'The lock of a run that no longer exists ends by itself after three and a half minutes, when nothing that the run sent can take effect any more. If the run still exists, it notices within 30 seconds and writes nothing more; only a new access token stops it for certain: `keyplane account rotate-token`.',
    ],
    effect: 'destroys',
    arguments: [
      { name: 'ID', summary: 'claim, as `keyplane lock list` shows it; default: the only one', optional: true },
    ],
    options: [...ACCOUNT, OUT],
    examples: [{ line: 'keyplane lock break 1274', about: 'Remove a claim, after confirmation.' }],
    load: () => import('../../commands/lock.ts').then((m) => m.lockBreakAction),
  }),
];
