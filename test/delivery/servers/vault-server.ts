import { type ApiAnswer, type ApiRequest, openApiServer } from './api-server.ts';

interface Version {
  data: Record<string, unknown> | null;
  deletion_time: string;
  destroyed: boolean;
}

interface Entry {
  readonly versions: Version[];
  custom: Record<string, string> | null;
  /** OpenBao counts the changes of metadata. */
  metadataVersion?: number;
}

export type Right = 'create' | 'read' | 'update' | 'patch' | 'delete';

export interface VaultOptions {
  readonly token?: string;
  readonly namespace?: string;
  /** Namespaces are ignored, as Vault does without Enterprise. */
  readonly isCommunity?: boolean;
  /** The only secret that the token has rights on. Default: it has them on every one. */
  readonly path?: string;
  /** The capabilities of the token on values. */
  readonly dataRights?: readonly Right[];
  readonly metadataRights?: readonly Right[];
  /** `options.version` of the mount. */
  readonly kvVersion?: '1' | '2';
  /** The policy `default`, which lets a token ask for its capabilities, is missing. */
  readonly isSilentAboutRights?: boolean;
  /** `metadata_cas_required` of OpenBao. */
  readonly needsMetadataVersion?: boolean;
  /** The reads after a write that still show what was there before it, as those of a standby of OpenBao. */
  readonly lag?: number;
}

/** May do everything. */
export const ADMINISTRATOR = 'hvs.root-of-the-tests';

const ALL: readonly Right[] = ['create', 'read', 'update', 'patch', 'delete'];
const NEEDS: Readonly<Record<string, Right>> = { GET: 'read', PATCH: 'patch', DELETE: 'delete' };
const LONG_AGO = '2026-01-01T00:00:00.123456789Z';

const refused = (status: number, ...errors: readonly string[]): ApiAnswer => ({ status, json: { errors } });
const denied = refused(403, '1 error occurred:\n\t* permission denied\n\n');
const absent = refused(404);

/** Custom metadata: bytes, and the characters that Go’s `unicode.IsPrint` accepts. */
const fits = (text: unknown, bytes: number): boolean =>
  typeof text === 'string' &&
  text !== '' &&
  Buffer.byteLength(text) <= bytes &&
  /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u.test(text);

const objectOf = (value: unknown): Record<string, unknown> => Object(value) as Record<string, unknown>;

/** Merges as RFC 7396 does: null removes. */
function merged<T>(base: Record<string, T>, patch: Record<string, unknown>): Record<string, T> {
  const result = { ...base };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = value as T;
  }
  return result;
}

const liveOf = (entry: Entry | undefined): Version | undefined => {
  const last = entry?.versions.at(-1);
  return last && !last.destroyed && last.deletion_time === '' ? last : undefined;
};

/** The version that answers about values end with; without the values. */
function factsOf({ versions, custom }: Entry): Record<string, unknown> {
  const { deletion_time = '', destroyed = false } = versions.at(-1) ?? {};
  return { version: versions.length, custom_metadata: custom, deletion_time, destroyed };
}

function write(entry: Entry, data: Record<string, unknown>): ApiAnswer {
  entry.versions.push({ data, deletion_time: '', destroyed: false });
  return { status: 200, json: { data: factsOf(entry) } };
}

type Entries = Map<string, Entry>;

function readValues(entry: Entry | undefined): ApiAnswer {
  if (!entry || entry.versions.length === 0) return absent;
  const live = liveOf(entry);
  return { status: live ? 200 : 404, json: { data: { data: live?.data ?? null, metadata: factsOf(entry) } } };
}

