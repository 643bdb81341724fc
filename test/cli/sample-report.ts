import {
  type Artifact,
  type CheckReport,
  type CheckResult,
  decimalOf,
  Fault,
  keyId,
  quota,
} from '../../src/domain/index.ts';

const STARTED = Date.UTC(2026, 10, 21, 6, 30);

type Given = Partial<CheckResult> & Pick<CheckResult, 'key' | 'check' | 'verdict'>;

/** A result with what every result has. */
export const resultOf = (given: Given): CheckResult => ({
  module: 'chat',
  schedule: 'cheap',
  model: 'alpha-chat-1',
  findings: [],
  attempts: given.verdict === 'skipped' ? 0 : 1,
  cost: {},
  exchanges: [],
  artifacts: [],
  ...(given.verdict === 'skipped' ? {} : { startedAt: STARTED, durationMs: 812, firstByteMs: 240 }),
  ...given,
});

export const reportOf = (results: readonly CheckResult[], more: Partial<CheckReport> = {}): CheckReport => ({
  account: { url: 'https://gateway.example.com', userId: 42 },
  quotaPerUnit: decimalOf(500_000),
  startedAt: STARTED,
  durationMs: 4210,
  results,
  remaining: { 'prod-checkout': quota(12_000_000), 'prod-studio': null },
  capReached: false,
  interrupted: false,
  ...more,
});

const chat = {
  title: 'chat',
  request: { model: 'alpha-chat-1', messages: [{ role: 'user', content: 'Reply with exactly: pong' }] },
  answer: { choices: [{ message: { content: 'ping' } }] },
  status: 200,
  requestId: '2026112106300012345678',
};

/** Results of every kind. */
export const EVERY_KIND: readonly CheckResult[] = [
  resultOf({
    key: 'prod-checkout',
    check: 'pong',
    verdict: 'failed',
    reason: 'assertion failed: the answer contains "pong" (found ping), and 1 more',
    findings: [
      { claim: 'the answer has text', holds: true, found: '4 characters' },
      { claim: 'the answer contains "pong"', holds: false, found: 'ping' },
      { claim: 'the usage figures are there', holds: false },
    ],
    exchanges: [chat],
    cost: { estimated: quota(60), charged: quota(56) },
  }),
  resultOf({ key: 'prod-checkout', check: 'vectors', module: 'embeddings', verdict: 'passed', attempts: 2 }),
  resultOf({
    key: 'prod-checkout',
    check: 'forbidden-address',
    module: 'forbidden-address',
    schedule: 'free',
    verdict: 'unprovable',
    reason: 'there is no second address to ask from',
    hint: 'Pass a second address with --source-address or --vantage-proxy.',
  }),
  resultOf({
    key: 'prod-studio',
    check: 'poster',
    module: 'image',
    schedule: 'costly',
    model: 'alpha-image-2',
    verdict: 'skipped',
    reason: 'costly: it runs only on request',
  }),
  resultOf({
    key: 'prod-studio',
    check: 'pong',
    verdict: 'passed',
    findings: [{ claim: 'the answer has text', holds: true }],
    cost: { charged: quota(56) },
  }),
  resultOf({
    key: 'prod-old',
    check: 'pong',
    verdict: 'failed',
    code: 'key.refused',
    reason: 'the key is expired',
    hint: 'Change its expiry, then apply.',
    keyId: keyId(7),
  }),
];

/** Names and answers that want to be something else than text. */
export const HOSTILE: readonly CheckResult[] = [
  resultOf({
    key: '<script>alert(1)</script>|`x`"\'',
    check: '</style>]]> # SKIP & co \u001b[31m@team',
    verdict: 'failed',
    reason: 'assertion failed: <img src=x onerror=alert(1)> \u0000\ufffe | [a](javascript:x)',
    findings: [
      { claim: '</details></main>', holds: false, found: '<b>' },
      { claim: 'two', holds: false, found: '```' },
    ],
    exchanges: [{ ...chat, title: '</pre>', answer: '</pre><script>alert(2)</script>' }],
  }),
];

export const FATAL = new Fault('gateway.unreachable', 'No connection to https://gateway.example.com.', {
  hint: 'Look at the address.',
});

export const withArtifacts = (artifacts: readonly Artifact[]): CheckResult =>
  resultOf({ key: 'prod-studio', check: 'poster', module: 'image', schedule: 'costly', verdict: 'passed', artifacts });

/** Many keys, many checks with names that are too long for a narrow page. */
export const MANY: readonly CheckResult[] = Array.from({ length: 30 }, (_, key) =>
  Array.from({ length: 12 }, (_, check) =>
    resultOf({
      key: `prod-a-rather-long-name-of-a-key-${key + 1}`,
      check: `a-check-with-a-long-name-${check + 1}`,
      verdict: (key * 12 + check) % 17 === 0 ? 'failed' : 'passed',
      ...((key * 12 + check) % 17 === 0 ? { reason: 'the key’s own budget is used up', code: 'key.exhausted' } : {}),
    }),
  ),
).flat();
