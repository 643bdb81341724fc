// The gateway of a soak, and those who disturb it: people, traffic and a bad network.
import { setTimeout as pause } from 'node:timers/promises';
import type { BenchGateway } from '../bench/programs.ts';
import type { Chance } from './chance.ts';

/** A key as the gateway stores it. */
export interface StoredKey {
  readonly id: number;
  readonly name: string;
  readonly status: number;
  readonly key: string;
  readonly group: string;
  readonly models: string;
  readonly remain_quota: number;
  readonly unlimited_quota: boolean;
  readonly used_quota: number;
  readonly created_time: number;
  readonly [field: string]: unknown;
}

interface LogEntry {
  readonly created_at: number;
  readonly token_id: number;
  readonly type: number;
  readonly quota: number;
}

export interface Stored {
  readonly now: number;
  readonly keys: readonly StoredKey[];
  readonly log: readonly LogEntry[];
}

export const ACCESS_TOKEN = 'soak0access0token0never0printed';

/** The last acts of people, by key id. */
export interface Memory {
  /** Keys of people: no manifest owns them. */
  readonly foreign: Map<number, Readonly<Record<string, unknown>>>;
  /** Keys that a person disabled. */
  readonly disabled: Set<number>;
  readonly counts: Record<'edits' | 'spent' | 'faults', number>;
}

export const emptyMemory = (): Memory => ({
  foreign: new Map(),
  disabled: new Set(),
  counts: { edits: 0, spent: 0, faults: 0 },
});

async function send(url: string, method: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(url, {
    method,
    headers: { connection: 'close', 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}

const control = ({ url }: BenchGateway, method: string, path: string, body?: unknown) =>
  send(`${url}/_reference${path}`, method, body);

export const storedIn = async (gateway: BenchGateway): Promise<Stored> =>
  (await control(gateway, 'GET', '/state')) as Stored;

/** Removes the injected failures, and lets held requests go on. */
export async function calm(gateway: BenchGateway): Promise<void> {
  await control(gateway, 'DELETE', '/faults');
  await control(gateway, 'POST', '/release', {});
}

/** Changes a key as another program with the same account would, in one step that nothing can interrupt. */
const patch = (gateway: BenchGateway, id: number, fields: object) => control(gateway, 'PATCH', `/keys/${id}`, fields);

export interface Disturbance {
  readonly gateway: BenchGateway;
  readonly chance: Chance;
  readonly memory: Memory;
  readonly signal: AbortSignal;
}

/** Does something again and again, with pauses of up to `most` milliseconds, until the signal. */
async function again({ chance, signal }: Disturbance, most: number, act: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await act();
    await pause(chance.number(most));
  }
}

/** Creates the keys of people, which have names outside of every manifest. */
export async function createForeign(gateway: BenchGateway, memory: Memory, count: number): Promise<void> {
  const headers = { authorization: `Bearer ${ACCESS_TOKEN}`, 'new-api-user': '42' };
  for (let n = 1; n <= count; n += 1) {
    const body = { name: `person-${n}`, remain_quota: 1000, unlimited_quota: false, expired_time: -1 };
    await send(`${gateway.url}/api/token/`, 'POST', body, headers);
  }
  for (const { id } of (await storedIn(gateway)).keys) memory.foreign.set(id, {});
}

async function edit({ gateway, chance, memory }: Disturbance): Promise<void> {
  const { keys } = await storedIn(gateway);
  const [first, ...others] = keys;
  if (first === undefined) return;
  const key = chance.pick([first, ...others]);
  memory.counts.edits += 1;
  if (memory.foreign.has(key.id)) {
    const fields = { group: chance.pick(['default', 'vip']), remain_quota: chance.number(5000) };
    memory.foreign.set(key.id, fields);
    await patch(gateway, key.id, fields);
  } else if (chance.happens(0.05)) {
    memory.disabled.add(key.id);
    await patch(gateway, key.id, { status: 2 });
  } else {
    const fields = [
      { group: chance.pick(['default', 'vip']) },
      { allow_ips: '192.0.2.1' },
      { expired_time: -1 },
      { unlimited_quota: true },
      { remain_quota: key.remain_quota + chance.number(500) },
    ] as const;
    await patch(gateway, key.id, chance.pick<object>(fields));
  }
}

async function spend({ gateway, chance, memory }: Disturbance): Promise<void> {
  const { keys } = await storedIn(gateway);
  const [first, ...others] = keys.filter(({ id }) => !memory.foreign.has(id));
  if (first === undefined) return;
  const key = chance.pick([first, ...others]);
  await control(gateway, 'POST', '/spend', { keyId: key.id, quota: 1 + chance.number(60), model: 'alpha-chat-1' });
  memory.counts.spent += 1;
}

const PATHS = ['/api/token/', '/api/log/self', '/api/status', '/api/user/self', '/api'] as const;

async function fail({ gateway, chance, memory }: Disturbance): Promise<void> {
  const failure = chance.pick<Readonly<Record<string, unknown>>>([
    { kind: 'cut-before' },
    { kind: 'cut-after' },
    { kind: 'cut-and-hold' },
    { kind: 'delay', ms: 300 },
    { kind: 'status', code: 500 },
    { kind: 'status', code: 503 },
    { kind: 'html' },
    { kind: 'empty-429', retryAfter: 1 },
    { kind: 'refuse' },
    { kind: 'truncated', by: 'length' },
  ]);
  await control(gateway, 'POST', '/faults', { ...failure, path: chance.pick(PATHS), skip: chance.number(4) });
  memory.counts.faults += 1;
  // Requests that were cut and held take effect now, long before their sender stops looking for them.
  if (chance.happens(0.5)) await control(gateway, 'POST', '/release', {});
}

/** Edits, spends and fails until the signal. */
export async function disturb(disturbance: Disturbance): Promise<void> {
  await Promise.all([
    again(disturbance, 500, () => edit(disturbance)),
    again(disturbance, 200, () => spend(disturbance)),
    again(disturbance, 1500, () => fail(disturbance)),
  ]);
}