function changeValues(entries: Entries, { method, body }: ApiRequest, path: string): ApiAnswer {
  const entry = entries.get(path);
  const { data, options } = objectOf(body);
  const { cas } = objectOf(options);
  if (method === 'DELETE') {
    const live = liveOf(entry);
    if (live) live.deletion_time = LONG_AGO;
    return { status: 204 };
  }
  if (method === 'PATCH' && !entry) return { status: 404 };
  if (cas !== undefined && cas !== (entry?.versions.length ?? 0)) {
    return refused(400, 'check-and-set parameter did not match the current version');
  }
  if (method === 'PATCH') {
    const live = liveOf(entry);
    if (entry && live) return write(entry, merged(live.data ?? {}, objectOf(data)));
    return entry && entry.versions.length > 0 ? { status: 404, json: { data: factsOf(entry) } } : { status: 404 };
  }
  const made = entry ?? { versions: [], custom: null };
  entries.set(path, made);
  return write(made, objectOf(data));
}

function readFacts(entry: Entry | undefined): ApiAnswer {
  if (!entry) return absent;
  const versions = Object.fromEntries(
    entry.versions.map(({ deletion_time, destroyed }, index) => [index + 1, { deletion_time, destroyed }]),
  );
  const { metadataVersion, custom: custom_metadata } = entry;
  const counted = metadataVersion === undefined ? {} : { current_metadata_version: metadataVersion };
  return {
    status: 200,
    json: { data: { current_version: entry.versions.length, custom_metadata, versions, ...counted } },
  };
}

/** A patch is judged by its own pairs alone. */
function badFacts(pairs: Record<string, unknown>): ApiAnswer | undefined {
  const given = Object.entries(pairs).filter(([, text]) => text !== null);
  if (given.length <= 64 && given.every(([name, text]) => fits(name, 128) && fits(text, 512))) return undefined;
  return refused(400, '1 error occurred:\n\t* custom_metadata validation failed: …\n\n');
}

function changeFacts(
  entries: Entries,
  { method, body }: ApiRequest,
  { path, needsVersion }: { readonly path: string; readonly needsVersion: boolean },
): ApiAnswer {
  const entry = entries.get(path);
  if (method === 'DELETE') {
    entries.delete(path);
    return { status: 204 };
  }
  const { custom_metadata, metadata_cas } = objectOf(body);
  const pairs = objectOf(custom_metadata);
  const bad = badFacts(pairs);
  if (bad) return bad;
  if (method === 'PATCH' && !entry) return { status: 404 };
  if (needsVersion && metadata_cas === undefined) {
    return refused(400, 'metadata check-and-set parameter required for this call');
  }
  if (needsVersion && metadata_cas !== (entry?.metadataVersion ?? 0)) {
    return refused(400, 'metadata check-and-set parameter does not match the current version');
  }
  const base = method === 'PATCH' ? (entry?.custom ?? {}) : {};
  const next: Entry = { ...(entry ?? { versions: [], custom: null }), custom: merged(base, pairs) as Entry['custom'] };
  if (needsVersion) next.metadataVersion = (entry?.metadataVersion ?? 0) + 1;
  entries.set(path, next);
  return { status: 204 };
}

function destroy(entry: Entry | undefined, body: unknown): ApiAnswer {
  for (const number of objectOf(body).versions as number[]) {
    const version = entry?.versions[number - 1];
    if (version) Object.assign(version, { data: null, destroyed: true });
  }
  return { status: 204 };
}

/** Shows reads what was there before a write, for some of them. */
function delayed(entries: Entries, lag: number) {
  const before = new Map<string, { left: number; readonly entry: Entry | undefined }>();
  return {
    noteWrite: (path: string) => {
      if (lag > 0) before.set(path, { left: lag, entry: structuredClone(entries.get(path)) });
    },
    shown(path: string): Entry | undefined {
      const old = before.get(path);
      if (!old || old.left === 0) return entries.get(path);
      old.left -= 1;
      return old.entry;
    },
  };
}

/**
 * A key-value store of version 2 as Vault and OpenBao have it: versions, check-and-set, merge patches, custom metadata,
 * capabilities, namespaces, sealing. `vault-server.test.ts` asks it and a real server the same questions. Listed in decision 38.
 */
