import type { TerraformObject } from '../../codec/value.ts';
import type { DataSource, Ephemeral, OperationContext } from '../../provider/definition.ts';
import type { AttributeTable } from '../../provider/schema.ts';
import type { Client } from '../client.ts';
import { credentialOf, findKey, ID_OR_NAME, idOrNameErrors } from '../find-key.ts';

const ATTRIBUTES: AttributeTable = {
  ...ID_OR_NAME,
  secret: { type: 'string', set: 'computed', isSensitive: true, description: 'The usable credential, `sk-…`.' },
};

/** The only place where the provider reveals a key, because the configuration asks for it. */
async function reveal(config: TerraformObject, client: Client): Promise<TerraformObject> {
  const key = await findKey(config, client);
  const secret = await credentialOf(key, client, config.id === null ? 'name' : 'id');
  return { id: key.id, name: key.name, secret: secret.reveal() };
}

/** Most gateways allow so many reveals, logins and new access tokens together in 20 minutes. */
const MOST_REVEALS = 20;
const NOTICED_REVEALS = MOST_REVEALS / 2;

const fitting = (left: number): string =>
  left > 0 ? `The next ${left} fit; further ones wait.` : 'Further ones wait.';

/** Warns while there is still time: after that, a run waits for minutes or fails. */
async function warnOfLimit({ client, warn }: OperationContext<Client>): Promise<void> {
  const { store, run, reveals } = client;
  const requests = Math.max(store.revealRequests(), (await reveals?.count()) ?? 0);
  if (requests < NOTICED_REVEALS || run.shownWarnings.has('reveals')) return;
  run.shownWarnings.add('reveals');
  warn({
    summary: `Credentials took ${requests} of the ${MOST_REVEALS} reveals that most gateways allow in 20 minutes`,
    detail: `${fitting(MOST_REVEALS - requests)} Runs of other machines count too, and are not known here. Those that are opened at the same time share a request: raise \`-parallelism\`. The apply opens them again.`,
  });
}

export const EPHEMERAL_SECRET: Ephemeral<Client> = {
  schema: {
    version: 0,
    description:
      'Reads the credential of a key, by ID or by name, for one run. Pass it to write-only arguments or to the ' +
      'configuration of other providers. It is stored in neither plan nor state.',
    attributes: ATTRIBUTES,
    check: idOrNameErrors,
  },
  async open(config, context) {
    const found = await reveal(config, context.client);
    await warnOfLimit(context);
    return found;
  },
};

const STORED = {
  summary: 'The credential of a key is stored in the state',
  detail:
    'Anyone who can read the state can use the key: encrypt the state, and restrict access to it. This data source is ' +
    'deprecated: the ephemeral resource `keyplane_api_key_secret` provides the credential without storing it, from ' +
    'Terraform 1.10 and OpenTofu 1.11 on.',
};

/** For cores without ephemeral resources. Every read warns that the credential is stored. */
export const STORED_SECRET: DataSource<Client> = {
  schema: {
    version: 0,
    isDeprecated: true,
    description:
      'The credential of a key, by its ID or by its name, **stored in the state**. Only for versions without ' +
      'ephemeral resources: otherwise use the ephemeral resource of the same name, which stores nothing.',
    attributes: ATTRIBUTES,
    check: idOrNameErrors,
  },
  async read(config, { client, warn }) {
    const found = await reveal(config, client);
    warn(STORED);
    return found;
  },
};
