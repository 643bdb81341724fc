import { Fault, type GithubTarget, type Secret } from '../../domain/index.ts';
import type { HttpRequest } from '../../http/index.ts';
import type { SinkHolder, SinkMatch, SinkMetadata, SinkOperations } from '../../reconcile/index.ts';
import { fingerprintOf, matchesFingerprint, renderFingerprint, tryParseFingerprint } from '../fingerprint.ts';
import { afterWrite, type CallSignal, encodedPath, fieldsOf, type RemoteCaller, textOf } from './caller.ts';
import { sealSecret } from './sealed-box.ts';
import { renderTag, tagFingerprint, tagManager, tagUpdate } from './tag.ts';

interface GithubPlace {
  readonly call: RemoteCaller;
  readonly what: string;
  readonly secret: string;
  readonly publicKey: string;
  readonly variables: string;
  readonly mark: string;
}

/** A secret of GitHub, which nobody can read, and the variable next to it that states what it is. */
interface GithubSecret {
  /** When the secret was written last; undefined: there is none. */
  readonly updatedAt: string | undefined;
  /** The text of the variable; undefined: there is none. */
  readonly tag: string | undefined;
}

function placeOf({ githubSecret: { repository, environment, as } }: GithubTarget, call: RemoteCaller): GithubPlace {
  const repo = `/repos/${encodedPath(repository)}`;
  const at = environment === undefined ? `${repo}/actions` : `${repo}/environments/${encodeURIComponent(environment)}`;
  const mark = `KEYPLANE_FP_${as.toUpperCase()}`;
  return {
    call,
    what: environment === undefined ? repository : `${repository}, environment ${environment}`,
    secret: `${at}/secrets/${as}`,
    publicKey: `${at}/secrets/public-key`,
    variables: `${at}/variables`,
    mark,
  };
}

/**
 * A secret of GitHub Actions, of a repository or one of its environments. It cannot be read, so a variable next to it has the
 * fingerprint, and the time at which GitHub stored the secret: a later write of somebody else moves that time.
 */
export function githubSink(target: GithubTarget, call: RemoteCaller): SinkOperations {
  const place = placeOf(target, call);
  return {
    async probe(signal) {
      await publicKeyOf(place, signal);
      return holderOf(await lookAt(place, signal));
    },
    compare: async (secret, signal) => matchOf(await lookAt(place, signal), secret),
    write: (secret, metadata, signal) => writeSecret(place, { secret, metadata }, signal),
    read: async () => undefined,
    async remove(signal) {
      const { tag } = await lookAt(place, signal);
      if (tag === undefined || tagManager(tag) !== 'keyplane') return;
      const gone = { method: 'DELETE', repeatable: true, expects: [204, 404], signal } as const;
      await call({ ...gone, path: place.secret });
      await call({ ...gone, path: `${place.variables}/${place.mark}` });
    },
  };
}

async function lookAt({ call, secret, variables, mark }: GithubPlace, signal: CallSignal): Promise<GithubSecret> {
  const read = async (path: string, field: string): Promise<string | undefined> => {
    const valueIn = (json: unknown): string | undefined => textOf(fieldsOf(json).get(field));
    // An empty answer in place of a secret would let it be replaced, whoever’s it is.
    const isWhole = (json: unknown): boolean => valueIn(json) !== undefined;
    const { status, json } = await call({ method: 'GET', path, expects: [200, 404], isWhole, signal });
    return status === 200 ? valueIn(json) : undefined;
  };
  return { updatedAt: await read(secret, 'updated_at'), tag: await read(`${variables}/${mark}`, 'value') };
}

function holderOf({ updatedAt, tag = '' }: GithubSecret): SinkHolder {
  if (updatedAt === undefined) return 'absent';
  return tagManager(tag) === 'keyplane' ? 'ours' : 'foreign';
}

function matchOf({ updatedAt, tag }: GithubSecret, secret: Secret): SinkMatch {
  if (updatedAt === undefined) return 'absent';
  if (tag === undefined) return 'unknown';
  const known = tryParseFingerprint(tagFingerprint(tag));
  return known && matchesFingerprint(secret, known) && tagUpdate(tag) === updatedAt ? 'current' : 'other';
}

interface PublicKey {
  readonly id: string;
  readonly key: string;
}

