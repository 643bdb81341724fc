import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Seed } from '../../../src/reference/index.ts';
import { LOG_TYPE } from '../../../src/wire/index.ts';
import { type Compiled, compileGateway } from '../compiled.ts';
import { type Body, SEED, send, startTestGateway } from '../harness.ts';
import { type Ending, kindOf, type Outcome, sendOne } from './mix.ts';

const WALLET = 1_000_000_000;
const GRANT = 100_000_000;
const PAYERS = [1, 2, 3].map((id) => ({ id, name: `payer-${id}`, key: `secret-of-payer-${id}`, remain_quota: GRANT }));

const LOADED: Seed = {
  ...SEED,
  accounts: [{ userId: 42, username: 'anna', accessToken: 'token-of-anna', quota: WALLET }],
  models: {
    ...SEED.models,
    'text-embedding-3-small': { ratio: 0.01 },
    'eta-embedding-001': { ratio: 0.5 },
    failing: { fails: { status: 500 } },
    'gamma-image-2.0': { price: 0.001 },
    'alpha-image-2': { price: 0.002 },
    'film-a': { price: 0.001, family: 'download-video' },
  },
  keys: PAYERS,
};

/** The number of concurrent requests. */
const WORKERS = 64;

const endingOf = (turn: number): Ending =>
  turn % 2 === 0 ? 'whole' : turn % 4 === 1 ? 'immediately' : 'after the head';

/** Sends `count` requests of the mix, half of them aborted; reports each outcome as it arrives. */
async function load(url: string, count: number, onOutcome: (outcome: Outcome) => void): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let turn = next++; turn < count; turn = next++) {
      const kind = kindOf(turn);
      const key = PAYERS[turn % PAYERS.length]?.key;
      if (key) onOutcome(await sendOne(url, { kind, key: `sk-${key}`, ending: endingOf(turn) }));
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
}

const sum = (entries: readonly Body[]): number =>
  entries.reduce((total, { type, quota }) => total + (type === LOG_TYPE.refund ? -1 : 1) * Number(quota), 0);

/** Wallet, keys and log agree to the unit, and nothing is on hold any more. */
function expectAgreement(state: Body): void {
  const [anna] = state.accounts as Body[];
  const log = state.log as Body[];
  expect(state.holds).toEqual([]);
  expect(Number(anna?.used_quota)).toBe(sum(log));
  expect(Number(anna?.quota)).toBe(WALLET - sum(log));
  for (const key of state.keys as Body[]) {
    const used = sum(log.filter(({ token_id }) => token_id === key.id));
    expect([key.used_quota, key.remain_quota]).toEqual([used, GRANT - used]);
  }
}

const idsIn = (state: Body): ReadonlySet<unknown> => new Set((state.log as Body[]).map(({ request_id }) => request_id));

describe('wallet, keys and log', () => {
  it('agree to the unit after 800 mixed requests, half of them killed in the middle', async () => {
    const gateway = await startTestGateway({ seed: LOADED });
    const ids: string[] = [];
    let paid = 0;
    await load(gateway.url, 800, ({ paid: isPaid, requestId }) => {
      if (isPaid) paid += 1;
      if (isPaid && requestId !== undefined) ids.push(requestId);
    });
    // Aborted requests are still being settled: when no hold is left, all of them are.
    while (((await gateway.control('GET', '/holds')).holds as unknown[]).length > 0);
    const state = await gateway.control('GET', '/state');
    await gateway.close();
    expectAgreement(state);
    expect(paid).toBeGreaterThan(240);
    const logged = idsIn(state);
    expect(ids.filter((id) => !logged.has(id))).toEqual([]);
    expect((state.log as Body[]).some(({ type }) => type === LOG_TYPE.error)).toBe(true);
  });
});

describe('a gateway that is killed under that load', () => {
  let compiled: Compiled;
  let folder: string;

  beforeAll(async () => {
    compiled = compileGateway();
    folder = await mkdtemp(join(tmpdir(), 'keyplane-load-'));
  });
  afterAll(async () => {
    compiled.remove();
    await rm(folder, { recursive: true });
  });

  async function start(): Promise<{ child: ChildProcess; url: string }> {
    const options = JSON.stringify({ control: true, data: join(folder, 'ledger.db'), seed: LOADED });
    const child = spawn(process.execPath, [compiled.program, options], { stdio: ['ignore', 'pipe', 'inherit'] });
    if (!child.stdout) throw new Error('no standard output');
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    return { child, url: (JSON.parse(line) as { url: string }).url };
  }

  async function kill(child: ChildProcess): Promise<void> {
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  }

  it('agrees to the unit after a restart, and has what it acknowledged in its log', async () => {
    const acknowledged: string[] = [];
    for (const enough of [50, 100, 150]) {
      const { child, url } = await start();
      let dead: Promise<void> | undefined;
      await load(url, 1000, ({ paid, requestId }) => {
        if (paid && requestId !== undefined) acknowledged.push(requestId);
        if (acknowledged.length >= enough) dead ??= kill(child);
      });
      await (dead ?? kill(child));
    }
    const { child, url } = await start();
    const state = (await send(`${url}/_reference/state`, 'GET')).json ?? {};
    await kill(child);
    expectAgreement(state);
    const logged = idsIn(state);
    expect(acknowledged.length).toBeGreaterThanOrEqual(150);
    expect(acknowledged.filter((id) => !logged.has(id))).toEqual([]);
  });
});
