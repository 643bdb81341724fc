/** What people know the system's codes for trouble with files as. */
const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of its path is no folder',
  EISDIR: 'it is a folder',
  EEXIST: 'it is there already',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'it would be too large',
  EIO: 'the disk fails',
  EBUSY: 'it is in use',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8 text',
};

/**
 * Why a file can not be read or written, as the end of a sentence without its full stop. A code of the system that is
 * not known is repeated; what has none says its own message.
 */
export function fileTrouble(thrown: unknown): string {
  const { code, message } = (thrown ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && code !== '') return WORDS[code] ?? `the system says ${code}`;
  return typeof message === 'string' && message !== '' ? message : 'the reason is not known';
}
