import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { commandLine } from '../../src/disk/index.ts';

it.each(['/proc', '/nowhere'])('reads the command line of a process, from %s or from ps', async (proc) => {
  const [program = ''] = await commandLine(process.ppid, proc);
  expect(basename(program)).not.toBe('');
  expect(await commandLine(2 ** 30, proc)).toEqual([]);
});
