import { type AccountRef, Fault, inOneLine, renderInstant } from '../../domain/index.ts';
import type { LockHolder } from './port.ts';

/** The holder of a lock in words. */
export function holderText({ process, host, run, since }: LockHolder): string {
  const job = run === undefined ? '' : `, ${inOneLine(run)}`;
  return `process ${process} on ${inOneLine(host)}${job}, since ${renderInstant(since)}`;
}

/** Another run holds the lock of the account. */
export function lockedFault({ url, userId }: AccountRef, holder: LockHolder | undefined): Fault {
  const who = holder === undefined ? '' : ` (${holderText(holder)})`;
  return new Fault(
    'apply.locked',
    `Another Keyplane run is changing the keys of user ${userId} of ${inOneLine(url)}${who}.`,
    {
      hint: 'Wait until it finishes. The lock of a run that no longer exists ends by itself after a few minutes.',
      remedy: 'inspect-locks',
      detail: holder === undefined ? {} : { holder: { ...holder } },
    },
  );
}

/** The run no longer holds the lock of the account. */
export const lockLostFault = (why: string): Fault =>
  new Fault('apply.lock-lost', `This run no longer holds the lock of the account: ${why}.`, {
    hint: 'Nothing more is written. Run the command again: it continues with the unfinished work.',
  });
