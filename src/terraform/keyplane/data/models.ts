import type { Secret } from '../../../domain/index.ts';
import type { Value } from '../../codec/value.ts';
import type { DataSource } from '../../provider/definition.ts';
import { DiagnosticError } from '../../provider/diagnostics.ts';
import type { Client } from '../client.ts';
import { credentialOf, findKeyById } from '../find-key.ts';

/** The key that asks: the gateway tells its models to keys, and not to the account. */
async function askingKey(keyId: Value, client: Client): Promise<Secret> {
  if (keyId !== null) return await credentialOf(await findKeyById(keyId, client), client, 'key_id');
  if (client.modelsKey) return client.modelsKey;
  throw new DiagnosticError({
    summary: 'No key was given that may ask for models',
    detail:
      'The gateway tells its models to API keys only. Set `key_id` to the id of a key of the account, or put the ' +
      'credential of one into the environment, as KEYPLANE_MODELS_KEY.',
    path: ['key_id'],
  });
}

/** The models that can be asked. */
export const MODELS: DataSource<Client> = {
  schema: {
    version: 0,
    description: 'The models that a key may ask; of a key without an allowlist: all models of the account.',
    attributes: {
      key_id: {
        type: 'number',
        set: 'optional',
        description:
          'Id of the key with which the gateway is asked; its credential is used in memory and stored nowhere. ' +
          'Otherwise the credential in `KEYPLANE_MODELS_KEY`.',
      },
      models: { type: ['list', 'string'], set: 'computed', description: 'Ids of models, sorted.' },
    },
  },
  async read({ key_id: keyId = null }, { client }) {
    const models = await client.gateway.system.models(await askingKey(keyId, client));
    return { key_id: keyId, models: [...models].sort() };
  },
};
