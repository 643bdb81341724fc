import { NEW_API, type ServerKind } from '../kinds.ts';
import { headersOf, type Owner } from '../peer.ts';

/** One request as data. `<0>` in path and body is the id of the first key of the account, `<1>` that of the second. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  /** JSON text, because some requests are not JSON, and some numbers have more digits than JavaScript keeps. */
  readonly body?: string;
  /** The sender. Omitted: the owner of the account. A number: the key at this place. */
  readonly as?: 'nobody' | 'stranger' | number;
}

export interface Answer {
  readonly status: number;
  /** The parsed body, or the first characters of a text. */
  readonly body: unknown;
}

type Json = Readonly<Record<string, unknown>>;

/** One account at one peer, with the ids of its keys in the order in which they were made. */
export interface Side {
  readonly url: string;
  readonly owner: Owner;
  readonly kind: ServerKind;
  /** The ids of all keys that were ever seen. */
  readonly seen: unknown[];
  /** The ids of the keys that are there, oldest first. */
  live: readonly unknown[];
  readonly secrets: Map<unknown, string>;
}

/** An entry that is not there by then stays away. */
const MOST_LOOKS = 50;

/** No peer has a key with this id. */
const MISSING = 987_654_321;

export const sideOf = (url: string, owner: Owner, kind = NEW_API): Side => ({
  url,
  owner,
  kind,
  seen: [],
  live: [],
  secrets: new Map(),
});

const idAt = ({ live }: Side, place: number): unknown => (live.length === 0 ? MISSING : live[place % live.length]);

const withIds = (side: Side, text: string): string =>
  text.replace(/<(\d+)>/g, (_, place: string) => String(idAt(side, Number(place))));

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text.slice(0, 200);
  }
};

async function request(
  url: string,
  { method, path, body }: Operation,
  headers: Record<string, string>,
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    redirect: 'manual',
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, body: parse(await response.text()) };
}

async function secretOf(side: Side, id: unknown): Promise<string> {
  const known = side.secrets.get(id);
  if (known !== undefined) return known;
  const revealed = await request(side.url, { method: 'POST', path: `/api/token/${id}/key` }, headersOf(side.owner));
  // Versions before 0.11.4 show it in the record.
  const path = `/api/token/${id}`;
  const { body } =
    revealed.status === 404 ? await request(side.url, { method: 'GET', path }, headersOf(side.owner)) : revealed;
  const key = String(((body as Json)?.data as Json)?.key ?? '').replace(/^sk-/, '');
  side.secrets.set(id, key);
  return key;
}

async function headersFor(side: Side, as: Operation['as']): Promise<Record<string, string>> {
  if (as === 'nobody') return {};
  if (as === 'stranger') return { ...headersOf(side.owner), authorization: 'Bearer nobody-has-this-token' };
  if (as === undefined) return headersOf(side.owner);
  return { authorization: `Bearer sk-${await secretOf(side, idAt(side, as))}` };
}

export async function perform(side: Side, operation: Operation): Promise<Answer> {
  const { method, path, body, as } = operation;
  const filled = { method, path: withIds(side, path), ...(body === undefined ? {} : { body: withIds(side, body) }) };
  return request(side.url, filled, await headersFor(side, as));
}

const readAs = (side: Side, path: string): Promise<Answer> =>
  request(side.url, { method: 'GET', path }, headersOf(side.owner));

/** Reads all keys of the account. */
export async function readState(side: Side): Promise<Answer> {
  const { path, read } = side.kind.keys;
  const answer = await readAs(side, path);
  const ids = read((answer.body as Json)?.data)
    .map(({ id }) => id)
    .sort((a, b) => Number(a) - Number(b));
  side.live = ids;
  side.seen.push(...ids.filter((id) => !side.seen.includes(id)));
  return answer;
}

async function countUses(side: Side): Promise<number> {
  const { path, read } = side.kind.use;
  return read(((await readAs(side, path)).body as Json)?.data);
}

/** Uses a key, and waits for the entry in the log: servers charge the key after they have answered. */
export async function use(side: Side, operation: Operation): Promise<Answer> {
  const before = await countUses(side);
  const answer = await perform(side, operation);
  for (let look = 1; answer.status === 200 && look <= MOST_LOOKS; look += 1) {
    if ((await countUses(side)) > before) break;
  }
  return answer;
}

/** Deletes all keys of the account. */
export async function empty(side: Side): Promise<void> {
  await readState(side);
  for (const id of side.live) {
    await request(side.url, { method: 'DELETE', path: `/api/token/${id}` }, headersOf(side.owner));
  }
  side.live = [];
  side.seen.length = 0;
  side.secrets.clear();
}
