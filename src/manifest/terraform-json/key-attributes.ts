import { TERRAFORM_NAMES } from '../../domain/index.ts';

/** What Terraform calls the fields of a key, and what kind of value each has. */
export const KEY_ATTRIBUTES = {
  name: 'text',
  [TERRAFORM_NAMES.enabled]: 'flag',
  [TERRAFORM_NAMES.group]: 'text',
  [TERRAFORM_NAMES.crossGroupRetry]: 'flag',
  [TERRAFORM_NAMES.models]: 'texts',
  [TERRAFORM_NAMES.allowIps]: 'texts',
  [TERRAFORM_NAMES.expires]: 'text',
  [TERRAFORM_NAMES.budget]: 'budget',
  [TERRAFORM_NAMES.smartRouting]: 'text',
} as const satisfies Readonly<Record<string, 'text' | 'flag' | 'texts' | 'budget'>>;

export type KeyAttribute = keyof typeof KEY_ATTRIBUTES;

export const isKeyAttribute = (name: string): name is KeyAttribute => Object.hasOwn(KEY_ATTRIBUTES, name);

/** What the gateway alone says of a key. */
export const COMPUTED_ATTRIBUTES: readonly string[] = [
  'id',
  'status',
  'stored_status',
  'remaining_quota',
  'used_quota',
  'masked_key',
  'created_at',
];

/** What any block may have, whatever it declares. */
export const META_ARGUMENTS: readonly string[] = [
  'count',
  'depends_on',
  'for_each',
  'lifecycle',
  'provider',
  'provisioner',
  'connection',
];

/** The amounts of a budget, and of the threshold in it. */
export const AMOUNT_TYPES = { usd: 'number', quota: 'number' } as const;

/** What each attribute of a budget takes. */
export const BUDGET_TYPES = {
  unlimited: 'flag',
  ...AMOUNT_TYPES,
  per: 'text',
  below: AMOUNT_TYPES,
  initial: 'flag',
} as const;

export const BUDGET_ATTRIBUTES: readonly string[] = Object.keys(BUDGET_TYPES);
export const BELOW_ATTRIBUTES: readonly string[] = Object.keys(AMOUNT_TYPES);
