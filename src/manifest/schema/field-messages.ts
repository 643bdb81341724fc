import { type DiagnosticCode, parseIpRule, QUOTA_LIMIT } from '../../domain/index.ts';

/** The words for a value that the schema of its field rejects. */
export interface FieldMessage {
  readonly expected: string;
  readonly hint: string;
  /** Absent: `manifest.wrong-type` or `manifest.invalid-value`, by the kind of what was found. */
  readonly code?: DiagnosticCode;
  /** Returns a better hint for one string, if there is one. */
  readonly advise?: (text: string) => string | undefined;
}

function adviseRule(text: string): string | undefined {
  const parsed = parseIpRule(text);
  return parsed.ok || !parsed.corrected ? undefined : `Host bits are set. Did you mean \`${parsed.corrected}\`?`;
}

const adviseList = (text: string): string | undefined =>
  text === '' || text.includes(',') ? undefined : `Write \`[${text}]\` for a list of one.`;

function adviseInstant(text: string): string | undefined {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text))
    return `A date without a time is ambiguous. Did you mean \`${text}T00:00:00Z\`?`;
  if (/^\d{4}-\d{2}-\d{2}T[\d:]+$/.test(text)) return `Add the offset: \`${text}Z\` is UTC.`;
  return /^\d{4}-\d{2}-\d{2}T.*(Z|\d)$/.test(text) ? 'Check that the date exists and is not before 1970.' : undefined;
}

