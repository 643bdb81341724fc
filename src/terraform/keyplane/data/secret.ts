import type { ObjectValue } from '../../codec/value.ts';
import type { DataSource, Ephemeral } from '../../provider/definition.ts';
import type { AttributeTable } from '../../provider/schema.ts';
import type { Client } from '../client.ts';
import { credentialOf, findKey, ID_OR_NAME, idOrNameProblems } from '../find-key.ts';

const ATTRIBUTES: AttributeTable = {
  ...ID_OR_NAME,
  secret: { type: 'string', set: 'computed', isSensitive: true, description: 'The usable credential, `sk-…`.' },
};

/** The one place where the provider opens a key: what core gets from here is what it was asked for. */
async function opened(config: ObjectValue, client: Client): Promise<ObjectValue> {
  const key = await findKey(config, client);
  const secret = await credentialOf(key, client, config.id === null ? 'name' : 'id');
  return { id: key.id, name: key.name, secret: secret.reveal() };
}

/** A credential for one run: it goes where ephemeral values may go, and is stored nowhere. */
export const EPHEMERAL_SECRET: Ephemeral<Client> = {
  schema: {
    version: 0,
    description:
      'The credential of a key, by its id or by its name, for one run. It reaches write-only arguments and the ' +
      'configuration of other providers, and is in neither plan nor state.',
    attributes: ATTRIBUTES,
    check: idOrNameProblems,
  },
  open: (config, { client }) => opened(config, client),
};

const STORED = {
  summary: 'The credential of a key is stored in the state',
  detail:
    'Whoever can read the state can use the key: encrypt it, and let few read it. So this data source is deprecated: ' +
    'the ephemeral resource `keyplane_api_key_secret` gives the credential without storing it, from Terraform 1.10 ' +
    'and OpenTofu 1.11 on.',
};

/** A credential for those whose core knows nothing ephemeral. It is stored, which each read says. */
export const STORED_SECRET: DataSource<Client> = {
  schema: {
    version: 0,
    isDeprecated: true,
    description:
      'The credential of a key, by its id or by its name, **stored in the state**. Only for versions without ' +
      'ephemeral resources: where there are, the ephemeral resource of the same name stores nothing.',
    attributes: ATTRIBUTES,
    check: idOrNameProblems,
  },
  async read(config, { client, warn }) {
    const found = await opened(config, client);
    warn(STORED);
    return found;
  },
};
