import type { Place } from '../acceptance/place.ts';
import { ROTATING } from './rotating-victims.ts';

/** A command that is killed after each of its steps, and what must be true afterwards. */
export interface Victim {
  readonly title: string;
  readonly words: readonly string[];
  /** The lock that it takes. */
  readonly lock: 'file' | 'gateway';
  /** Prepares the folder and the account. */
  readonly prepare: (place: Place) => Promise<void>;
  /** The next command. Omitted: the same once more. */
  readonly again?: readonly string[];
  /** The exit codes that the run after the killed one may have. */
  readonly exits: readonly number[];
  /** Shows that nothing is left to do. */
  readonly after: readonly string[];
  /** Returns what is wrong right after the kill, and after the next run. */
  readonly killed?: (place: Place) => Promise<readonly string[]>;
  readonly ended?: (place: Place) => Promise<readonly string[]>;
  /** The files that may hold secrets, by the begin of their names. Omitted: only that of a reveal. */
  readonly secrets?: readonly string[];
  /** The keys at the end, as `id name status remainder group`; the ID of a created one is `new`. Omitted: a charge decides. */
  readonly keys?: readonly string[];
}

const BUDGET = { unlimited_quota: false, remain_quota: 500_000 } as const;

interface StoredKey {
  readonly name: string;
  readonly unlimited_quota: false;
  readonly remain_quota: number;
  readonly status?: number;
  readonly [field: string]: unknown;
}

/** The creation of a key that is due for rotation, where the gateway reports ages. */
const LONG_AGO = 1_750_000_000;

/** The account before each run; the IDs are 1 to 6. */
export const STORED: readonly StoredKey[] = [
  { name: 'app-upd', ...BUDGET, created_time: LONG_AGO },
  { name: 'app-on', ...BUDGET, status: 2 },
  { name: 'app-off', ...BUDGET },
  { name: 'app-old', ...BUDGET },
  { name: 'app-del', ...BUDGET },
  { name: 'other', ...BUDGET, remain_quota: 777 },
];

const BEFORE = 'version: 1\nkeys: { app-on: { enabled: false } }\n';

const DECLARED = `  app-upd: { group: vip, budget: { usd: 2 } }
  app-on: {}
  app-off: { enabled: false }
  app-ren: { renamedFrom: app-old }
  app-new: { budget: { usd: 3 } }
  app-born-off: { enabled: false, budget: { usd: 3 } }`;

const SCOPE = 'ownership: { scope: "app-*", prune: delete }\ndefaults: { budget: { usd: 1 } }';
const DONE = [
  '1 app-upd 1 1000000 vip',
  '2 app-on 1 500000 default',
  '3 app-off 2 500000 default',
  '4 app-ren 1 500000 default',
  '6 other 1 777 default',
  'new app-born-off 2 1500000 default',
  'new app-new 1 1500000 default',
];

async function declareAll(place: Place): Promise<void> {
  await place.write('before.yaml', BEFORE);
  await place.declare(DECLARED, SCOPE);
}

// Nothing was ever charged, so the log is complete although it is empty.
const PLANNED = ['--assume-log-complete', '--base', 'before.yaml', '--concurrency', '1'];
const APPLY = ['apply', '--yes', ...PLANNED];
const NOTHING_LEFT = ['drift', ...PLANNED];

const APPLYING = { prepare: declareAll, exits: [0], after: NOTHING_LEFT, keys: DONE, lock: 'file' } as const;

const GONE = ['6 other 1 777 default'];
const UNTOUCHED = STORED.map(
  ({ name, remain_quota, status = 1 }, i) => `${i + 1} ${name} ${status} ${remain_quota} default`,
);

/** The only file that may hold credentials. */
export const REVEALED = 'revealed.txt';
export const FILM = 'delta-H3';

export const VICTIMS: readonly Victim[] = [
  ...ROTATING,
  { ...APPLYING, title: 'apply', words: APPLY },
  { ...APPLYING, title: 'apply under the lock of the gateway', lock: 'gateway', words: APPLY },
  {
    ...APPLYING,
    title: 'apply with a report and a usage cache',
    words: [...APPLY, '--usage-cache', 'usage.json', '--out', 'report.txt'],
  },
  {
    ...APPLYING,
    title: 'apply of a saved plan',
    async prepare(place) {
      await declareAll(place);
      await place.run(['plan', ...PLANNED, '--out', 'plan.json']);
    },
    words: ['apply', 'plan.json', '--yes', '--concurrency', '1'],
    again: APPLY,
  },
  {
    title: 'destroy',
    lock: 'file',
    prepare: declareAll,
    words: ['destroy', '--yes', '--max-deletes', '9', '--concurrency', '1'],
    exits: [0],
    after: ['destroy', '--yes'],
    keys: GONE,
  },
  {
    title: 'keys rename',
    lock: 'file',
    prepare: (place) => place.declare('  app-upd: {}'),
    words: ['keys', 'rename', '4', 'app-ren', '--yes'],
    exits: [0],
    after: ['keys', 'rename', '4', 'app-ren', '--yes'],
    keys: UNTOUCHED.map((key) => key.replace('app-old', 'app-ren')),
  },
  {
    title: 'keys disable, also in the manifest',
    lock: 'file',
    prepare: (place) => place.declare('  app-upd:\n    budget: { usd: 1 }\n  app-del: {}'),
    words: ['keys', 'disable', 'app-upd', 'app-del', '--write', '--yes'],
    exits: [0],
    after: ['drift', ...PLANNED.slice(0, 1)],
    keys: UNTOUCHED.map((key) => key.replace(/(app-upd|app-del) 1/, '$1 2')),
  },
  {
    title: 'keys reveal into a file',
    lock: 'file',
    prepare: (place) => place.declare('  app-upd: {}'),
    words: ['keys', 'reveal', 'app-upd', 'app-del', '--out', REVEALED, '--yes'],
    exits: [0],
    after: ['keys', 'get', 'app-upd'],
    keys: UNTOUCHED,
  },
  {
    title: 'import into a file',
    lock: 'file',
    prepare: async () => {},
    words: ['import', '--out', 'imported.yaml', '--yes'],
    exits: [0],
    after: ['plan', '-f', 'imported.yaml'],
    keys: UNTOUCHED,
  },
  {
    title: 'a check with a paid task',
    lock: 'file',
    prepare: (place) =>
      place.declare('  app-upd: { checks: [film] }', `checks: { film: { module: video, model: ${FILM} } }`),
    words: ['check', 'film', '--costly'],
    // The answer of a task that was being submitted is lost: somebody has to look.
    exits: [0, 6],
    after: ['keys', 'get', 'app-upd'],
  },
];
