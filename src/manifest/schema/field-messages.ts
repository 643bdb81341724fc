import { type DiagnosticCode, parseIpRule, QUOTA_LIMIT } from '../../domain/index.ts';

/** What a field expects, in words: said when its schema refuses a value. */
export interface Expectation {
  readonly expected: string;
  readonly hint: string;
  /** Absent: `manifest.wrong-type` or `manifest.invalid-value`, by the kind of what was found. */
  readonly code?: DiagnosticCode;
  /** A better hint for one text, if there is one. */
  readonly advise?: (text: string) => string | undefined;
}

function adviseRule(text: string): string | undefined {
  const parsed = parseIpRule(text);
  return parsed.ok || !parsed.corrected ? undefined : `Bits are set beyond the prefix: write \`${parsed.corrected}\`.`;
}

const adviseList = (text: string): string | undefined =>
  text === '' || text.includes(',') ? undefined : `Write \`[${text}]\` for a list of one.`;

function adviseInstant(text: string): string | undefined {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text))
    return `A day alone could mean its begin or its end: write \`${text}T00:00:00Z\`.`;
  if (/^\d{4}-\d{2}-\d{2}T[\d:]+$/.test(text)) return `Say the offset: \`${text}Z\` is UTC.`;
  return /^\d{4}-\d{2}-\d{2}T.*(Z|\d)$/.test(text) ? 'Is the day in the calendar, and not before 1970?' : undefined;
}

/**
 * Every expectation that the schema speaks of, by the name that it gives as its `error`. The schema decides, this
 * table only explains.
 */
