import { Fault, type FileTarget, fileTrouble, Secret } from '../../domain/index.ts';
import type { SinkOperations } from '../../reconcile/index.ts';
import { sinkClaim } from '../claims.ts';
import { dotenv } from './dotenv.ts';
import { type EntryFormat, isEncrypted, refuseSpecial } from './entry-format.ts';
import { changePrivate, exposureOf, type PrivatePath, probePrivate, readPrivate } from './private-file.ts';
import { structured } from './structured.ts';

/** The file holds the secret and nothing else, also no line break at its end. */
const RAW: EntryFormat = {
  find: (text) => text.replace(/\r?\n$/, '') || undefined,
  set(_text, value) {
    refuseSpecial(value);
    return value;
  },
  remove: () => undefined,
};

function formatOf(target: FileTarget): EntryFormat {
  switch (target.format) {
    case 'raw':
      return RAW;
    case 'dotenv':
      return dotenv(target.as);
    case 'json':
    case 'yaml':
      return structured(target.format, target.as);
    default:
      return target satisfies never;
  }
}

type FileSink = SinkOperations;

/**
 * An entry of a file, or a whole file. The value itself is compared; a claim next to the manifest shows that Keyplane
 * wrote an entry with another value.
 */
export function fileSink(target: FileTarget, root: string): FileSink {
  const file: PrivatePath = { root, path: target.file };
  const format = formatOf(target);
  const claim = sinkClaim(root, target);
  const malformed = (cause: unknown): Fault =>
    new Fault('sink.unreadable', `${target.file} cannot be changed safely: ${fileTrouble(cause)}.`, {
      hint: 'Correct the file. Nothing was written to it.',
      cause,
    });
  const inFormat = <T>(work: () => T): T => {
    try {
      return work();
    } catch (thrown) {
      throw malformed(thrown);
    }
  };
  // A secret in plain text among encrypted values would be committed with them.
  const inPlain = <T>(text: string | undefined, work: () => T): T => {
    if (text !== undefined && isEncrypted(text)) throw encrypted(target.file);
    return inFormat(work);
  };
  const held = async (): Promise<string | undefined> => {
    const text = await readPrivate(file);
    return text === undefined ? undefined : inPlain(text, () => format.find(text));
  };
  return {
    async probe() {
      const value = await held();
      await probePrivate(file);
      const isClaimed = await claim.probe();
      if (value === undefined) return 'absent';
      return isClaimed ? 'ours' : 'foreign';
    },
    async compare(secret) {
      const value = await held();
      if (value === undefined) return 'absent';
      return secret.is(value) ? 'current' : 'other';
    },
    async write(secret) {
      await claim.record(secret);
      await changePrivate(file, (text) => inPlain(text, () => format.set(text, secret.reveal())));
    },
    async read() {
      const value = await held();
      return value === undefined ? undefined : new Secret(value);
    },
    exposure: () => exposureOf(file),
    async remove() {
      await changePrivate(file, (text) => (text === undefined ? undefined : inPlain(text, () => format.remove(text))));
      await claim.forget();
    },
  };
}

const encrypted = (file: string): Fault =>
  new Fault(
    'sink.unreadable',
    `${file} cannot be changed: it is encrypted, and the secret would be plain text in it.`,
    {
      hint: 'Nothing was written to it. Deliver to another file, encrypt that one with `encrypt`, or deliver by a program.',
    },
  );
