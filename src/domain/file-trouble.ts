/** The system's error codes for files, in words. */
const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of its path is not a folder',
  EISDIR: 'it is a folder',
  EEXIST: 'it already exists',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exhausted',
  EFBIG: 'it would be too large',
  EIO: 'the disk reported an I/O error',
  EBUSY: 'it is in use',
  ELOOP: 'its links form a loop',
  ENAMETOOLONG: 'its name is too long',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8 text',
};

/** The system's code for an error, such as `ENOENT`; undefined for any other error. */
export const systemCode = (thrown: unknown): string | undefined =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;

/**
 * Returns the reason why a file cannot be read or written, as the end of a sentence without its full stop. An unknown
 * system code is repeated; an error without a code gives its own message.
 */
export function fileTrouble(thrown: unknown): string {
  const { code, message } = (thrown ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && code !== '') return WORDS[code] ?? `the system reports ${code}`;
  return typeof message === 'string' && message !== '' ? message : 'the reason is unknown';
}