export const EXPECTATIONS = {
  version: {
    expected: '1',
    hint: 'This Keyplane reads manifests of version 1; begin each file with `version: 1`.',
    code: 'manifest.unsupported-version',
  },
  map: { expected: 'a map of fields', hint: 'Write `field: value` lines, indented below it.' },
  keys: { expected: 'a map from key names to their fields', hint: 'Write `keys: {}` when there are none.' },
  key: { expected: 'a map of fields', hint: 'Write `{}` for a key that takes everything from `defaults`.' },
  url: {
    expected: 'an http or https address without user, query or fragment',
    hint: 'For example `https://gateway.example.com`, without `/api` or `/v1`.',
  },
  'user-id': { expected: 'a whole number above 0', hint: 'The account settings of the gateway show it.' },
  path: { expected: 'a path', hint: 'Relative paths begin at the folder of the manifest file.' },
  globs: {
    expected: 'a name pattern, or a list of them',
    hint: '`*` stands for any run of characters, `?` for one: `prod-*`. A list holds at least one.',
  },
  'glob-list': { expected: 'a name pattern, or a list of them', hint: '`*` stands for any run of characters.' },
  prune: {
    expected: '`never`, `disable` or `delete`',
    hint: '`never` leaves owned keys that are no longer declared as they are.',
  },
  flag: { expected: '`true` or `false`', hint: '`yes`, `no`, `on` and `off` are plain text in YAML 1.2.' },
  group: {
    expected: 'the name of a group',
    hint: 'Leave the field out for a key that stays in the account’s own group.',
  },
  models: {
    expected: 'a list of model IDs, or `any`',
    hint: 'Write `[model-a, model-b]`; `any` lifts the restriction, leaving the field out leaves it alone.',
    advise: adviseList,
  },
  'models-empty': {
    expected: 'at least one model ID, or `any`',
    hint: 'With an empty list the gateway would refuse every model; `any` lifts the restriction.',
    code: 'manifest.empty-allowlist',
  },
  'model-id': {
    expected: 'a model ID without commas, line breaks or blanks around it',
    hint: 'The gateway keeps the list as one text, split on commas: write one ID for each item.',
  },
  'allow-ips': {
    expected: 'a list of addresses and CIDR ranges, or `anywhere`',
    hint: 'Write `[10.0.0.0/8, 203.0.113.7]`; `anywhere` lifts the restriction.',
  },
  'allow-ips-empty': {
    expected: 'at least one address or range, or `anywhere`',
    hint: 'The gateway takes an empty list for no restriction at all; say `anywhere` if that is meant.',
    code: 'manifest.empty-allowlist',
  },
  'ip-rule': {
    expected: 'an IP address or a CIDR range',
    hint: 'For example `203.0.113.7`, `10.0.0.0/8` or `"2001:db8::/32"` (quoted).',
    code: 'manifest.invalid-ip-rule',
    advise: adviseRule,
  },
  expires: {
    expected: 'a time with its offset, or `never`',
    hint: 'For example `2027-03-31T00:00:00Z`: date, `T`, time of day in whole seconds, then `Z` or `+02:00`.',
    advise: adviseInstant,
  },
  budget: {
    expected:
      '`unlimited`, `{ usd: 25 }`, `{ usd: 25, per: month }`, `{ usd: 25, below: { usd: 5 } }` or `{ usd: 25, initial: true }`',
    hint: '`quota` may stand for `usd`, in internal units; `per`, `below` and `initial` exclude one another.',
    code: 'manifest.invalid-value',
  },
  amount: {
    expected: 'an exact amount of US dollars from 0 to 10000000000',
    hint: 'Write plain digits, like `25` or `0.50`.',
    code: 'manifest.invalid-amount',
  },
  quota: {
    expected: `a whole number of internal quota units from 0 to ${QUOTA_LIMIT}`,
    hint: 'Write plain digits, like `12500000`; for dollars use `usd`.',
    code: 'manifest.invalid-amount',
  },
  below: {
    expected: '`{ usd: 5 }` or `{ quota: 2500000 }`',
    hint: 'The key is filled up to its budget when less than this remains.',
  },
  window: {
    expected: '`hour`, `day`, `week`, `month`, or a number of days like `7d`',
    hint: 'Windows are in UTC; a week begins on Monday.',
  },
  initial: { expected: '`true`', hint: 'Leave the field out for a lifetime grant.' },
  'smart-routing': {
    expected: '`{ tiers: … }`',
    hint: 'The tiers are kept as they are; leave the field out otherwise.',
  },
  tiers: { expected: 'the tiers, as any JSON but null', hint: 'Leave `smartRouting` out to leave it alone.' },
  name: {
    expected: 'a key name: 1 to 50 characters, no control characters, no blanks around it',
    hint: 'It is the name that the key had before.',
    code: 'manifest.invalid-name',
  },
  deliver: {
    expected: 'a list of sinks, at least one',
    hint: 'For example `[{ file: .env, format: dotenv, as: API_KEY }]`.',
  },
  sink: {
    expected:
      '`{ file, format: dotenv|json|yaml, as }`, `{ file, format: raw }`, `{ file, encrypt: [age1…] }`, `{ kubernetesSecret: { name, namespace, file } }` or `{ exec: [argv…] }`',
    hint: 'Each sink has one of these forms.',
    code: 'manifest.invalid-value',
  },
  format: { expected: '`dotenv`, `json`, `yaml` or `raw`', hint: '`raw` is the secret and nothing else.' },
  'entry-name': { expected: 'a name of letters, digits, `_`, `-` and `.`', hint: 'It is the entry in the file.' },
  recipients: {
    expected: 'a list of age recipients',
    hint: 'Each begins with `age1`: it is the public half of an age key.',
  },
  'kubernetes-name': { expected: 'a Kubernetes name', hint: 'Lower-case letters, digits, `-` and `.`.' },
  argv: { expected: 'a program and its arguments, as a list', hint: 'The secret comes on its standard input.' },
  duration: { expected: 'a length of time like `90d`, `12h`, `30m` or `45s`', hint: 'A whole number and one unit.' },
  rotate: { expected: '`{ every: 90d, overlap: 7d }`', hint: 'Both fields are needed.' },
  checks: {
    expected: 'a list of names of checks, modules or classes',
    hint: 'For example `[chat, embeddings]`; an empty list selects none.',
  },
  'check-definition': {
    expected: 'a check: `{ module: …, model: … }`',
    hint: 'Other fields are those of the request.',
  },
  expect: {
    expected: 'a map of what the answer must be',
    hint: 'For example `{ contains: pong, maxLatencyMs: 5000 }`.',
  },
  contains: { expected: 'a text, or a list of texts', hint: 'All of them must stand in the answer, letter by letter.' },
  pattern: { expected: 'a regular expression', hint: 'As in JavaScript with the flag `u`: escape `{`, `}` and `]`.' },
  'json-schema': { expected: 'a JSON Schema, as a map', hint: 'For example `{ type: object, required: [answer] }`.' },
  'media-format': {
    expected: '`png`, `jpeg`, `webp` or `mp4`',
    hint: 'It is read from the bytes, not from their name.',
  },
  count: { expected: 'a whole number above 0', hint: 'Leave the field out when any will do.' },
  seconds: { expected: 'a number of seconds above 0', hint: 'Leave the field out when any length will do.' },
  retries: {
    expected: 'a whole number from 0 to 5',
    hint: 'A check that passes only when it is tried again is called flaky.',
  },
  module: { expected: 'the name of a check module', hint: 'docs/reference/check-modules.md lists them.' },
  timeout: {
    expected: 'a length of time like `90s` or `5m`, at most `24h`',
    hint: 'It is the time of one attempt.',
  },
  class: { expected: '`free`, `cheap` or `costly`', hint: 'Costly checks run only when asked for.' },
  text: { expected: 'a text that is not empty', hint: 'Quote it if YAML takes it for something else.' },
} as const satisfies Record<string, Expectation>;

export type ExpectationName = keyof typeof EXPECTATIONS;

export const tryFindExpectation = (name: string): Expectation | undefined =>
  Object.hasOwn(EXPECTATIONS, name) ? EXPECTATIONS[name as ExpectationName] : undefined;
