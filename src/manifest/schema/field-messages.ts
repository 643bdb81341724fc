import {
  auditRuleNames,
  CHECK_MODULES,
  type DeclaredKind,
  type DiagnosticCode,
  type FieldName,
  type FieldRow,
  KEY_FIELDS,
  PROFILE_NAMES,
  QUOTA_LIMIT,
  USD_LIMIT,
} from '../../domain/index.ts';
import { adviseAddress, adviseAddresses } from './advice/address.ts';
import { adviseAmount, adviseBelow, adviseBudget, adviseBudgetParts, adviseWindow } from './advice/budget.ts';
import { didYouMean, inFlow } from './advice/form.ts';
import { adviseArgv, adviseSink, adviseSinkParts } from './advice/sink.ts';
import {
  adviseEntry,
  adviseFlag,
  adviseList,
  adviseListParts,
  adviseNameOf,
  adviseOneOfList,
  adviseQuotes,
  adviseUrl,
} from './advice/text.ts';
import { adviseDuration, adviseInstant, adviseRotation } from './advice/time.ts';

/** The words for a value that the schema of its field rejects. */
export interface FieldMessage {
  readonly expected: string;
  readonly hint: string;
  /** Absent: `manifest.wrong-type` or `manifest.invalid-value`, by the kind of what was found. */
  readonly code?: DiagnosticCode;
  /** Returns a better hint for one string, number or boolean, if there is one. */
  readonly advise?: (text: string, isText: boolean) => string | undefined;
  /** Returns a better hint for a list or a map, if there is one. */
  readonly adviseParts?: (data: unknown) => string | undefined;
  /** The hint for a field without a value. */
  readonly whenEmpty?: string;
}

