import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Fault, type Json } from '../../domain/index.ts';
import { EXIT } from '../output/exit-codes.ts';
import type { Context, Result } from '../program/command.ts';
import { PROVIDER_PROGRAM } from './provider/package.ts';

const LARGEST = 64 * 1024 * 1024;

/** The schema of the provider, which only the provider itself knows: it is asked. */
export async function providerSchemaAction({ io }: Context): Promise<Result> {
  const run = promisify(execFile)(process.execPath, [PROVIDER_PROGRAM, 'schema'], {
    cwd: io.cwd,
    env: io.env,
    maxBuffer: LARGEST,
  });
  const { stdout } = await run.catch((cause: { readonly stderr?: string }) => {
    throw new Fault('tool.defect', `The provider cannot print its schema: ${cause.stderr?.trim()}`, { cause });
  });
  return { exit: EXIT.done, data: JSON.parse(stdout) as Json, text: stdout };
}
