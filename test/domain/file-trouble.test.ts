import { describe, expect, it } from 'vitest';
import { fileTrouble } from '../../src/domain/index.ts';

describe('why a file can not be used', () => {
  it.each([
    [{ code: 'ENOENT', message: 'ENOENT: no such file' }, 'there is no such file or folder'],
    [{ code: 'EISDIR' }, 'it is a folder'],
    [{ code: 'EACCES' }, 'permission denied'],
    [{ code: 'ENOSPC' }, 'the disk is full'],
    [{ code: 'ENOTSUP', message: 'x' }, 'the system says ENOTSUP'],
    [new Error('it is larger than 32 MiB'), 'it is larger than 32 MiB'],
    [undefined, 'the reason is not known'],
    [{ code: 7 }, 'the reason is not known'],
  ])('%j is told as: %s', (thrown, words) => {
    expect(fileTrouble(thrown)).toBe(words);
  });
});
