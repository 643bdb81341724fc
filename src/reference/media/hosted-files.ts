import type { GatewayContext } from '../context.ts';
import { REQUEST_ID_LENGTH, randomText } from '../random.ts';

/** The path of hosted files. Fetching one needs no credentials, but cannot be done without its random name. */
export const FILES_PATH = '/files/';

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
};

interface HostedFile {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  /** The lifetime, by the gateway's clock. */
  readonly seconds: number;
}

/** Stores a file in the ledger for some time, and returns its ID and path. Deletes expired files. */
export function hostFile(
  context: GatewayContext,
  { bytes, mediaType, seconds }: HostedFile,
): { id: string; path: string } {
  const id = `file_${randomText(context.random, REQUEST_ID_LENGTH)}`;
  const now = context.clock.now();
  const file = { id, created_at: now, expires_at: now + seconds, media_type: mediaType, bytes };
  context.ledger.transact(() => {
    context.ledger.files.purge(now);
    context.ledger.files.insert(file);
  });
  return { id, path: `${FILES_PATH}${id}.${EXTENSIONS[mediaType] ?? 'bin'}` };
}
