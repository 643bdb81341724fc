import type { Seed } from '../../src/reference/index.ts';
import { type Declared, openTerraform } from './terraform-core.ts';
import { type Ended, type StoredKey, seedOf, TOKEN_FILE, type World } from './world.ts';

/** The progress of a change, by the ledger of the gateway. `half`: a key exists that should be disabled, and works. */
export type Progress = 'none' | 'half' | 'done';

/** Determines the progress of a change from the keys that exist. */
export type Judge = (keys: readonly StoredKey[]) => Progress;

/** A command whose every request meets every fault. */
export interface Scenario {
  readonly title: string;
  /** Prepares a world, and returns what is run in it. */
  readonly start: (world: World) => Promise<() => Promise<Ended>>;
  readonly seed: Seed;
  readonly files: Readonly<Record<string, string>>;
  /** The changes that an undisturbed run makes, as `verb name`. None: the command only reads. */
  readonly changes: Readonly<Record<string, Judge>>;
  /** The exit code of an undisturbed run. */
  readonly exit: number;
}

const done = (isDone: boolean): Progress => (isDone ? 'done' : 'none');
const named = (keys: readonly StoredKey[], name: string) => keys.filter((key) => key.name === name);
const withId = (keys: readonly StoredKey[], id: number) => keys.find((key) => key.id === id);

const created =
  (name: string, status: number): Judge =>
  (keys) => {
    const found = named(keys, name);
    if (found.length === 0) return 'none';
    return found.some((key) => key.status === status && key.remain_quota === 1_500_000) ? 'done' : 'half';
  };

const deleted =
  (id: number): Judge =>
  (keys) =>
    done(withId(keys, id) === undefined);

const FILES = {
  'before.yaml': 'version: 1\nkeys: { app-on: { enabled: false } }\n',
  'keyplane.yaml': `version: 1
ownership: { scope: "app-*", prune: delete }
defaults: { budget: { usd: 1 } }
keys:
  app-upd: { group: vip, budget: { usd: 2 } }
  app-on: {}
  app-off: { enabled: false }
  app-ren: { renamedFrom: app-old }
  app-new: { budget: { usd: 3 } }
  app-born-off: { enabled: false, budget: { usd: 3 } }
`,
};

const SEED = seedOf([
  { name: 'app-upd' },
  { name: 'app-on', status: 2 },
  { name: 'app-off' },
  { name: 'app-old' },
  { name: 'app-del' },
  { name: 'other', remain_quota: 777 },
]);

const CHANGES: Scenario['changes'] = {
  'disable app-off': (keys) => done(withId(keys, 3)?.status === 2),
  'rename app-ren': (keys) => done(withId(keys, 4)?.name === 'app-ren'),
  'create app-new': created('app-new', 1),
  'create app-born-off': created('app-born-off', 2),
  'update app-upd': (keys) => done(withId(keys, 1)?.group === 'vip' && withId(keys, 1)?.remain_quota === 1_000_000),
  'enable app-on': (keys) => done(withId(keys, 2)?.status === 1),
  'delete app-del': deleted(5),
};

const command =
  (...words: readonly string[]): Scenario['start'] =>
  async (world) =>
  () =>
    world.command(words);

// No request was made before, so the log is complete although it is empty.
const PLANNED = ['--assume-log-complete', '--base', 'before.yaml', '--concurrency', '1', '--format', 'json'];

const CHECKED = {
  'keyplane.yaml': `version: 1
checks: { pong: { module: chat, model: alpha-chat-1 } }
keys:
  app-upd: { budget: { usd: 1 }, checks: [pong] }
  app-off: { budget: { usd: 1 }, checks: [pong] }
`,
};

const NO_BUDGET = { unlimited: null, usd: null, quota: null, per: 'lifetime', below: null, initial: null };

const RESOURCES: readonly Declared[] = [
  { change: 'create app-new', config: { name: 'app-new', budget: { ...NO_BUDGET, usd: 3 } } },
  { change: 'create app-born-off', config: { name: 'app-born-off', enabled: false, budget: { ...NO_BUDGET, usd: 3 } } },
  { change: 'update app-upd', config: { name: 'app-upd', group: 'vip', budget: { ...NO_BUDGET, usd: 2 } }, id: 1 },
  { change: 'rename app-ren', config: { name: 'app-ren' }, id: 4 },
  { change: 'enable app-on', config: { name: 'app-on', enabled: true }, id: 2 },
  { change: 'disable app-off', config: { name: 'app-off', enabled: false }, id: 3 },
  { change: 'delete app-del', config: null, id: 5 },
];

export const SCENARIOS: readonly Scenario[] = [
  { title: 'plan', start: command('plan', ...PLANNED), seed: SEED, files: FILES, changes: {}, exit: 0 },
  {
    title: 'apply',
    start: command('apply', '--yes', ...PLANNED),
    seed: SEED,
    files: FILES,
    changes: CHANGES,
    exit: 0,
  },
  {
    title: 'drift',
    start: command('drift', '--assume-log-complete', '--concurrency', '1', '--format', 'json'),
    seed: SEED,
    files: FILES,
    changes: {},
    exit: 2,
  },
  {
    title: 'import',
    start: command('import', '--concurrency', '1', '--format', 'json'),
    seed: SEED,
    files: {},
    changes: {},
    exit: 0,
  },
  {
    title: 'check',
    start: command('check', '--concurrency', '1', '--format', 'json'),
    seed: SEED,
    files: CHECKED,
    changes: {},
    exit: 0,
  },
  {
    title: 'destroy',
    start: command('destroy', '--yes', '--max-deletes', '9', '--concurrency', '1', '--format', 'json'),
    seed: SEED,
    files: FILES,
    changes: Object.fromEntries(
      ['app-upd', 'app-on', 'app-off', 'app-old', 'app-del'].map((name, i) => [`delete ${name}`, deleted(i + 1)]),
    ),
    exit: 0,
  },
  {
    title: 'rotate',
    // A person whose token is in doubt gets a valid one from the pages of the gateway.
    start: async (world) => async () =>
      world.command(
        ['account', 'rotate-token', '--out', TOKEN_FILE, '--yes', '--format', 'json'],
        (await world.truth()).accessToken,
      ),
    seed: SEED,
    files: {},
    changes: {},
    exit: 0,
  },
  {
    title: 'terraform apply',
    start: (world) => openTerraform(world, RESOURCES),
    seed: SEED,
    files: {},
    changes: CHANGES,
    exit: 0,
  },
];
