import { type KeyId, keyId } from '../domain/index.ts';
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
  /** Creates a key and returns its record. @throws Unprovable when the gateway refuses it */
  readonly make: (settings?: Readonly<Record<string, unknown>>) => Promise<Record<string, unknown>>;
  readonly read: (id: KeyId) => Promise<Readonly<Record<string, unknown>>>;
  /** The length of the names of this run, without what is appended to them. */
  readonly nameLength: number;
  /** The records of this run that are there. */
  readonly left: () => Promise<readonly Record<string, unknown>[]>;
  /** Deletes them all, and returns the names of those that are still there. */
  readonly clean: () => Promise<readonly string[]>;
}

const EVERY_KEY = { page_size: '100', exclude_smart_routing: 'false' };
const MOST_PAGES = 50;

/** @param nonce makes the names of this run different from those of others */
export function openScratch(ask: (question: AnyRequest) => Promise<AnyResponse>, nonce: string): Scratch {
  const prefix = `${SCRATCH_PREFIX}${nonce}-`;
  let count = 0;

  async function left(): Promise<readonly Record<string, unknown>[]> {
    const found = new Map<unknown, Record<string, unknown>>();
    // Some gateways count pages from 0, and answer page 0 as page 1 otherwise.
    for (let page = 0; page <= MOST_PAGES; page += 1) {
      const { json } = await ask({ method: 'GET', path: '/api/token/', query: { ...EVERY_KEY, p: String(page) } });
      const records = recordsIn(json);
      const before = found.size;
      for (const record of records) found.set(record.id, record);
      if (page > 0 && found.size === before) break;
    }
    return [...found.values()].filter(({ name }) => typeof name === 'string' && name.startsWith(prefix));
  }

  async function send(settings: Readonly<Record<string, unknown>>) {
    count += 1;
    const name = `${prefix}${String(count).padStart(2, '0')}${settings.name ?? ''}`;
    const answer = await ask({ method: 'POST', path: '/api/token/', body: { ...PENNILESS, ...settings, name } });
    return { name, answer };
  }

  return {
    nameLength: prefix.length + 2,
    send,
    left,
    async make(settings = {}) {
      const { name, answer } = await send(settings);
      if (!isSuccess(answer)) throw new Unprovable('the gateway refuses to create a key for it');
      const record = (await left()).find((each) => each.name === name);
      if (!record) throw new Unprovable('the key that was created is not listed');
      return record;
    },
    async read(id) {
      const { json } = await ask({ method: 'GET', path: `/api/token/${id}` });
      const data = at(json, 'data');
      if (!isObject(data)) throw new Unprovable('the key cannot be read');
      return data;
    },
    async clean() {
      for (const { id } of await left()) {
        if (typeof id === 'number') await ask({ method: 'DELETE', path: `/api/token/${keyId(id)}`, cleansUp: true });
      }
      return (await left()).map(({ name }) => String(name));
    },
  };
}
