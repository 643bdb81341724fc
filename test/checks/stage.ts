import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CheckRunOptions, runChecks, type Selected, selectChecks } from '../../src/checks/index.ts';
import { openTaskFile } from '../../src/checks/tasks/task-file.ts';
import { type CheckReport, type CheckResult, type CheckSpec, Secret } from '../../src/domain/index.ts';
import { type Clock, type Gateway, openGateway } from '../../src/gateway/index.ts';
import { type ProfileName, type Seed, startReferenceGateway } from '../../src/reference/index.ts';
import { controlOf } from '../contract/control.ts';

/** When the stage opens. */
export const NOW = 1_800_000_000;

const priced = (price: number, ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, { price }]));

const SEED: Seed = {
  quotaPerUnit: 500_000,
  accounts: [
    { userId: 42, accessToken: 'token-of-anna', quota: 500_000_000 },
    { userId: 43, accessToken: 'token-of-bert', quota: 1 },
  ],
  groups: { default: { ratio: 1, desc: '' }, dear: { ratio: 3, desc: '' } },
  models: {
    'alpha-chat-1': { ratio: 2, completionRatio: 3 },
    'alpha-chat-2': {},
    'alpha-chat-unpriced': { priced: false },
    'text-embedding-3-small': {},
    'text-embedding-3-large': {},
    'text-embedding-004': {},
    'eta-embedding-001': {},
    ...priced(0.01, ['alpha-image-2', 'alpha-image-1', 'beta-imagine-image-2.0', 'beta-imagine-image']),
    ...priced(0.01, ['gamma-image-2.0', 'gamma-image-max', 'gamma-image-edit', 'gamma-image-edit-plus']),
    ...priced(0.01, ['eta-2.5-flash-image', 'eta-3.1-flash-image']),
    ...priced(0.1, ['epsilon-video-2-0-260128', 'epsilon-video-2-0-mini-260615', 'delta-H3']),
    'film-download': { price: 0.1, family: 'download-video' },
    'film-flat': { price: 0.1, family: 'flat-video' },
    'film-nested': { price: 0.1, family: 'nested-video' },
    'film-asset': { price: 0.1, family: 'asset-video' },
    'film-dedicated': { price: 0.1, family: 'dedicated-video' },
  },
  keys: [
    { id: 1, name: 'open', key: 'open', unlimited_quota: true },
    {
      id: 2,
      name: 'narrow',
      key: 'narrow',
      unlimited_quota: true,
      model_limits_enabled: true,
      model_limits: 'alpha-chat-1',
    },
    { id: 3, name: 'elsewhere', key: 'elsewhere', unlimited_quota: true, allow_ips: '203.0.113.7' },
    { id: 4, name: 'spent', key: 'spent', remain_quota: 0 },
    { id: 5, name: 'off', key: 'off', unlimited_quota: true, status: 2 },
    { id: 6, name: 'over', key: 'over', unlimited_quota: true, expired_time: NOW - 3600 },
    { id: 7, name: 'here', key: 'here', unlimited_quota: true, allow_ips: '127.0.0.1' },
    { id: 8, name: 'small', key: 'small', remain_quota: 1 },
    { id: 10, name: 'dear', key: 'dear', unlimited_quota: true, group: 'dear' },
    {
      id: 11,
      name: 'filmed',
      key: 'filmed',
      unlimited_quota: true,
      model_limits_enabled: true,
      model_limits: 'epsilon-video-2-0-260128',
    },
    { id: 9, name: 'poor', key: 'poor', unlimited_quota: true, user_id: 43 },
  ],
};

type SpecGiven = Pick<CheckSpec, 'module'> & Partial<CheckSpec>;
type More = Partial<Omit<CheckRunOptions, 'keys' | 'selected'>>;

/** The reference gateway and the client of it in one time, which moves only when somebody waits. */
export interface Stage {
  readonly gateway: Gateway;
  readonly control: ReturnType<typeof controlOf>;
  readonly url: string;
  /** Its time: waiting passes it, and takes none. */
  readonly clock: Clock;
  /** Runs one check of one key; `open` unless reported. */
  run(spec: SpecGiven, more?: More & { key?: string }): Promise<CheckResult>;
  /** Runs what these keys select. */
  report(asked: Parameters<typeof selectChecks>[0], more?: More): Promise<CheckReport>;
  /** Requests that the gateway has seen since it was last asked, by method and route. */
  counts(): Promise<Record<string, number>>;
  /** Lets so many milliseconds pass. */
  advance(ms: number): void;
  close(): Promise<void>;
}

export const specOf = (given: SpecGiven): CheckSpec => ({
  name: given.name ?? given.module,
  request: {},
  expect: {},
  retries: 0,
  folder: '.',
  ...given,
});

/** @param account 42, with money; 43, whose wallet is empty. */
export async function openStage(profile: ProfileName, account: 42 | 43 = 42): Promise<Stage> {
  let ms = NOW * 1000;
  const clock = {
    now: () => ms,
    sleep: async (wait: number) => {
      ms += wait;
    },
  };
  const reference = await startReferenceGateway({ profile, now: () => ms / 1000, seed: SEED, control: true });
  const accessToken = new Secret(account === 42 ? 'token-of-anna' : 'token-of-bert');
  const gateway = openGateway({ url: reference.url, userId: account, accessToken, clock });
  const folder = await mkdtemp(join(tmpdir(), 'keyplane-stage-'));
  const control = controlOf(reference.url);
  const options = async (more: More): Promise<Omit<CheckRunOptions, 'selected'>> => ({
    gateway,
    keys: await gateway.store.walk(),
    declaredOff: new Map(),
    quotaPerUnit: await gateway.store.quotaPerUnit(),
    tasks: openTaskFile({
      path: join(folder, 'tasks.jsonl'),
      account: gateway.store.account,
      usage: () => gateway.store.usage(),
      run: randomUUID(),
      owner: { pid: 1, host: 'stage', started: null },
      hasEnded: async () => true,
      now: clock.now,
      resubmit: false,
    }),
    clock,
    concurrency: 4,
    ...more,
  });
  const run = async (selected: readonly Selected[], more: More) => {
    // Costs of one run are reported from those of another by time where the gateway names no requests.
    ms += 60_000;
    return runChecks({ ...(await options(more)), selected });
  };
  return {
    gateway,
    control,
    url: reference.url,
    clock,
    async run(given, { key = 'open', ...more } = {}) {
      const spec = specOf(given);
      const selections = new Map([[key, [spec.name]]]);
      const report = await run(selectChecks({ selections, definitions: [spec], asked: [], costly: true }), more);
      if (report.fatal) throw report.fatal;
      return report.results[0] as CheckResult;
    },
    report: (asked, more = {}) => run(selectChecks(asked), more),
    counts: async () => (await control.takeRequests()).requests,
    advance(wait) {
      ms += wait;
    },
    async close() {
      await gateway.close();
      await reference.close();
      await rm(folder, { recursive: true });
    },
  };
}