/** The words for each value that the schema rejects, by the name that it uses as its `error`. */
export const FIELD_MESSAGES = {
  version: {
    expected: '1',
    hint: 'Begin each file, and each document after `---`, with `version: 1`.',
    code: 'manifest.unsupported-version',
  },
  map: { expected: 'a map of fields', hint: 'Write `field: value` lines, indented below it.' },
  manifest: { expected: 'a map of fields', hint: 'Begin with `version: 1`, without a `-` before it.' },
  keys: {
    expected: 'a map from key names to their fields',
    hint: 'Write `name:` lines, indented below `keys:` and without `-`, or `keys: {}` for none.',
  },
  key: {
    expected: 'a map of fields',
    hint: 'Write `field: value` lines, indented below it, or `{}` for a key that only has `defaults`.',
  },
  url: {
    expected: 'an http or https URL without user, query or fragment',
    hint: 'For example `https://gateway.example.com`, without `/api` or `/v1`.',
    advise: adviseUrl,
  },
  'user-id': { expected: 'a whole number above 0', hint: 'The account settings of the gateway show it.' },
  profile: {
    expected: `${PROFILE_NAMES.map((name) => `\`${name}\``).join(', ')}, or the path of a \`.json\` file`,
    hint: 'Relative paths start at the folder of the manifest file.',
  },
  path: { expected: 'a path', hint: 'Relative paths start at the folder of the manifest file.' },
  globs: {
    expected: 'a name pattern, or a list of them',
    hint: '`*` matches any run of characters, `?` matches one: `prod-*`. A list needs at least one pattern.',
  },
  'glob-list': { expected: 'a name pattern, or a list of them', hint: '`*` matches any run of characters.' },
  prune: {
    expected: '`never`, `disable`, `delete` or `{ mode: delete, quarantine: 14d }`',
    hint: '`never` keeps owned keys that are no longer declared.',
    code: 'manifest.invalid-value',
  },
  'prune-mode': {
    expected: '`never`, `disable` or `delete`',
    hint: 'Only `delete` may have a quarantine.',
  },
  flag: {
    expected: '`true` or `false`',
    hint: '`yes`, `no`, `on` and `off` are strings in YAML 1.2.',
    advise: adviseFlag,
  },
  'model-id': {
    expected: 'a model ID without commas, line breaks or surrounding spaces',
    hint: 'The gateway stores the list as comma-separated text: write one ID for each item.',
  },
  budget: {
    expected:
      '`unlimited`, `{ usd: 25 }`, `{ usd: 25, per: month }`, `{ usd: 25, below: { usd: 5 } }` or `{ usd: 25, initial: true }`',
    hint: '`quota` replaces `usd` for internal units. Use at most one of `per`, `below` and `initial`.',
    code: 'manifest.invalid-value',
    advise: adviseBudget,
    adviseParts: adviseBudgetParts,
    whenEmpty: 'Write an amount, or `budget: unlimited` for no ceiling. Remove the field to leave it unmanaged.',
  },
  amount: {
    expected: `an exact amount of US dollars from 0 to ${USD_LIMIT}`,
    hint: 'Write plain digits, like `25` or `0.50`.',
    code: 'manifest.invalid-amount',
    advise: adviseAmount,
  },
  quota: {
    expected: `a whole number of internal quota units from 0 to ${QUOTA_LIMIT}`,
    hint: 'Write plain digits, like `12500000`. Use `usd` for dollars.',
    code: 'manifest.invalid-amount',
  },
  below: {
    expected: '`{ usd: 5 }` or `{ quota: 2500000 }`',
    hint: 'Keyplane tops the key up to its budget when less than this remains.',
    advise: adviseBelow,
  },
  window: {
    expected: '`hour`, `day`, `week`, `month`, a number of days like `7d`, or `lifetime`',
    hint: 'Windows are in UTC; weeks begin on Monday.',
    advise: adviseWindow,
  },
  overlap: { expected: 'less than `every`', hint: 'At most two generations of a key exist at a time.' },
  initial: {
    expected: '`true`',
    hint: 'Omit the field for a lifetime grant.',
    advise: (text) => (/^(yes|y|on|1)$/iu.test(text) ? adviseFlag(text) : undefined),
  },
  'smart-routing': {
    expected: '`{ tiers: … }`, or `{}` for Smart Routing without tiers',
    hint: 'The tiers are stored unchanged. Omit the field to leave them alone.',
  },
  tiers: { expected: 'the tiers, as any JSON except null', hint: 'Omit `smartRouting` to leave the tiers alone.' },
  name: {
    expected: 'a key name: 1 to 50 characters, without control characters or surrounding spaces',
    hint: 'Write the name that the key had before.',
    code: 'manifest.invalid-name',
  },
  'key-id': { expected: 'the ID of a key, a whole number above 0', hint: 'It is the gateway’s number for the key.' },
  'live-name': { expected: 'the name of the live key', hint: 'Write it exactly, in quotes.' },
  'renamed-from': {
    expected: 'the former name of the key, or `{ id: 17 }`',
    hint: 'Use the ID for a name that a new key could not have.',
    adviseParts: (data) => adviseOneOfList('renamedFrom', data),
  },
  deliver: {
    expected: 'a list of sinks, at least one',
    hint: 'For example `[{ file: .env, format: dotenv, as: API_KEY }]`.',
    adviseParts: (data) => (Array.isArray(data) ? undefined : didYouMean(`deliver: ${inFlow([data])}`)),
  },
  sink: {
    expected:
      '`{ file, format: dotenv|json|yaml, as }`, `{ file, format: raw }`, `{ file, encrypt: [age1…] }`, `{ kubernetesSecret: { name, namespace, file } }`, `{ vault: { url, path, as } }`, `{ gitlabVariable: { project, as } }`, `{ githubSecret: { repository, as } }`, `{ awsSecret: { name, region } }` or `{ exec: [argv…] }`',
    hint: 'Use one of these forms for each sink.',
    code: 'manifest.invalid-value',
    advise: adviseSink,
    adviseParts: adviseSinkParts,
  },
  'sink-url': {
    expected: 'an https:// address without a user, a query and a fragment',
    hint: 'Credentials are sent there, so http:// is accepted for this machine only.',
    advise: adviseUrl,
  },
  'sink-path': {
    expected: 'a path such as `apps/checkout`',
    hint: 'It has no slash at its begin and end, and no `.`, `..` or `*`.',
  },
  'gitlab-variable': {
    expected: '`{ project: acme/shop, as: LLM_API_KEY }` or `{ group: acme, as: LLM_API_KEY }`',
    hint: '`url`, `environment`, `masked`, `hidden` and `protected` are optional.',
    code: 'manifest.invalid-value',
  },
  'variable-name': {
    expected: 'a name of letters, digits and `_`',
    hint: 'At GitHub, it does not begin with a digit or with `GITHUB_`.',
  },
  repository: { expected: 'a repository such as `acme/shop`', hint: 'It has an owner and a name.' },
  'aws-name': {
    expected: 'the name of a secret of AWS',
    hint: 'It has letters, digits and `/_+=.@-`, 512 characters at most.',
  },
  'aws-region': { expected: 'a region of AWS such as `eu-central-1`', hint: 'The secret is stored there.' },
  'environment-name': { expected: 'the name of an environment', hint: 'Omit it for all jobs of the repository.' },
  'environment-scope': {
    expected: 'the name of an environment, or a pattern such as `review/*`',
    hint: 'Omit it for every environment.',
  },
  'program-env': {
    expected: 'a list of names of variables, such as `[GH_TOKEN]`',
    hint: 'The settings of Keyplane itself are never passed on.',
  },
  'on-destroy': {
    expected: '`keep` or `remove`',
    hint: 'With `remove`, a destroyed key takes its secret out of the sink.',
  },
  format: { expected: '`dotenv`, `json`, `yaml` or `raw`', hint: '`raw` writes only the secret.' },
  'entry-name': {
    expected: 'a name of letters, digits, `_`, `-` and `.`',
    hint: 'It names the entry that holds the secret.',
  },
  recipients: {
    expected: 'a list of age recipients',
    hint: 'Each begins with `age1`: the public half of an age key.',
  },
  'kubernetes-name': {
    expected: 'a Kubernetes name',
    hint: 'Use a-z, 0-9, `-` and `.`, at most 244 characters; in a namespace at most 63, without `.`.',
  },
  argv: {
    expected: 'a program and its arguments, as a list',
    hint: 'The program reads the secret from standard input.',
    advise: adviseArgv,
  },
  duration: {
    expected: 'a duration like `90d`, `12h`, `30m` or `45s`',
    hint: 'Write a whole number and one unit.',
    advise: adviseDuration,
  },
  rotate: {
    expected: '`{ every: 90d, overlap: 7d }`',
    hint: 'Both fields are required.',
    advise: adviseRotation,
  },
  'overlap-budget': {
    expected: 'an amount: `{ usd: 5 }` or `{ quota: 100 }`',
    hint: 'Omit it for what the budget leaves.',
  },
  checks: {
    expected: 'a list of names of checks, modules or classes',
    hint: 'For example `[chat, embeddings]`; an empty list selects none.',
    advise: (text, isText) => (isText ? adviseList(text, 'checks') : undefined),
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
  module: {
    expected: 'the name of a check module',
    hint: 'docs/reference/check-modules.md lists them.',
    advise: adviseNameOf(Object.values(CHECK_MODULES).flat()),
  },
  timeout: {
    expected: 'a duration like `90s` or `5m`, at most `24h`',
    hint: 'It limits one attempt.',
  },
  class: { expected: '`free`, `cheap` or `costly`', hint: 'Costly checks run only on request.' },
  owner: {
    expected: 'the name of a team or person, in one line of at most 200 characters',
    hint: 'For example `search-team`.',
  },
  owners: {
    expected: 'a map from owners to their keys and contacts',
    hint: 'For example `search-team: { keys: "search-*", notify: "#search" }`.',
  },
  waiver: {
    expected: '`{ rule, keys, reason, until }`',
    hint: 'For example `{ rule: no-expiry, keys: ci-*, reason: "Replaced in May", until: 2030-05-31 }`.',
  },
  policy: {
    expected: 'a map from rules to their limits',
    hint: 'For example `{ budget: { usd: 100 }, expires: 365d }`.',
  },
  'policy-amount': {
    expected: 'an amount in dollars or in quota units',
    hint: 'For example `{ usd: 100 }`, or `budget: true` for a budget of any amount.',
  },
  'policy-duration': { expected: '`true`, or a duration such as `90d`', hint: 'Omit the rule to allow everything.' },
  'policy-list': { expected: '`true` where the rule allows it, or a list', hint: 'Omit the rule to allow everything.' },
  waivers: { expected: 'a list of waivers', hint: 'Begin each with `- rule:`.' },
  until: { expected: 'a day, such as `2030-05-31`', hint: 'The waiver ends with this day, in UTC.' },
  'audit-rule': {
    expected: 'the name of an audit rule',
    hint: 'docs/audit.md lists the rules.',
    advise: adviseNameOf(auditRuleNames()),
  },
  notify: { expected: 'a person or channel, or a list of them', hint: 'For example `["#search", "@ada"]`, in quotes.' },
  metadata: {
    expected: 'one line of at most 200 characters, without surrounding spaces',
    hint: 'Quote the value if YAML reads it as another type.',
  },
  labels: { expected: 'a map of labels', hint: 'For example `{ team: search, env: prod }`.' },
  'label-name': {
    expected: 'a name of at most 63 letters, digits, `.`, `_`, `-` and `/`',
    hint: 'It must begin and end with a letter or a digit.',
  },
  text: { expected: 'a string that is not empty', hint: 'Quote the value if YAML reads it as another type.' },
} as const satisfies Record<string, FieldMessage>;

