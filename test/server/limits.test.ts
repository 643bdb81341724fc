import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EXIT } from '../../src/cli/output/exit-codes.ts';
import type { Ended, Hours } from '../acceptance/place.ts';
import { type FaultProxy, openFaultProxy } from '../faults/fault-proxy.ts';
import { type ClientFolder, openClientFolder } from './client-folder.ts';
import { openPeer } from './open-peer.ts';
import type { Owner, Peer } from './peer.ts';

const { KEYPLANE_ACCEPTANCE_URL: URL, KEYPLANE_ACCEPTANCE_LIMITS: LIMITS, KEYPLANE_ACCEPTANCE_PROFILE } = process.env;
const WITHOUT_LIMITS = 'KEYPLANE_ACCEPTANCE_LIMITS is not "on": the server has no rate limits';
const WAITS = /Waiting for the gateway’s rate limit: next request in \d+/;

/** All that run concurrently, once, and then single requests after ever longer waits, until a window of three minutes ends. */
const MOST_REFUSED = 20;

describe.skipIf(URL && LIMITS !== 'on')(`a gateway with rate limits (otherwise skipped: ${WITHOUT_LIMITS})`, () => {
  // The reference gateway's clock passes with the client's.
  const hours: Hours | undefined = URL ? undefined : { passed: 0 };
  let peer: Peer;
  let proxy: FaultProxy;
  let folder: ClientFolder;
  /** One for each test: an exhausted limit would refuse to make more. */
  const owners: Owner[] = [];
  beforeAll(async () => {
    peer = await openPeer({ limits: 'on', ...(hours && { now: () => Date.now() / 1000 + hours.passed }) });
    proxy = await openFaultProxy(peer.url, () => {});
    for (let test = 1; test <= 3; test += 1) owners.push(await peer.makeOwner('rich'));
  });
  afterAll(async () => {
    await proxy.close();
    await peer.close();
  });
  beforeEach(async () => {
    const owner = owners.pop();
    if (owner === undefined) throw new Error('no account is left');
    folder = await openClientFolder({ url: proxy.url, owner, hours, env: { KEYPLANE_LOCK: 'gateway' } });
  });
  afterEach(() => folder.close());

  /** Runs a command, and counts the requests that the limits refused. */
  async function counted(...words: readonly string[]): Promise<Ended & { refused: number }> {
    await proxy.begin();
    const ended = await folder.run(...words);
    await proxy.finish();
    const refused = proxy.seen.filter(({ delivered }) => delivered.includes(429)).length;
    return { ...ended, refused };
  }

  const names = async (): Promise<readonly string[]> => {
    const { code, stdout } = await folder.run('keys', 'list', '--format', 'json');
    expect([code, stdout]).toEqual([EXIT.done, expect.any(String)]);
    return (JSON.parse(stdout) as { data: { keys: readonly { name: string }[] } }).data.keys.map(({ name }) => name);
  };

  it('gets more keys than it admits requests, with stated waits, and is not asked again and again', async () => {
    const length = KEYPLANE_ACCEPTANCE_PROFILE === 'deployed@1.0' ? 400 : peer.kind.manyKeys;
    const many = Array.from({ length }, (_, i) => `app-${i + 1}`);
    await folder.declare(many.map((name) => `  ${name}: { budget: { quota: 1000 } }\n`).join(''));
    const applied = await counted('apply', '--yes');
    expect(applied).toMatchObject({ code: EXIT.done, stderr: expect.stringMatching(WAITS) });
    expect(applied.refused).toBeGreaterThan(0);
    expect(applied.refused).toBeLessThanOrEqual(MOST_REFUSED);
    expect([...(await names())].sort()).toEqual([...many].sort());
    expect(await folder.run('drift')).toMatchObject({ code: EXIT.done });
  });

  it('is searched more often than it admits, and each run ends with the truth', async (context) => {
    if (!peer.kind.has.searches) context.skip(`${peer.name} searches in its list of keys`);
    const runs: Awaited<ReturnType<typeof counted>>[] = [];
    for (let budget = 1; budget <= 14; budget += 1) {
      await folder.declare(`  app: { budget: { quota: ${budget}000 } }\n`);
      runs.push(await counted('apply', '--yes'));
    }
    expect(runs.map(({ code }) => code)).toEqual(runs.map(() => EXIT.done));
    const refused = runs.reduce((sum, run) => sum + run.refused, 0);
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThanOrEqual(MOST_REFUSED);
    expect(runs.filter(({ stderr }) => WAITS.test(stderr))).not.toEqual([]);
    expect(await names()).toEqual(['app']);
  });

  it('reveals until its bucket is empty, and is then left alone until it is full again', async (context) => {
    if (!peer.kind.has.reveals) context.skip(`${peer.name} lists secrets`);
    await folder.declare(`  app: { budget: { quota: 1000 } }\n`);
    expect(await folder.run('apply', '--yes')).toMatchObject({ code: EXIT.done });
    let revealed = 0;
    let last = await counted('keys', 'reveal', 'app');
    for (; last.code === EXIT.done; last = await counted('keys', 'reveal', 'app')) revealed += 1;
    expect(revealed).toBeLessThanOrEqual(20);
    expect(last).toMatchObject({ code: EXIT.error, stdout: '' });
    expect(last.stderr).toMatch(/Try again in (1\d|20) minutes/);
    expect(last.refused).toBeLessThanOrEqual(3);
  });
});
