import { nameProblem, type ObservedKey } from '../../../domain/index.ts';
import type { ListResource } from '../../provider/definition.ts';
import type { DiagnosticContent } from '../../provider/diagnostics.ts';
import type { Client } from '../client.ts';
import { FILTER, parseFilter } from '../data/keys.ts';
import { importedState, observationOf } from './state.ts';

/** A name that no configuration may have would make the whole file invalid that Terraform generates for the list. */
const notListed = ({ id, name }: ObservedKey, problem: string): DiagnosticContent => ({
  summary: `The key ${id} is not listed: its name ${JSON.stringify(name)} is not valid, because ${problem}`,
  detail: 'Import it by its ID into a resource with a valid name: the key is renamed, and keeps its ID and secret.',
});

export const KEY_LIST_RESOURCE: ListResource<Client> = {
  schema: {
    version: 0,
    description: 'Lists the keys of the account, to import them with `terraform query` (Terraform 1.14 or newer).',
    attributes: FILTER,
  },
  async *find(config, { client, warn }) {
    const { store } = client;
    const matches = parseFilter(config, client);
    const keys = (await store.list()).filter(matches).sort((a, b) => a.id - b.id);
    for (const key of keys) {
      const problem = nameProblem(key.name);
      if (problem !== undefined) {
        warn(notListed(key, problem));
        continue;
      }
      yield {
        name: key.name,
        identity: { id: key.id, user_id: store.account.userId },
        state: async () => importedState(await observationOf(key, client)),
      };
    }
  },
};
