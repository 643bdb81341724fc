import type { ListResource } from '../../provider/definition.ts';
import type { Client } from '../client.ts';
import { FILTER, parseFilter } from '../data/keys.ts';
import { importedState, observationOf } from './values/state.ts';

export const KEY_LIST_RESOURCE: ListResource<Client> = {
  schema: {
    version: 0,
    description: 'Lists the keys of the account, to import them with `terraform query` (Terraform 1.14 or newer).',
    attributes: FILTER,
  },
  async *find(config, { client }) {
    const { store } = client;
    const matches = parseFilter(config, client);
    const keys = (await store.list()).filter(matches).sort((a, b) => a.id - b.id);
    for (const key of keys) {
      yield {
        // Core shows it; a key may have no name.
        name: key.name.trim() === '' ? `key ${key.id}` : key.name,
        identity: { id: key.id, user_id: store.account.userId },
        state: async () => importedState(await observationOf(key, client)),
      };
    }
  },
};
