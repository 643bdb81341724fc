/**
 * The fields of a key as people write them. The manifest, the Terraform provider and the constructs take their words and
 * their limits from here, so that one thing is called and judged alike wherever it is written.
 */

/** What each field means, Markdown. Names are those of the manifest. */
export const KEY_FIELDS = {
  enabled: 'May the key be used? Default: true.',
  group: 'One of the account’s groups.',
  crossGroupRetry: 'Try other groups; meaningful for automatic groups only.',
  models: 'Model IDs that the key may use, or any. Absent: not managed.',
  allowIps: 'Addresses and canonical CIDR ranges that may use the key, or anywhere. Absent: not managed.',
  expires: 'When the key ends, as a time with its offset, or never. Absent: not managed.',
  budget: 'What the key may spend.',
  smartRouting: 'The Smart Routing tiers: opaque JSON, kept as it is.',
} as const;

/** How Terraform calls the fields of a key; parts of a budget are called alike everywhere. */
export const TERRAFORM_NAMES = {
  enabled: 'enabled',
  group: 'group',
  crossGroupRetry: 'cross_group_retry',
  models: 'models',
  allowIps: 'allow_ips',
  expires: 'expires_at',
  budget: 'budget',
  smartRouting: 'smart_routing_tiers',
} as const satisfies Readonly<Record<keyof typeof KEY_FIELDS, string>>;

/** What each part of a budget means. */
export const BUDGET_FIELDS = {
  usd: 'US dollars, exact: the digits count as written.',
  quota: 'Internal quota units of the gateway.',
  per: 'An allowance for each window of time, in UTC: hour, day, week, month, or a number of days such as 7d.',
  below: 'Filled up to the budget when less than this remains.',
  initial: 'Set at creation only.',
} as const;

/** A model ID as the gateway can store it: it splits the list on commas and does not trim. */
export const MODEL_ID = /^(?!\s)[^,\p{Cc}\p{Cs}\u2028\u2029]+(?<!\s)$/u;

export const GROUP_NAME = /^(?!\s)[^\p{Cc}\p{Cs}\u2028\u2029]+(?<!\s)$/u;

/** The largest grant in dollars: at any rate that is in use its quota is still an exact integer. */
export const USD_LIMIT = 10_000_000_000;

/** Decimals that an amount of dollars may have. */
export const USD_DECIMALS = 18;

/** The largest grant in quota units. */
export const QUOTA_LIMIT = 999_999_999_999_999;

const CREDENTIAL = /sk-[A-Za-z0-9]{20,}/g;

/** User and password in an address. */
const USER_INFO = /(?<=:\/\/)[^\s/@]+(?=@)/g;

const blank = (text: string): string => text.replace(/[^\r\n]/g, '•');

/** Does the text hold something that looks like an API key? Such a text must not become a public label. */
export const looksLikeCredential = (text: string): boolean => text.search(CREDENTIAL) >= 0;

/** The text with API keys and the users of addresses blanked; its length and its lines stay. */
export const blankCredentials = (text: string): string => text.replace(CREDENTIAL, blank).replace(USER_INFO, blank);

const MASK = '‹secret›';

/** The text as it may be shown and written: no API keys, no users of addresses. For what a gateway says of live keys. */
export const maskCredentials = (text: string): string => text.replace(CREDENTIAL, MASK).replace(USER_INFO, MASK);
