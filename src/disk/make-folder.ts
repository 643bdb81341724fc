import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/**
 * Creates a folder and its missing parents; an existing one stays unchanged. Every folder is tried once: the recursion of
 * Node never ends where a file system reports ENOENT although the parent exists, as `/proc` does.
 *
 * @throws the error of the system
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  const make = (): Promise<unknown> => mkdir(path, mode === undefined ? {} : { mode });
  try {
    await make();
  } catch (thrown) {
    if (await isFolder(path)) return;
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw thrown;
    await makeFolder(dirname(path), mode);
    await make().catch(async (again: unknown) => {
      // Another run may have created it at the same moment.
      if (!(await isFolder(path))) throw again;
    });
  }
}
