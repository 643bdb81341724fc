import { renderDecimal } from '../../../domain/index.ts';
import { numberFrom, type TerraformObject } from '../../codec/value.ts';
import type { DataSource } from '../../provider/definition.ts';
import { CHECK_SOURCE } from '../check/check.ts';
import type { Client } from '../client.ts';
import { API_KEY, API_KEYS } from './keys.ts';
import { MODELS } from './models.ts';
import { STORED_SECRET } from './secret.ts';
import { USAGE } from './usage.ts';

const ACCOUNT: DataSource<Client> = {
  schema: {
    version: 0,
    description: 'The account that the access token belongs to.',
    attributes: {
      user_id: { type: 'number', set: 'computed', description: 'Numeric ID of the user.' },
      username: {
        type: 'string',
        set: 'computed',
        description: 'Name of the user; null where the gateway does not report it.',
      },
      group: {
        type: 'string',
        set: 'computed',
        description: 'Group of the user; null where the gateway does not report it.',
      },
      wallet_quota: { type: 'number', set: 'computed', description: 'Balance of the wallet, in quota units.' },
      quota_per_unit: { type: 'number', set: 'computed', description: 'Quota units for one dollar.' },
    },
  },
  async read(_, { client }): Promise<TerraformObject> {
    const [self, quotaPerUnit] = await Promise.all([client.gateway.system.self(), client.store.quotaPerUnit()]);
    return {
      user_id: self.id,
      username: self.username ?? null,
      group: self.group ?? null,
      wallet_quota: self.wallet,
      quota_per_unit: numberFrom(renderDecimal(quotaPerUnit)),
    };
  },
};

const GROUPS: DataSource<Client> = {
  schema: {
    version: 0,
    description: 'The groups that keys of the account may use.',
    attributes: {
      groups: {
        type: ['map', ['object', { description: 'string', ratio: 'string' }]],
        set: 'computed',
        description: 'Groups by name, each with its `description` and its price `ratio`.',
      },
    },
  },
  async read(_, { client }): Promise<TerraformObject> {
    const groups = await client.gateway.system.groups();
    const entries = groups.map(({ name, description = null, ratio = null }): [string, TerraformObject] => [
      name,
      { description, ratio },
    ]);
    return { groups: new Map(entries) };
  },
};

export const DATA_SOURCES = {
  keyplane_account: ACCOUNT,
  keyplane_groups: GROUPS,
  keyplane_api_key: API_KEY,
  keyplane_api_keys: API_KEYS,
  keyplane_api_key_secret: STORED_SECRET,
  keyplane_models: MODELS,
  keyplane_usage: USAGE,
  keyplane_check: CHECK_SOURCE,
} as const;
