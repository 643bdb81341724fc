import { closeSync, openSync, realpathSync } from 'node:fs';
import { Fault } from '../../domain/index.ts';
import { loadDriver } from './driver.ts';

/** Long enough for a gateway that is just closing. */
const WAIT_MS = 1000;

/**
 * Locks a ledger's file for one gateway, and returns the function that releases it.
 *
 * The lock is a transaction on an empty database next to the ledger: the operating system ends it with its process,
 * whatever ends that, so a file that remains blocks nothing. A lock on the ledger itself would exclude this gateway too.
 *
 * @param file exists. Links to one ledger share its lock.
 * @throws Fault `file.locked` if another gateway holds the lock.
 */
export function lockLedger(file: string): () => void {
  const path = `${realpathSync(file)}-lock`;
  closeSync(openSync(path, 'a', 0o600));
  const connection = new (loadDriver())(path);
  try {
    connection.exec(`PRAGMA busy_timeout = ${WAIT_MS}`);
    connection.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    connection.close();
    if ((cause as { code?: unknown }).code !== 'SQLITE_BUSY') throw cause;
    throw new Fault('file.locked', `Another gateway is using the ledger ${file}.`, {
      cause,
      hint: 'Stop that gateway, or choose another file.',
    });
  }
  return () => {
    connection.exec('ROLLBACK');
    connection.close();
  };
}
