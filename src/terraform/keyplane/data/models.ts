import type { Secret } from '../../../domain/index.ts';
import type { TerraformValue } from '../../codec/value.ts';
import type { DataSource } from '../../provider/definition.ts';
import { DiagnosticError } from '../../provider/diagnostics.ts';
import type { Client } from '../client.ts';
import { credentialOf, findKeyById, idErrors } from '../find-key.ts';

/** The key to list models with: the gateway lists them to keys, and not to the account. */
async function credentialFor(keyId: TerraformValue, client: Client): Promise<Secret> {
  if (keyId !== null) return await credentialOf(await findKeyById(keyId, client), client, 'key_id');
  if (client.modelsKey) return client.modelsKey;
  throw new DiagnosticError({
    summary: 'Listing models requires an API key',
    detail:
      'The gateway lists its models only to API keys. Set `key_id` to the ID of a key of the account, or set ' +
      '`models_key` in the provider or KEYPLANE_MODELS_KEY to the credential of one.',
    path: ['key_id'],
  });
}

export const MODELS: DataSource<Client> = {
  schema: {
    version: 0,
    description: 'The models that a key may use. For a key without an allowlist these are all models of the account.',
    attributes: {
      key_id: {
        type: 'number',
        set: 'optional',
        description:
          'ID of the key that lists the models. Its credential is only used in memory and never stored. ' +
          'Otherwise the `models_key` of the provider, or `KEYPLANE_MODELS_KEY`.',
        check: idErrors,
      },
      models: { type: ['list', 'string'], set: 'computed', description: 'Model IDs, sorted.' },
    },
  },
  async read({ key_id: keyId = null }, { client }) {
    const models = await client.gateway.system.models(await credentialFor(keyId, client));
    return { key_id: keyId, models: [...models].sort() };
  },
};
