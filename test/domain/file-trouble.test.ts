import { describe, expect, it } from 'vitest';
import { fileTrouble } from '../../src/domain/index.ts';

describe('the reason why a file cannot be used', () => {
  it.each([
    [{ code: 'ENOENT', message: 'ENOENT: no such file' }, 'there is no such file or folder'],
    [{ code: 'EISDIR' }, 'it is a folder'],
    [{ code: 'EACCES' }, 'permission denied'],
    [{ code: 'ENOSPC' }, 'the disk is full'],
    [{ code: 'ENOTSUP', message: 'x' }, 'the system reports ENOTSUP'],
    [new Error('it is larger than 32 MiB'), 'it is larger than 32 MiB'],
    [undefined, 'the reason is unknown'],
    [{ code: '', message: '' }, 'the reason is unknown'],
    [{ code: '', message: 'odd' }, 'odd'],
    [{ code: 7 }, 'the reason is unknown'],
    [{ message: 7 }, 'the reason is unknown'],
    [null, 'the reason is unknown'],
  ])('%j reads “%s”', (thrown, words) => {
    expect(fileTrouble(thrown)).toBe(words);
  });
});
