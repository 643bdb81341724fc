import { createRequire } from 'node:module';
import type Libsql from 'libsql';
import { Fault, isErrorWithCode } from '../../domain/index.ts';

/**
 * Loads SQLite when a ledger is opened: it is native and large, and only the reference gateway needs it.
 *
 * @throws Fault `tool.missing-package` if it is not installed, or not for this platform.
 */
export function loadDriver(): typeof Libsql {
  try {
    const driver: typeof Libsql = createRequire(import.meta.url)('libsql');
    return driver;
  } catch (cause) {
    if (!isErrorWithCode(cause, 'MODULE_NOT_FOUND')) throw cause;
    throw new Fault('tool.missing-package', 'The reference gateway needs the package libsql, which is not installed.', {
      cause,
      hint: 'Run `npm install libsql` where Keyplane is installed.',
      detail: { package: 'libsql' },
    });
  }
}
