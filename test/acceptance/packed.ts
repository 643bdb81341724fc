import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { ROOT } from '../architecture/repository.ts';

const run = promisify(execFile);

/** Packs the package as npm publishes it, once in a run of tests. It was built already: other tests ran what is packed. */
export async function packedTarball(): Promise<string> {
  const shared = inject('sharedFolder');
  const tarball = join(shared, 'keyplane.tgz');
  if (existsSync(tarball)) return tarball;
  const folder = await mkdtemp(join(shared, 'pack-'));
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: ROOT });
  const [name = ''] = await readdir(folder);
  // Another worker may have packed the same bytes meanwhile.
  await rename(join(folder, name), tarball);
  return tarball;
}