/** The words for each rejected value, by the name that the schema uses as its `error`. */
export const FIELD_MESSAGES = {
  version: {
    expected: '1',
    hint: 'Begin each file with `version: 1`.',
    code: 'manifest.unsupported-version',
  },
  map: { expected: 'a map of fields', hint: 'Write `field: value` lines, indented below it.' },
  keys: { expected: 'a map from key names to their fields', hint: 'Write `keys: {}` when there are none.' },
  key: { expected: 'a map of fields', hint: 'Write `{}` for a key that inherits every field from `defaults`.' },
  url: {
    expected: 'an http or https URL without user, query or fragment',
    hint: 'For example `https://gateway.example.com`, without `/api` or `/v1`.',
  },
  'user-id': { expected: 'a whole number above 0', hint: 'The account settings of the gateway show it.' },
  path: { expected: 'a path', hint: 'Relative paths start at the folder of the manifest file.' },
  globs: {
    expected: 'a name pattern, or a list of them',
    hint: '`*` matches any run of characters, `?` matches one: `prod-*`. A list needs at least one pattern.',
  },
  'glob-list': { expected: 'a name pattern, or a list of them', hint: '`*` matches any run of characters.' },
  prune: {
    expected: '`never`, `disable` or `delete`',
    hint: '`never` keeps owned keys that are no longer declared.',
  },
  flag: { expected: '`true` or `false`', hint: '`yes`, `no`, `on` and `off` are strings in YAML 1.2.' },
  group: {
    expected: 'the name of a group',
    hint: 'Omit the field for a key that stays in the account’s own group.',
  },
  models: {
    expected: 'a list of model IDs, or `any`',
    hint: 'Write `[model-a, model-b]`. `any` lifts the restriction; an omitted field is not managed.',
    advise: adviseList,
  },
  'models-empty': {
    expected: 'at least one model ID, or `any`',
    hint: 'With an empty list the gateway would reject every model. `any` lifts the restriction.',
    code: 'manifest.empty-allowlist',
  },
  'model-id': {
    expected: 'a model ID without commas, line breaks or surrounding spaces',
    hint: 'The gateway stores the list as comma-separated text: write one ID for each item.',
  },
  'allow-ips': {
    expected: 'a list of IP addresses and CIDR ranges, or `anywhere`',
    hint: 'Write `[10.0.0.0/8, 203.0.113.7]`; `anywhere` lifts the restriction.',
  },
  'allow-ips-empty': {
    expected: 'at least one address or range, or `anywhere`',
    hint: 'The gateway treats an empty list as no restriction. Write `anywhere` if you mean that.',
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
    hint: 'For example `2027-03-31T00:00:00Z`: date, `T`, time in whole seconds, then `Z` or an offset like `+02:00`.',
    advise: adviseInstant,
  },
  budget: {
    expected:
      '`unlimited`, `{ usd: 25 }`, `{ usd: 25, per: month }`, `{ usd: 25, below: { usd: 5 } }` or `{ usd: 25, initial: true }`',
    hint: '`quota` replaces `usd` for internal units. Use at most one of `per`, `below` and `initial`.',
    code: 'manifest.invalid-value',
  },
  amount: {
    expected: 'an exact amount of US dollars from 0 to 10000000000',
    hint: 'Write plain digits, like `25` or `0.50`.',
    code: 'manifest.invalid-amount',
  },
  quota: {
    expected: `a whole number of internal quota units from 0 to ${QUOTA_LIMIT}`,
    hint: 'Write plain digits, like `12500000`. Use `usd` for dollars.',
    code: 'manifest.invalid-amount',
  },
  below: {
    expected: '`{ usd: 5 }` or `{ quota: 2500000 }`',
    hint: 'Keyplane tops the key up to its budget when less than this remains.',
  },
  window: {
    expected: '`hour`, `day`, `week`, `month`, or a number of days like `7d`',
    hint: 'Windows are in UTC; weeks begin on Monday.',
  },
  initial: { expected: '`true`', hint: 'Omit the field for a lifetime grant.' },
  'smart-routing': {
    expected: '`{ tiers: … }`',
    hint: 'The tiers are stored unchanged. Omit the field to leave them alone.',
  },
  tiers: { expected: 'the tiers, as any JSON except null', hint: 'Omit `smartRouting` to leave the tiers alone.' },
  name: {
    expected: 'a key name: 1 to 50 characters, without control characters or surrounding spaces',
    hint: 'Write the name that the key had before.',
    code: 'manifest.invalid-name',
  },
  deliver: {
    expected: 'a list of sinks, at least one',
    hint: 'For example `[{ file: .env, format: dotenv, as: API_KEY }]`.',
  },
  sink: {
    expected:
      '`{ file, format: dotenv|json|yaml, as }`, `{ file, format: raw }`, `{ file, encrypt: [age1…] }`, `{ kubernetesSecret: { name, namespace, file } }` or `{ exec: [argv…] }`',
    hint: 'Use one of these forms for each sink.',
    code: 'manifest.invalid-value',
  },
  format: { expected: '`dotenv`, `json`, `yaml` or `raw`', hint: '`raw` writes only the secret.' },
  'entry-name': { expected: 'a name of letters, digits, `_`, `-` and `.`', hint: 'It names the entry in the file.' },
  recipients: {
    expected: 'a list of age recipients',
    hint: 'Each begins with `age1`: the public half of an age key.',
  },
  'kubernetes-name': { expected: 'a Kubernetes name', hint: 'Use lower-case letters, digits, `-` and `.`.' },
  argv: {
    expected: 'a program and its arguments, as a list',
    hint: 'The program reads the secret from standard input.',
  },
  duration: { expected: 'a duration like `90d`, `12h`, `30m` or `45s`', hint: 'Write a whole number and one unit.' },
  rotate: { expected: '`{ every: 90d, overlap: 7d }`', hint: 'Both fields are required.' },
  checks: {
    expected: 'a list of names of checks, modules or classes',
    hint: 'For example `[chat, embeddings]`; an empty list selects none.',
  },
  'check-definition': {
    expected: 'a check: `{ module: …, model: … }`',
    hint: 'Other fields belong to the request.',
  },
  expect: {
    expected: 'a map of expectations of the answer',
    hint: 'For example `{ contains: pong, maxLatencyMs: 5000 }`.',
  },
  contains: { expected: 'a string, or a list of strings', hint: 'The answer must contain all of them; case matters.' },
  pattern: {
    expected: 'a regular expression',
    hint: 'Use JavaScript syntax with the flag `u`: escape `{`, `}` and `]`.',
  },
  'json-schema': { expected: 'a JSON Schema, as a map', hint: 'For example `{ type: object, required: [answer] }`.' },
  'media-format': {
    expected: '`png`, `jpeg`, `webp` or `mp4`',
    hint: 'Keyplane detects the format from the bytes, not from a name.',
  },
  count: { expected: 'a whole number above 0', hint: 'Omit the field to accept any count.' },
  seconds: { expected: 'a number of seconds above 0', hint: 'Omit the field to accept any length.' },
  retries: {
    expected: 'a whole number from 0 to 5',
    hint: 'Reports call a check flaky when it passes only after a retry.',
  },
  module: { expected: 'the name of a check module', hint: 'docs/reference/check-modules.md lists them.' },
  timeout: {
    expected: 'a duration like `90s` or `5m`, at most `24h`',
    hint: 'It limits one attempt.',
  },
  class: { expected: '`free`, `cheap` or `costly`', hint: 'Costly checks run only on request.' },
  text: { expected: 'a string that is not empty', hint: 'Quote the value if YAML reads it as another type.' },
} as const satisfies Record<string, FieldMessage>;

export type FieldMessageName = keyof typeof FIELD_MESSAGES;

export const tryFindMessage = (name: string): FieldMessage | undefined =>
  Object.hasOwn(FIELD_MESSAGES, name) ? FIELD_MESSAGES[name as FieldMessageName] : undefined;
