import type { ListResource } from '../../provider/definition.ts';
import type { Client } from '../client.ts';
import { FILTER, filterOf } from '../data/keys.ts';
import { importedState } from './state.ts';

/** The keys of the account that could be imported. */
export const KEY_LIST_RESOURCE: ListResource<Client> = {
  schema: {
    version: 0,
    description: 'Finds keys of the account, to import them: `terraform query`, from Terraform 1.14 on.',
    attributes: FILTER,
  },
  async *find(config, { client }) {
    const { store, now } = client;
    const isMeant = filterOf(config, client);
    const keys = (await store.listed()).filter(isMeant).sort((a, b) => a.id - b.id);
    for (const key of keys) {
      yield {
        name: key.name,
        identity: { id: key.id, user_id: store.account.userId },
        state: async () => importedState({ key, quotaPerUnit: await store.quotaPerUnit(), now: now() }),
      };
    }
  },
};