const orWord = (expected: string, { unrestricted }: FieldRow): string =>
  unrestricted === undefined ? expected : `${expected}, or \`${unrestricted}\``;

const lifting = ({ unrestricted }: FieldRow): string =>
  `${unrestricted === undefined ? '' : `\`${unrestricted}\` lifts the restriction; `}omit the field to leave it unmanaged.`;

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const emptied = ({ unrestricted }: FieldRow, field: FieldName): string =>
  unrestricted === undefined
    ? 'Write a value, or remove the field to leave it unmanaged.'
    : `Write \`${field}: ${unrestricted}\` for no restriction, or remove the field to leave it unmanaged.`;

/** The words for the fields of the table, by kind. */
const KIND_MESSAGES: Readonly<Record<DeclaredKind, (row: FieldRow, field: FieldName) => FieldMessage>> = {
  flag: (row, field) => ({ ...FIELD_MESSAGES.flag, whenEmpty: emptied(row, field) }),
  text: (row, field) => ({
    expected: row.accepts ?? 'a string',
    hint: 'Omit the field to leave it unmanaged.',
    advise: adviseQuotes,
    adviseParts: (data) => adviseOneOfList(field, data),
    whenEmpty: emptied(row, field),
  }),
  textSet: (row, field) => ({
    expected: orWord(`a list of ${row.noun ?? 'string'}s`, row),
    hint: `Write \`[a, b]\`. ${sentence(lifting(row))}`,
    advise: (text) => adviseList(text, field, row.unrestricted),
    adviseParts: (data) => adviseListParts(field, data),
    whenEmpty: emptied(row, field),
  }),
  ipSet: (row, field) => ({
    expected: orWord('a list of IP addresses and CIDR ranges', row),
    hint: `Write \`[10.0.0.0/8, 203.0.113.7]\`. ${sentence(lifting(row))}`,
    advise: (text) => adviseAddresses(text, field, row.unrestricted),
    adviseParts: (data) => adviseListParts(field, data),
    whenEmpty: emptied(row, field),
  }),
  instant: (row, field) => ({
    expected: orWord(row.accepts ?? 'a time with its offset', row),
    hint: 'Write the date, `T`, the time in whole seconds, then `Z` or an offset like `+02:00`.',
    advise: adviseInstant,
    whenEmpty: emptied(row, field),
  }),
  budget: () => FIELD_MESSAGES.budget,
  json: () => FIELD_MESSAGES['smart-routing'],
};

