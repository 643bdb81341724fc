import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type Secret, visibleJson } from '../domain/index.ts';
import { changePrivate, type PrivatePath, readPrivate } from './file/private-file.ts';
import {
  type Fingerprint,
  fingerprintOf,
  matchesFingerprint,
  renderFingerprint,
  tryParseFingerprint,
} from './fingerprint.ts';

/**
 * The claim of one sink that has no room for a mark of its own: a small file that shows that Keyplane writes to it, with
 * the fingerprint of what it wrote last. Holds no secret, and may be deleted: the sink then counts as somebody else’s, or is
 * written to once more.
 */
export interface SinkClaim {
  readonly read: () => Promise<Fingerprint | undefined>;
  /** Recorded before the write: a run that is killed between both leaves a claim, and no sink that looks foreign. */
  readonly record: (secret: Secret) => Promise<void>;
  readonly forget: () => Promise<void>;
}

const FOLDER = '.keyplane/sinks';

/** The claim of the sink with this id, in the folder of the manifest that declares it. */
export function sinkClaim(root: string, id: string): SinkClaim {
  const name = createHash('sha256').update(id).digest('hex').slice(0, 32);
  const file: PrivatePath = { root, path: join(FOLDER, `${name}.json`) };
  return {
    async read() {
      const text = await readPrivate(file);
      return text === undefined ? undefined : parseClaim(text);
    },
    async record(secret) {
      const before = parseClaim((await readPrivate(file)) ?? '');
      if (before && matchesFingerprint(secret, before)) return;
      const fingerprint = renderFingerprint(fingerprintOf(secret));
      await changePrivate(file, () => `${visibleJson({ sink: id, fingerprint })}\n`);
    },
    forget: () => changePrivate(file, () => undefined),
  };
}

/** A file that somebody damaged claims nothing. */
function parseClaim(text: string): Fingerprint | undefined {
  try {
    const claim = new Map<string, unknown>(Object.entries(Object(JSON.parse(text))));
    return tryParseFingerprint(claim.get('fingerprint'));
  } catch {
    return undefined;
  }
}
