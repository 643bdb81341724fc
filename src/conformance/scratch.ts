import { asFault, type Fault, type KeyId, keyId } from '../domain/index.ts';
import type { AnyRequest, AnyResponse } from '../gateway/index.ts';
import { at, isObject, isSuccess, recordsIn, Unprovable } from './answers.ts';

/** Names that begin like this belong to conformance runs. Some gateways store 30 bytes of a name. */
const SCRATCH_PREFIX = 'keyplane-probe-';

/** Settings of a key that can pay for nothing. */
const PENNILESS = {
  expired_time: -1,
  remain_quota: 0,
  unlimited_quota: false,
  model_limits_enabled: false,
  model_limits: '',
  allow_ips: '',
  group: '',
  cross_group_retry: false,
};

/** Keys of this run. Each is deleted at its end. */
export interface Scratch {
  /** Sends the create of a key and returns the answer. */
  readonly send: (settings: Readonly<Record<string, unknown>>) => Promise<{ name: string; answer: AnyResponse }>;
  /** Creates a key and returns its record. @throws Unprovable when the gateway refuses it, or has no such restriction */
  readonly make: (settings?: Readonly<Record<string, unknown>>) => Promise<Record<string, unknown>>;
  readonly read: (id: KeyId) => Promise<Readonly<Record<string, unknown>>>;
  /** The length of the names of this run, without what is appended to them. */
  readonly nameLength: number;
  /**
   * Deletes all keys of this run. Never throws.
   *
   * @returns the names of those that are still there, or may be: the gateway has not shown that they are gone
   */
  readonly clean: () => Promise<readonly string[]>;
}

/** Under all names that gateways have for a page and its size. */
const EVERY_KEY = { page_size: '100', size: '100', exclude_smart_routing: 'false' };

/** The settings that restrict a key. Some gateways have them under another name, and ignore this one. */
const RESTRICTIONS = ['model_limits', 'allow_ips', 'group'];
const MOST_PAGES = 50;

/** An answer that proves that no key was made. */
const isRefusal = ({ status, json }: AnyResponse): boolean =>
  status < 500 && (status >= 300 || at(json, 'success') === false);

/** A request that made no key, whatever the gateway does: it was not sent, or turned away by a rate limit. */
const wasNotSent = ({ code, detail }: Fault): boolean => detail.sent === 'no' || code === 'gateway.rate-limited';

/** The same record. @throws Unprovable where it has no field for one of the settings */
function withRestrictions<T extends object>(settings: Readonly<Record<string, unknown>>, record: T): T {
  const lacked = RESTRICTIONS.find((field) => settings[field] !== undefined && !Object.hasOwn(record, field));
  if (lacked !== undefined) throw new Unprovable(`keys have no field ${lacked} here`);
  return record;
}

const unlisted = (): Unprovable => new Unprovable('the keys cannot be listed');

type Ask = (question: AnyRequest) => Promise<AnyResponse>;

/** The records of all keys. @throws Unprovable */
async function listed(ask: Ask): Promise<readonly Record<string, unknown>[]> {
  const found = new Map<unknown, Record<string, unknown>>();
  let pages = 0;
  // Some gateways count pages from 0, and answer page 0 as page 1 otherwise.
  for (let page = 0; page <= MOST_PAGES; page += 1) {
    const answer = await ask({
      method: 'GET',
      path: '/api/token/',
      query: { ...EVERY_KEY, p: String(page), page: String(page) },
    });
    if (isSuccess(answer)) pages += 1;
    if (answer.status >= 500) throw unlisted();
    const before = found.size;
    for (const record of recordsIn(answer.json)) found.set(record.id, record);
    if (page > 0 && found.size === before) break;
  }
  if (pages === 0) throw unlisted();
  return [...found.values()];
}

/** @param nonce makes the names of this run different from those of others */
export function openScratch(ask: Ask, nonce: string): Scratch {
  const prefix = `${SCRATCH_PREFIX}${nonce}-`;
  let count = 0;
  /** Names by their beginning, as some gateways cut the end off: of keys that may be there. */
  const open = new Map<string, string>();
  const seen = new Set<string>();
  const beginningOf = (name: string): string => name.slice(0, prefix.length + 2);

  /** The records of this run that are there. */
  async function left(): Promise<readonly Record<string, unknown>[]> {
    const all = await listed(ask);
    const own = all.filter(({ name }) => typeof name === 'string' && name.startsWith(prefix));
    const there = new Set(own.map(({ name }) => beginningOf(String(name))));
    // What was never listed may be on a page that the gateway does not show.
    for (const each of seen) if (!there.has(each)) open.delete(each);
    for (const { name } of own) open.set(beginningOf(String(name)), String(name));
    for (const each of there) seen.add(each);
    return own;
  }

  async function send(settings: Readonly<Record<string, unknown>>) {
    count += 1;
    const name = `${prefix}${String(count).padStart(2, '0')}${settings.name ?? ''}`;
    open.set(beginningOf(name), name);
    const body = { ...PENNILESS, ...settings, name };
    const answer = await ask({ method: 'POST', path: '/api/token/', body }).catch((thrown: unknown) => {
      if (wasNotSent(asFault(thrown))) open.delete(beginningOf(name));
      throw thrown;
    });
    if (isRefusal(answer)) open.delete(beginningOf(name));
    return { name, answer };
  }

  return {
    nameLength: prefix.length + 2,
    send,
    async make(settings = {}) {
      const { name, answer } = await send(settings);
      if (!isSuccess(answer)) throw new Unprovable('the gateway refuses to create a key for it');
      const record = (await left()).find((each) => each.name === name);
      if (!record) throw new Unprovable('the key that was created is not listed');
      return withRestrictions(settings, record);
    },
    async read(id) {
      const { json } = await ask({ method: 'GET', path: `/api/token/${id}` });
      const data = at(json, 'data');
      if (!isObject(data)) throw new Unprovable('the key cannot be read');
      return data;
    },
    async clean() {
      const ignore = (): undefined => undefined;
      for (const { id } of (await left().catch(ignore)) ?? []) {
        if (typeof id !== 'number') continue;
        await ask({ method: 'DELETE', path: `/api/token/${keyId(id)}`, cleansUp: true }).catch(ignore);
      }
      if (open.size > 0) await left().catch(ignore);
      return [...open.values()];
    },
  };
}
