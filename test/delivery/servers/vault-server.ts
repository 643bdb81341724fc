import { type ApiAnswer, type ApiRequest, openApiServer } from './api-server.ts';

interface Version {
  data: Record<string, unknown> | null;
  deletion_time: string;
  destroyed: boolean;
}

interface Entry {
  readonly versions: Version[];
  custom: Record<string, string> | null;
}

type Right = 'create' | 'read' | 'update' | 'patch' | 'delete';

export interface VaultOptions {
  readonly token?: string;
  readonly namespace?: string;
  /** The capabilities of the token on values. Those on metadata are all. */
  readonly dataRights?: readonly Right[];
  readonly metadataRights?: readonly Right[];
  /** `options.version` of the mount. */
  readonly kvVersion?: '1' | '2';
  /** The policy `default`, which lets a token ask for its capabilities, is missing. */
  readonly isSilentAboutRights?: boolean;
}

const ALL: readonly Right[] = ['create', 'read', 'update', 'patch', 'delete'];
const denied: ApiAnswer = { status: 403, json: { errors: ['1 error occurred:\n\t* permission denied\n\n'] } };
/** Custom metadata: bytes, and the characters that Go’s `unicode.IsPrint` accepts. */
const fits = (text: unknown, bytes: number): boolean =>
  typeof text === 'string' && Buffer.byteLength(text) <= bytes && /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u.test(text);

const absent: ApiAnswer = { status: 404, json: { errors: [] } };
const NEEDS: Readonly<Record<string, Right>> = { GET: 'read', PATCH: 'patch', DELETE: 'delete' };

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

/**
 * A key-value store of version 2 as the API documentation of Vault describes it: versions, check-and-set, merge patches,
 * custom metadata, capabilities, namespaces, sealing. Listed in decision 38.
 */
export async function startVault(options: VaultOptions = {}) {
  const { token = 'hvs.test-token-1234', namespace, dataRights = ALL, metadataRights = ALL, kvVersion = '2' } = options;
  const entries = new Map<string, Entry>();
  const state = { isSealed: false };
  const liveOf = (entry: Entry | undefined): Version | undefined => {
    const last = entry?.versions.at(-1);
    return last && !last.destroyed && last.deletion_time === '' ? last : undefined;
  };
  const write = (entry: Entry, data: Record<string, unknown>, cas: unknown): ApiAnswer => {
    if (cas !== undefined && cas !== entry.versions.length) {
      return { status: 400, json: { errors: ['check-and-set parameter did not match the current version'] } };
    }
    entry.versions.push({ data, deletion_time: '', destroyed: false });
    return { status: 200, json: { data: { version: entry.versions.length, custom_metadata: entry.custom } } };
  };
  const values = ({ method, body }: ApiRequest, path: string): ApiAnswer => {
    const entry = entries.get(path);
    const live = liveOf(entry);
    const { data, options: { cas } = {} as Record<string, unknown> } = objectOf(body) as {
      data?: Record<string, unknown>;
      options?: Record<string, unknown>;
    };
    if (method === 'GET') {
      const last = entry?.versions.at(-1);
      if (!entry || !last) return absent;
      const { deletion_time, destroyed } = last;
      const metadata = { version: entry.versions.length, custom_metadata: entry.custom, deletion_time, destroyed };
      return { status: live ? 200 : 404, json: { data: { data: live?.data ?? null, metadata } } };
    }
    if (method === 'PATCH') {
      const last = entry?.versions.at(-1);
      if (!entry || !last) return absent;
      if (live || (cas !== undefined && cas !== entry.versions.length))
        return write(entry, merged(live?.data ?? {}, data ?? {}), cas);
      return {
        status: 404,
        json: { data: { version: entry.versions.length, custom_metadata: entry.custom, ...last } },
      };
    }
    const made = entry ?? { versions: [], custom: null };
    entries.set(path, made);
    return write(made, data ?? {}, cas);
  };
  const metadata = ({ method, body }: ApiRequest, path: string): ApiAnswer => {
    const entry = entries.get(path);
    const custom = objectOf(objectOf(body).custom_metadata);
    if (method === 'GET') {
      if (!entry) return absent;
      const versions = Object.fromEntries(
        entry.versions.map(({ deletion_time, destroyed }, index) => [index + 1, { deletion_time, destroyed }]),
      );
      return {
        status: 200,
        json: { data: { current_version: entry.versions.length, custom_metadata: entry.custom, versions } },
      };
    }
    const next = method === 'PATCH' ? merged(entry?.custom ?? {}, custom) : (custom as Record<string, string>);
    if (method === 'PATCH' && !entry) return absent;
    if (
      Object.keys(next).length > 64 ||
      Object.entries(next).some(([key, text]) => !fits(key, 128) || !fits(text, 512))
    ) {
      return { status: 400, json: { errors: ['custom_metadata validation failed'] } };
    }
    if (entry) entry.custom = next;
    else entries.set(path, { versions: [], custom: next });
    return { status: 204 };
  };
  const rightsOf = (path: string): readonly string[] => (path.startsWith('secret/data/') ? dataRights : metadataRights);
  const allows = (request: ApiRequest, path: string, rights: readonly Right[]): boolean =>
    rights.includes(NEEDS[request.method] ?? (entries.has(path) ? 'update' : 'create'));
  const server = await openApiServer((request) => {
    if (state.isSealed) return { status: 503, json: { errors: ['Vault is sealed'] } };
    if (request.headers['x-vault-token'] !== token) return denied;
    if ((request.headers['x-vault-namespace'] ?? '') !== (namespace ?? '')) {
      return { status: 403, json: { errors: ['permission denied'] } };
    }
    if (request.path === '/v1/sys/capabilities-self') {
      if (options.isSilentAboutRights) return denied;
      const paths = objectOf(request.body).paths as string[];
      return { status: 200, json: { data: Object.fromEntries(paths.map((path) => [path, rightsOf(path)])) } };
    }
    if (request.path.startsWith('/v1/sys/internal/ui/mounts/')) {
      return { status: 200, json: { data: { type: 'kv', options: { version: kvVersion } } } };
    }
    const [, kind, path] = /^\/v1\/secret\/(data|metadata)\/(.+)$/.exec(decodeURIComponent(request.path)) ?? [];
    if (kind === undefined || path === undefined) {
      return { status: 404, json: { errors: ['no handler for route. route entry not found.'] } };
    }
    if (!allows(request, path, kind === 'data' ? dataRights : metadataRights)) return denied;
    return kind === 'data' ? values(request, path) : metadata(request, path);
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
