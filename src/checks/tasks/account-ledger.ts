import { randomUUID } from 'node:crypto';
import { hasEnded, processRef } from '../../disk/index.ts';
import type { Gateway } from '../../gateway/index.ts';
import type { TaskLedger } from './ledger.ts';
import { openTaskFile } from './task-file.ts';

export interface LedgerOptions {
  /** The file. All front ends share its format: each resumes the tasks of the others. */
  readonly path: string;
  readonly gateway: Pick<Gateway, 'store'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Submits tasks again that are indeterminate, or whose result could not be read: only a person may decide that. */
  readonly resubmit?: boolean | undefined;
  /** Default: this process. */
  readonly process?: { readonly pid: number; readonly host?: string };
}

/** Opens the ledger of an account’s paid tasks for one run of this process. */
export async function openLedger(options: LedgerOptions): Promise<TaskLedger> {
  const { path, gateway, now, resubmit = false } = options;
  const { pid, host }: NonNullable<LedgerOptions['process']> = options.process ?? process;
  const { store } = gateway;
  return openTaskFile({
    path,
    account: store.account,
    usage: () => store.usage(),
    run: randomUUID(),
    owner: await processRef(pid, host),
    hasEnded: (owner) => hasEnded(owner, host),
    now,
    resubmit,
  });
}
