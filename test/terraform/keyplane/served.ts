import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { encodeValue } from '../../../src/terraform/codec/msgpack.ts';
import type { TerraformValue } from '../../../src/terraform/codec/value.ts';
import { keyplaneProvider } from '../../../src/terraform/keyplane/provider.ts';
import { PROVIDER, SERVICE_NAMES } from '../../../src/terraform/protocol/services.ts';
import { handlersOf } from '../../../src/terraform/provider/handlers.ts';
import {
  type AttributeTable,
  type IdentitySchema,
  type Schema,
  typeOf,
} from '../../../src/terraform/provider/schema.ts';
import { issueCertificate } from '../../../src/terraform/serve/certificate.ts';
import { listen } from '../../../src/terraform/serve/grpc.ts';
import { openStage, type Stage } from '../../checks/stage.ts';
import { openPluginClient, type PluginClient } from '../plugin-client.ts';

const server = issueCertificate(Date.now());
const core = issueCertificate(Date.now());

export const provider = keyplaneProvider({}, () => Math.floor(Date.now() / 1000));

/** A configuration as core sends it: what is not written is null. */
export const bytesOf = (
  schema: Pick<Schema, 'attributes'> | IdentitySchema,
  config: Readonly<Record<string, TerraformValue>>,
) => {
  const { attributes } = schema;
  const whole = Object.fromEntries(Object.keys(attributes).map((name) => [name, config[name] ?? null]));
  const type = typeOf({ attributes: attributes as AttributeTable });
  return { msgpack: encodeValue(whole, type), json: new Uint8Array() };
};

export interface Served {
  readonly stage: Stage;
  readonly client: PluginClient;
  close(): Promise<void>;
}

/** The provider, served and configured for a gateway, and a core that calls it. */
export async function openServed(): Promise<Served> {
  const stage = await openStage('contract');
  const folder = await mkdtemp(join(tmpdir(), 'kp-'));
  const stop = new AbortController();
  const listening = await listen({
    socket: join(folder, 's'),
    services: [{ service: SERVICE_NAMES.provider, methods: PROVIDER, handlers: handlersOf(provider, stop) }],
    tls: { ...server, clientCertificate: core.certificate },
    stop: stop.signal,
    onDefect: (_, thrown) => {
      throw thrown;
    },
  });
  const client = openPluginClient(join(folder, 's'), { own: core, theirs: server.certificate });
  const config = bytesOf(provider.schema, { url: stage.url, user_id: 42, access_token: 'token-of-anna' });
  const { diagnostics } = await client.ask('provider', PROVIDER.configureProvider, { config });
  expect(diagnostics).toEqual([]);
  return {
    stage,
    client,
    async close() {
      client.close();
      listening.close();
      await stage.close();
      await rm(folder, { recursive: true });
    },
  };
}
