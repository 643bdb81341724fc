import {
  type Change,
  decimalOf,
  type KeySettings,
  keyId,
  keyName,
  type Pending,
  type Place,
  type Plan,
  planNote,
  quota,
  type Snapshot,
} from '../../src/domain/index.ts';

/** 2026-11-20T12:00:00Z */
export const AT = 1_795_176_000;
const DAY = 86_400;

export const SETTINGS: KeySettings = {
  name: 'prod-checkout',
  group: 'default',
  crossGroupRetry: false,
  models: ['alpha-chat-1', 'text-embedding-3-small'],
  allowIps: ['10.20.0.0/16'],
  expires: null,
  unlimited: false,
  remain: quota(12_500_000),
  smartRouting: false,
  smartRouteTiers: '',
};

const place = (line: number): Place => ({ file: 'keyplane.yaml', line, column: 3 });

export const before = (id: number, more: Partial<Snapshot> = {}): Snapshot => ({
  ...SETTINGS,
  id: keyId(id),
  status: 'enabled',
  ...more,
});

/** One change of every kind, with every kind of edit. */
export const CHANGES: readonly Change[] = [
  {
    verb: 'rename',
    name: 'prod-search',
    id: keyId(3),
    from: 'search of\u001b[31m old',
    before: before(3, { name: 'search of\u001b[31m old' }),
    edits: [
      { field: 'name', before: 'search of\u001b[31m old', after: 'prod-search' },
      { field: 'group', before: '', after: 'vip' },
    ],
    place: place(8),
  },
  { verb: 'create', name: keyName('prod-checkout'), settings: SETTINGS, enabled: true, place: place(4) },
  {
    verb: 'create',
    name: keyName('日本の鍵'),
    settings: {
      ...SETTINGS,
      models: null,
      allowIps: null,
      unlimited: true,
      expires: AT + 89 * DAY,
      crossGroupRetry: true,
      smartRouting: true,
      smartRouteTiers: '{"fast":["alpha-chat-1"]}',
    },
    enabled: false,
    place: { file: 'teams/a-rather-long-folder-name/and-a-file-in-it.yaml', line: 112, column: 3 },
  },
  {
    verb: 'update',
    name: 'prod-support-bot',
    id: keyId(7),
    before: before(7, { remain: quota(1_600_000) }),
    edits: [
      { field: 'models', before: ['alpha-chat-1', 'beta-chat'], after: ['beta-chat', 'text-embedding-3-large'] },
      { field: 'allowIps', before: null, after: ['10.20.0.0/16', '2001:db8:20::/48', '203.0.113.7/32'] },
      { field: 'expires', before: AT - 3 * 3600, after: null },
      { field: 'remain', before: quota(1_600_000), after: quota(12_500_000) },
      { field: 'crossGroupRetry', before: true, after: false },
    ],
    place: place(15),
  },
  {
    verb: 'update',
    name: 'prod-nightly',
    id: keyId(8),
    before: before(8, { unlimited: true, models: null }),
    edits: [
      {
        field: 'models',
        before: Array.from({ length: 8 }, (_, i) => `alpha-chat-with-a-long-name-${i}`),
        after: Array.from({ length: 8 }, (_, i) => `alpha-chat-with-a-long-name-${i + 4}`),
      },
      { field: 'unlimited', before: true, after: false },
      { field: 'remain', before: quota(0), after: quota(2_500_000) },
      { field: 'smartRouteTiers', before: '', after: '{"a":1}' },
    ],
    place: place(20),
  },
  { verb: 'enable', name: 'prod-nightly', id: keyId(8), before: before(8, { status: 'expired' }), reason: 'repaired' },
  { verb: 'disable', name: 'prod-paused', id: keyId(9), before: before(9), reason: 'declared', place: place(30) },
  { verb: 'delete', name: 'prod-hackathon', id: keyId(10), before: before(10), reason: 'pruned' },
  { verb: 'keep', name: 'prod-fine', id: keyId(11) },
  { verb: 'retain', name: 'prod-root', id: keyId(12), reason: 'protected' },
];

/** A key that somebody disabled, and that is enabled in the manifest: the enable is held, or was permitted. */
export const HELD = {
  verb: 'hold',
  name: 'ci-a',
  id: keyId(5),
  before: before(5, { status: 'disabled' }),
  reason: 'unpermitted',
  place: place(12),
} as const satisfies Change;

export const PLAN: Plan = {
  account: { url: 'https://gateway.example.com', userId: 42 },
  at: AT,
  quotaPerUnit: decimalOf(500_000),
  changes: CHANGES,
  notes: [
    planNote('models-unverified', 'the gateway was not asked which models there are'),
    planNote('expired-as-declared', 'expired, as declared', 'prod-old'),
  ],
  policies: [],
  invisible: 3,
  owned: 8,
  fingerprint: 'sha256:0',
};

export const pending = <V extends Pending['verb']>(verb: V) =>
  CHANGES.find((change) => change.verb === verb) as Extract<Pending, { verb: V }>;
