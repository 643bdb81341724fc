import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { vi } from 'vitest';
import { run } from '../../src/cli/index.ts';
import { LOCK_NAME } from '../../src/domain/index.ts';
import type { Clock } from '../../src/http/index.ts';
import { type ProfileName, type Seed, startReferenceGateway } from '../../src/reference/index.ts';
import { controlOf } from '../contract/control.ts';
import { type Disturbance, type FaultProxy, type Injected, openFaultProxy } from './fault-proxy.ts';

const START = 2_000_000_000;
export const USER_ID = 42;
export const ACCESS_TOKEN = 'canary0token0of0faults';
/**
 * Longer than the client waits for an answer: half a minute at the gateway, ten minutes for a generation. Not much longer: a
 * create that is committed an hour after it was sent is not recognized as that of the run, by design.
 */
const silenceMs = (path: string): number => (path.startsWith('/v1') ? 601_000 : 31_000);

export interface StoredKey {
  readonly id: number;
  readonly name: string;
  readonly status: number;
  readonly group: string;
  readonly remain_quota: number;
  readonly [field: string]: unknown;
}

export interface StoredCharge {
  readonly id: number;
  readonly token_id: number;
  readonly quota: number;
}

interface Stored extends Pick<Truth, 'keys' | 'log'> {
  readonly accounts: readonly { readonly user_id: number; readonly access_token: string }[];
}

/** The ledger of the gateway, with which reports are compared. */
export interface Truth {
  readonly keys: readonly StoredKey[];
  readonly log: readonly StoredCharge[];
  /** The access token that the gateway accepts. */
  readonly accessToken: string;
  /** The access token in the file that a rotation writes; undefined: there is no file. */
  readonly keptToken: string | undefined;
}

/** The file that a rotation writes. */
export const TOKEN_FILE = 'access.token';

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Disturbed<T> {
  readonly result: T;
  readonly injected: readonly Injected[];
}

export interface World {
  readonly profile: ProfileName;
  readonly url: string;
  readonly clock: Clock;
  readonly proxy: FaultProxy;
  truth(): Promise<Truth>;
  write(name: string, text: string): Promise<void>;
  /** Runs a command in this process. @param accessToken omitted: the one of the seed */
  command(words: readonly string[], accessToken?: string): Promise<Ended>;
  /** Runs work with faults in it, and lists those that were played. */
  disturb<T>(disturbance: Disturbance | undefined, work: () => Promise<T>): Promise<Disturbed<T>>;
  close(): Promise<void>;
}

/**
 * A claim of the lock, which can pay for nothing. It is not a key of anybody: one whose delete was lost stays until a run that
 * wants the lock has seen it unchanged for a whole lease.
 */
const isClaim = ({ name, remain_quota, unlimited_quota }: StoredKey): boolean =>
  name === LOCK_NAME && remain_quota === 0 && unlimited_quota === false;

export const seedOf = (keys: readonly { readonly name: string; readonly [field: string]: unknown }[]): Seed => ({
  accounts: [{ userId: USER_ID, accessToken: ACCESS_TOKEN, quota: 500_000_000 }],
  groups: { default: { ratio: 1, desc: '' }, vip: { ratio: 1, desc: '' } },
  models: { 'alpha-chat-1': {} },
  keys: keys.map((key, i) => ({ id: i + 1, remain_quota: 500_000, ...key })),
});

const sink = (): { stream: Writable; text: () => string } => {
  let all = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      all += chunk.toString();
      done();
    },
  });
  return { stream, text: () => all };
};

/** A reference gateway behind a proxy that plays faults, and a folder to run commands in. Waiting takes no time. */
export async function openWorld(profile: ProfileName, seed: Seed): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'keyplane-faults-'));
  let waitedMs = 0;
  const clock: Clock = {
    now: () => START * 1000 + waitedMs,
    async sleep(ms) {
      waitedMs += ms;
      await proxy.onWait();
    },
  };
  const gateway = await startReferenceGateway({ profile, seed, control: true, now: () => clock.now() / 1000 });
  const control = controlOf(gateway.url);
  const proxy = await openFaultProxy(gateway.url, ({ path }) => {
    waitedMs += silenceMs(path);
    vi.advanceTimersByTime(silenceMs(path));
  });
  const env = {
    HOME: folder,
    KEYPLANE_URL: proxy.url,
    KEYPLANE_USER_ID: String(USER_ID),
    NO_COLOR: '1',
  };
  return {
    profile,
    url: proxy.url,
    clock,
    proxy,
    truth: async () => {
      const { keys, log, accounts } = (await control.state()) as object as Stored;
      const accessToken = accounts.find(({ user_id }) => user_id === USER_ID)?.access_token ?? '';
      const keptToken = await readFile(join(folder, TOKEN_FILE), 'utf8').catch(() => undefined);
      return { keys: keys.filter((key) => !isClaim(key)), log, accessToken, keptToken: keptToken?.trim() };
    },
    write: (name, text) => writeFile(join(folder, name), text),
    async command(words, accessToken = ACCESS_TOKEN) {
      const [out, err] = [sink(), sink()];
      const code = await run(words, {
        stdin: Readable.from([]),
        stdout: out.stream,
        stderr: err.stream,
        env: { ...env, KEYPLANE_ACCESS_TOKEN: accessToken },
        cwd: folder,
        clock: () => clock.now() / 1000,
        pause: (seconds) => clock.sleep(seconds * 1000),
        steady: clock.now,
        every: () => () => {},
        random: () => 0.5,
        pid: process.pid,
        keepsCode: () => false,
        host: hostname(),
        onSignal: () => () => {},
      });
      return { code, stdout: out.text(), stderr: err.text() };
    },
    async disturb(disturbance, work) {
      // The time limits of the client end without waiting.
      if (disturbance?.timesOut) vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        await proxy.begin(disturbance);
        const result = await work();
        return { result, injected: await proxy.finish() };
      } finally {
        vi.useRealTimers();
      }
    },
    async close() {
      await proxy.close();
      await gateway.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
