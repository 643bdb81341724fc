import { createHash } from 'node:crypto';
import { type AgeTarget, type Secret, SIDECAR, sinkAudience } from '../domain/index.ts';
import type { SinkMatch, SinkOperations } from '../reconcile/index.ts';
import { changePrivate, type PrivatePath, probePrivate, readPrivate } from './file/private-file.ts';
import {
  type Fingerprint,
  fingerprintOf,
  matchesFingerprint,
  renderFingerprint,
  tryParseFingerprint,
} from './fingerprint.ts';

/** The facts about an encrypted file that are known without its key: an age file names no recipient. */
interface Sidecar {
  /** The mark of the secret and of what follows: the file is often committed, and a change of the line must not hide one of the recipients. */
  readonly fingerprint: Fingerprint;
  readonly recipients: string;
  /** The digest of the encrypted text: the line is never believed about another one. */
  readonly digest: string;
}

/** Is it the line that was written with this secret? */
const isOf = (secret: Secret, { fingerprint, recipients, digest }: Sidecar): boolean =>
  matchesFingerprint(secret, fingerprint, [recipients, digest]);

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const recipientsOf = ({ encrypt }: AgeTarget): string => [...new Set(encrypt)].sort().join(' ');

function tryParse(text: string | undefined): Sidecar | undefined {
  try {
    const line = new Map<string, unknown>(Object.entries(Object(JSON.parse(text ?? ''))));
    const fingerprint = tryParseFingerprint(line.get('fingerprint'));
    if (fingerprint === undefined) return undefined;
    return { fingerprint, recipients: String(line.get('recipients')), digest: String(line.get('digest')) };
  } catch {
    return undefined;
  }
}

/** The library is loaded only where something is encrypted. */
async function encrypt(secret: Secret, recipients: readonly string[]): Promise<string> {
  const { armor, Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  return `${armor.encode(await encrypter.encrypt(secret.reveal())).trim()}\n`;
}

/**
 * A file that only the holders of age keys can read. A line in a second file next to it has the fingerprint, the recipients and
 * the digest of the encrypted text. It is written first: after a crash between the two, the digest shows that it is not true yet.
 */
export function ageSink(target: AgeTarget, root: string): SinkOperations {
  const file: PrivatePath = { root, path: target.file };
  const side: PrivatePath = { root, path: target.file + SIDECAR };
  const sidecar = async (): Promise<Sidecar | undefined> => tryParse(await readPrivate(side));
  const compare = async (secret: Secret): Promise<SinkMatch> => {
    const text = await readPrivate(file);
    if (text === undefined) return 'absent';
    const line = await sidecar();
    const isKnown = line?.digest === digestOf(text) && line.recipients === recipientsOf(target);
    return isKnown && isOf(secret, line) ? 'current' : 'other';
  };
  return {
    async probe() {
      const text = await readPrivate(file);
      for (const each of [file, side]) await probePrivate(each);
      if (text === undefined) return 'absent';
      return (await sidecar()) ? 'ours' : 'foreign';
    },
    async audience(secrets) {
      const line = await sidecar();
      if (line === undefined || !secrets.some((each) => isOf(each, line))) return { now: sinkAudience(target) };
      return { now: sinkAudience(target), before: sinkAudience({ ...target, encrypt: line.recipients.split(' ') }) };
    },
    compare,
    async write(secret) {
      if ((await compare(secret)) === 'current') return;
      const text = await encrypt(secret, target.encrypt);
      const [recipients, digest] = [recipientsOf(target), digestOf(text)];
      const line = { fingerprint: renderFingerprint(fingerprintOf(secret, [recipients, digest])), recipients, digest };
      await changePrivate(side, () => `${JSON.stringify(line)}\n`);
      await changePrivate(file, () => text);
    },
    // The key that opens it is somebody else’s.
    read: async () => undefined,
    async remove() {
      await changePrivate(file, () => undefined);
      await changePrivate(side, () => undefined);
    },
  };
}
