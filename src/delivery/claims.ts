import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { formerSinkId, type Secret, type SinkTarget, sinkAudience, sinkId, visibleJson } from '../domain/index.ts';
import { changePrivate, type PrivatePath, probePrivate, readPrivate } from './file/private-file.ts';
import {
  type Fingerprint,
  fingerprintOf,
  matchesFingerprint,
  renderFingerprint,
  tryParseFingerprint,
} from './fingerprint.ts';

/** The last write of Keyplane to a sink. */
export interface SinkRecord {
  readonly fingerprint: Fingerprint;
  /** See `sinkAudience`; part of the fingerprint. */
  readonly audience: readonly string[];
}

/**
 * The claim of one sink that has no room for a mark of its own: a small file that shows that Keyplane writes to it, with
 * the fingerprint of what it wrote last. Holds no secret, and may be deleted: the sink then counts as somebody else’s, or is
 * written to once more.
 */
export interface SinkClaim {
  /** Verifies that a claim may be recorded, without recording one, and returns whether there is one. */
  readonly probe: () => Promise<boolean>;
  readonly read: () => Promise<SinkRecord | undefined>;
  /** Recorded before the write: a run that is killed between both leaves a claim, and no sink that looks foreign. */
  readonly record: (secret: Secret) => Promise<void>;
  readonly forget: () => Promise<void>;
}

const FOLDER = '.keyplane/sinks';

const fileOf = (root: string, id: string): PrivatePath => {
  const name = createHash('sha256').update(id).digest('hex').slice(0, 32);
  return { root, path: join(FOLDER, `${name}.json`) };
};

/** The claim of a sink, in the folder of the manifest that declares it. */
export function sinkClaim(root: string, target: SinkTarget): SinkClaim {
  const id = sinkId(target);
  const audience = sinkAudience(target);
  const file = fileOf(root, id);
  const former = fileOf(root, formerSinkId(target));
  const read = async (): Promise<SinkRecord | undefined> => {
    const text = (await readPrivate(file)) ?? (await readPrivate(former));
    return text === undefined ? undefined : parseClaim(text);
  };
  return {
    async probe() {
      await probePrivate(file);
      return (await read()) !== undefined;
    },
    read,
    async record(secret) {
      const before = await read();
      if (before && matchesFingerprint(secret, before.fingerprint, audience)) return;
      const fingerprint = renderFingerprint(fingerprintOf(secret, audience));
      const text = visibleJson({ sink: id, fingerprint, ...(audience.length === 0 ? {} : { audience }) });
      await changePrivate(file, () => `${text}\n`);
    },
    async forget() {
      for (const each of [file, former]) await changePrivate(each, () => undefined);
    },
  };
}

/** A file that somebody damaged claims nothing. */
function parseClaim(text: string): SinkRecord | undefined {
  try {
    const claim = new Map<string, unknown>(Object.entries(Object(JSON.parse(text))));
    const fingerprint = tryParseFingerprint(claim.get('fingerprint'));
    const audience = claim.get('audience');
    if (fingerprint === undefined) return undefined;
    return { fingerprint, audience: Array.isArray(audience) ? audience.map(String) : [] };
  } catch {
    return undefined;
  }
}