export async function startVault(options: VaultOptions = {}) {
  const { token = 'hvs.test-token-1234', namespace, dataRights = ALL, metadataRights = ALL, kvVersion = '2' } = options;
  const { needsMetadataVersion: needsVersion = false, lag = 0 } = options;
  const entries: Entries = new Map();
  const state = { isSealed: false };
  const reads = delayed(entries, lag);
  const rightsOf = (path: string): readonly Right[] => {
    const [, part, name] = /^secret\/(data|metadata)\/(.+)$/.exec(path) ?? [];
    if (name === undefined || (options.path ?? name) !== name) return [];
    return part === 'data' ? dataRights : metadataRights;
  };
  const allows = (request: ApiRequest, at: string, path: string): boolean =>
    request.headers['x-vault-token'] === ADMINISTRATOR ||
    rightsOf(at).includes(NEEDS[request.method] ?? (entries.has(path) ? 'update' : 'create'));
  const system = (request: ApiRequest): ApiAnswer | undefined => {
    if (request.path === '/v1/sys/capabilities-self') {
      if (options.isSilentAboutRights) return denied;
      const paths = objectOf(request.body).paths as string[];
      const rights = paths.map((path): [string, readonly string[]] => {
        const of = rightsOf(path);
        return [path, of.length === 0 ? ['deny'] : of];
      });
      return { status: 200, json: { data: Object.fromEntries(rights) } };
    }
    if (!request.path.startsWith('/v1/sys/internal/ui/mounts/')) return undefined;
    return request.path.startsWith('/v1/sys/internal/ui/mounts/secret/')
      ? { status: 200, json: { data: { type: 'kv', options: kvVersion === '1' ? null : { version: kvVersion } } } }
      : refused(403, 'preflight capability check returned 403, please ensure client’s policies grant access to it');
  };
  const store = (request: ApiRequest): ApiAnswer => {
    const at = decodeURIComponent(request.path).slice('/v1/'.length);
    const [, kind = '', path = ''] = /^secret\/(data|metadata|destroy)\/(.+)$/.exec(at) ?? [];
    if (path === '') return refused(404, `no handler for route "${at}". route entry not found.`);
    if (!allows(request, at, path)) return denied;
    if (request.method === 'GET') {
      return kind === 'data' ? readValues(reads.shown(path)) : readFacts(reads.shown(path));
    }
    reads.noteWrite(path);
    if (kind === 'destroy') return destroy(entries.get(path), request.body);
    return kind === 'data'
      ? changeValues(entries, request, path)
      : changeFacts(entries, request, { path, needsVersion });
  };
  const server = await openApiServer((request) => {
    if (state.isSealed) return refused(503, 'Vault is sealed');
    if (request.path === '/v1/sys/health') {
      const edition = options.isCommunity === undefined ? {} : { enterprise: !options.isCommunity };
      return { status: 200, json: { initialized: true, sealed: false, ...edition } };
    }
    const asked = options.isCommunity ? '' : (request.headers['x-vault-namespace'] ?? '');
    if (asked !== '' && asked !== namespace) return refused(404, 'namespace not found');
    const given = request.headers['x-vault-token'];
    if (given !== token && given !== ADMINISTRATOR) return refused(403, 'permission denied');
    if (asked !== (namespace ?? '')) return denied;
    return system(request) ?? store(request);
  });
  return Object.assign(server, {
    token,
    entries,
    state,
    /** Writes as somebody else, who has a token of their own. */
    put(path: string, data: Record<string, unknown>, custom?: Record<string, string>) {
      const entry = entries.get(path) ?? { versions: [], custom: null };
      entry.versions.push({ data, deletion_time: '', destroyed: false });
      if (custom) entry.custom = custom;
      entries.set(path, entry);
    },
    live: (path: string) => liveOf(entries.get(path))?.data ?? undefined,
  });
}