/** The words for one entry of a set. */
const ENTRY_MESSAGES: Partial<Record<DeclaredKind, (row: FieldRow) => FieldMessage>> = {
  textSet: (row) => ({
    expected: row.accepts ?? 'a string',
    hint: `Write the ${row.noun ?? 'value'} alone, like \`- abc\`.`,
    advise: adviseQuotes,
    adviseParts: adviseEntry,
  }),
  ipSet: (row) => ({
    expected: row.accepts ?? 'an IP address or a canonical CIDR range',
    hint: 'For example `203.0.113.7`, `10.0.0.0/8` or `"2001:db8::/32"` (quoted).',
    advise: adviseAddress,
  }),
};

/** An entry of the table above, a field of a key, or one entry of such a field. */
export type FieldMessageName = keyof typeof FIELD_MESSAGES | FieldName | `${FieldName} entry`;

const isField = (name: string): name is FieldName => Object.hasOwn(KEY_FIELDS, name);

const PART_MESSAGES: Readonly<Record<string, FieldMessage>> = {
  usd: FIELD_MESSAGES.amount,
  quota: FIELD_MESSAGES.quota,
  per: FIELD_MESSAGES.window,
  below: FIELD_MESSAGES.below,
};

/** Returns the words for a field of the table, or for the part of it at a path. */
export function messageOfField(field: FieldName, path: readonly (string | number)[] = []): FieldMessage {
  const row: FieldRow = KEY_FIELDS[field];
  const part = path.at(-1);
  if (typeof part === 'string') return PART_MESSAGES[part] ?? KIND_MESSAGES[row.kind](row, field);
  return ((part !== undefined && ENTRY_MESSAGES[row.kind]) || KIND_MESSAGES[row.kind])(row, field);
}

export function tryFindMessage(name: string): FieldMessage | undefined {
  if (Object.hasOwn(FIELD_MESSAGES, name)) return FIELD_MESSAGES[name as keyof typeof FIELD_MESSAGES];
  const [field = '', entry] = name.split(' ');
  return isField(field) ? messageOfField(field, entry === undefined ? [] : [0]) : undefined;
}
