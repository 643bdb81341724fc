import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../architecture/repository.ts';

export interface Compiled {
  /** A program that starts a gateway with the options in its first argument, as JSON, and prints its address. */
  readonly program: string;
  remove(): void;
}

const PROGRAM = `
import { startReferenceGateway } from '${pathToFileURL(join(ROOT, 'dist/src/reference/index.js'))}';
const gateway = await startReferenceGateway(JSON.parse(process.argv[2]));
process.stdout.write(JSON.stringify({ url: gateway.url, accounts: gateway.accounts }) + '\\n');
`;

/** A program with the built reference gateway, so that a plain Node.js can be started with it, and killed. */
export function compileGateway(): Compiled {
  const folder = mkdtempSync(join(tmpdir(), 'keyplane-gateway-'));
  const program = join(folder, 'gateway.mjs');
  writeFileSync(program, PROGRAM);
  return { program, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