/** A repository that the token may not see is answered as one that does not exist; so is one of its environments. */
async function publicKeyOf({ call, publicKey, what }: GithubPlace, signal: CallSignal): Promise<PublicKey> {
  const { status, json, headers } = await call({ method: 'GET', path: publicKey, expects: [200, 404], signal });
  const fields = fieldsOf(json);
  const [id, key] = [textOf(fields.get('key_id')), textOf(fields.get('key'))];
  if (status === 404) {
    throw new Fault('sink.refused', `GitHub has no ${what}, or the token may not see its secrets (404).`, {
      hint: GITHUB_PERMISSIONS,
    });
  }
  // Only classic tokens have scopes.
  const scopes = headers['x-oauth-scopes']?.split(/\s*,\s*/).filter((scope) => scope !== '') ?? [];
  if (scopes.length > 0 && !scopes.some((scope) => scope === 'repo' || scope === 'public_repo')) {
    throw new Fault('sink.unauthorized', 'The token of GitHub lacks the scope `repo`.', { hint: GITHUB_PERMISSIONS });
  }
  if (id !== undefined && key !== undefined) return { id, key };
  throw new Fault('sink.unexpected-answer', 'GitHub returned no public key for secrets.');
}

async function writeSecret(
  place: GithubPlace,
  { secret, metadata }: { readonly secret: Secret; readonly metadata: SinkMetadata },
  signal: CallSignal,
): Promise<void> {
  const { call } = place;
  const before = await lookAt(place, signal);
  if (matchOf(before, secret) === 'current') return;
  const { id, key } = await publicKeyOf(place, signal);
  const isOurs = before.tag !== undefined && tagManager(before.tag) === 'keyplane';
  // A run that is killed after the secret leaves no secret that looks like somebody else's.
  if (!isOurs) await writeTag(place, { tag: renderTag('pending', metadata), exists: before.tag !== undefined }, signal);
  const body = { encrypted_value: await sealSecret(secret, key), key_id: id };
  const staleWhen = /^(409|422 .*key)/i;
  await call({
    method: 'PUT',
    path: place.secret,
    body,
    repeatable: true,
    staleWhen,
    expects: [201, 204],
    signal,
  });
  const record = async (): Promise<void> => {
    const { updatedAt } = await lookAt(place, undefined);
    // Whatever answered the write, GitHub did not store it: the variable must not state that it did.
    if (updatedAt === before.updatedAt) return;
    const fingerprint = `${renderFingerprint(fingerprintOf(secret))} updated=${updatedAt}`;
    await writeTag(place, { tag: renderTag(fingerprint, metadata), exists: true }, undefined);
  };
  await record().catch(afterWrite);
}

async function writeTag(
  { call, variables, mark }: GithubPlace,
  { tag, exists }: { readonly tag: string; readonly exists: boolean },
  signal: CallSignal,
): Promise<void> {
  const body = { name: mark, value: tag };
  if (!exists) {
    const { status } = await call({ method: 'POST', path: variables, body, expects: [201, 409], signal });
    if (status === 201) return;
  }
  await call({ method: 'PATCH', path: `${variables}/${mark}`, body, repeatable: true, expects: [204], signal });
}

const DEFAULT_WAIT_MS = 60_000;

/** GitHub announces its limits in a 403 or a 429: by a header, or for the secondary ones by the text alone. */
export const githubLimit: NonNullable<HttpRequest['limitOf']> = ({ status, text, headers = {} }) => {
  const seconds = Number(headers['retry-after']);
  if (seconds > 0) return { retryAfterMs: seconds * 1000 };
  if (headers['x-ratelimit-remaining'] === '0') {
    const ms = Number(headers['x-ratelimit-reset']) * 1000 - Date.parse(headers.date ?? '');
    return { retryAfterMs: ms > 0 ? ms : DEFAULT_WAIT_MS };
  }
  return status === 429 || /rate limit|abuse detection/i.test(text) ? { retryAfterMs: DEFAULT_WAIT_MS } : undefined;
};

export const GITHUB_HEADERS = [
  'date',
  'retry-after',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-oauth-scopes',
] as const;

export const GITHUB_PERMISSIONS =
  'A fine-grained token needs “Secrets” and “Variables” of the repository with read and write access, for environments also “Environments”; a classic one needs the scope `repo`.';

/** The message that GitHub gives. */
export const reasonOfGithub = (json: unknown): string | undefined => textOf(fieldsOf(json).get('message'));
