import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { request } from 'undici';
import { run } from '../../src/cli/index.ts';
import { LOCK_NAME } from '../../src/domain/index.ts';
import { type ProfileName, startReferenceGateway } from '../../src/reference/index.ts';
import { controlOf } from '../contract/control.ts';
import { startVault } from '../delivery/servers/vault-server.ts';
import { openTap, type Trouble } from './tap.ts';

/** Noon, so that a day has a morning. */
const START = Date.UTC(2026, 10, 20, 12) / 1000;

/** No process has this number. */
const DEAD = 4_194_304;

const ACCOUNTS = [
  { userId: 42, username: 'first', accessToken: 'token-of-the-first', quota: 500_000_000 },
  { userId: 43, username: 'second', accessToken: 'token-of-the-second', quota: 500_000_000 },
] as const;

export interface StoredKey {
  readonly id: number;
  readonly user_id: number;
  readonly name: string;
  readonly status: number;
  readonly key: string;
  readonly group: string;
  readonly model_limits_enabled: boolean;
  readonly model_limits: string;
  readonly allow_ips: string | null;
  readonly expired_time: number;
  readonly remain_quota: number;
  readonly unlimited_quota: boolean;
  readonly [field: string]: unknown;
}

export interface Ended {
  /** Undefined: the process was killed. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** The folder and the account of a command. */
export interface Seat {
  readonly folder: string;
  readonly account: 0 | 1;
}

/** A gateway with two accounts, the command line in front of it, and people who act behind its back. */
export interface Bench {
  readonly profile: ProfileName;
  /** The store on the network where secrets are delivered. */
  readonly vault: Awaited<ReturnType<typeof startVault>>;
  now(): number;
  pass(seconds: number): void;
  keys(): Promise<readonly StoredKey[]>;
  command(seat: Seat, words: readonly string[], trouble?: Trouble): Promise<Ended>;
  edit(id: number, fields: object): Promise<void>;
  remove(key: StoredKey): Promise<void>;
  create(account: 0 | 1, settings: object): Promise<void>;
  /** Returns false where the gateway refuses the use. */
  use(id: number, units: number): Promise<boolean>;
  write(seat: Seat, name: string, text: string): Promise<void>;
  read(seat: Seat, name: string): Promise<string | undefined>;
  close(): Promise<void>;
}

function screen() {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  return { stream, text: () => text };
}

export async function openBench(profile: ProfileName, lock: 'file' | 'gateway'): Promise<Bench> {
  const root = await mkdtemp(join(tmpdir(), 'keyplane-command-days-'));
  let [seconds, runs] = [0, 0];
  const now = (): number => START + seconds;
  const gateway = await startReferenceGateway({
    profile,
    control: true,
    now,
    seed: {
      accounts: [...ACCOUNTS],
      groups: { default: { ratio: 1, desc: '' }, vip: { ratio: 1, desc: '' } },
      models: { 'alpha-chat-1': {}, 'text-embedding-3-small': {} },
      limits: { api: null, search: null, reveal: null },
      keys: [],
    },
  });
  const control = controlOf(gateway.url);
  const tap = await openTap(gateway.url);
  const vault = await startVault();
  const call = async (account: 0 | 1, method: 'POST' | 'DELETE', path: string, body?: object): Promise<void> => {
    const { userId, accessToken } = ACCOUNTS[account];
    const headers = { authorization: accessToken, 'new-api-user': String(userId), 'content-type': 'application/json' };
    const answer = await request(`${gateway.url}${path}`, {
      method,
      headers,
      body: body ? JSON.stringify(body) : null,
    });
    await answer.body.text();
  };
  return {
    profile,
    vault,
    now,
    pass(length) {
      seconds += length;
    },
    async keys() {
      const { keys } = (await control.state()) as unknown as { keys: readonly StoredKey[] };
      return keys.filter(({ name }) => name !== LOCK_NAME).sort((a, b) => a.id - b.id);
    },
    async command({ folder, account }, words, trouble) {
      const [out, err] = [screen(), screen()];
      runs += 1;
      const line = tap.begin(trouble);
      const { userId, accessToken } = ACCOUNTS[account];
      const ended = run(words, {
        stdin: Readable.from([]),
        stdout: out.stream,
        stderr: err.stream,
        env: {
          HOME: root,
          NO_COLOR: '1',
          KEYPLANE_URL: tap.url,
          KEYPLANE_USER_ID: String(userId),
          KEYPLANE_ACCESS_TOKEN: accessToken,
          KEYPLANE_LOCK: lock,
          KEYPLANE_TIMEOUT: '24h',
          KEYPLANE_ALLOWED_SINKS: `vault://${new URL(vault.url).host}/*`,
          VAULT_TOKEN: vault.token,
        },
        cwd: join(root, folder),
        clock: now,
        // What a killed process would do next never happens.
        async pause(length) {
          if (line.isDead()) await new Promise(() => {});
          seconds += length;
        },
        steady: () => seconds * 1000,
        every: () => () => {},
        random: () => 0.5,
        pid: trouble?.kind.startsWith('killed') ? DEAD + runs : process.pid,
        keepsCode: () => false,
        host: hostname(),
        onSignal: () => () => {},
      });
      const code = await Promise.race([ended, line.killed.then(() => undefined)]);
      return { code, stdout: out.text(), stderr: err.text() };
    },
    edit: async (id, fields) => void (await control.patchKey(id, fields)),
    remove: ({ id, user_id }) => call(user_id === 42 ? 0 : 1, 'DELETE', `/api/token/${id}`),
    create: (account, settings) => call(account, 'POST', '/api/token/', settings),
    use: (id, units) =>
      control.spend(id, units).then(
        () => true,
        () => false,
      ),
    async write({ folder }, name, text) {
      const path = join(root, folder, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    },
    read: ({ folder }, name) => readFile(join(root, folder, name), 'utf8').catch(() => undefined),
    async close() {
      await tap.close();
      await vault.close();
      await gateway.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}
